import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { offerMoves } from '../../../../src/domain/sales/offer-states.ts';
import { noteMoves } from '../../../../src/modules/delivery-notes/rules/states.ts';
import { purchaseMoves } from '../../../../src/modules/purchase-invoices/rules/states.ts';
import { actionText } from './actions.ts';
import { memberActionsEs } from './member-actions.ts';

/** An edit is an event, and no entry. */
const told = (object: string, moves: readonly string[]) =>
  moves.filter((move) => !move.startsWith('edit_')).map((move) => `${object}.${move}`);

/** Actions that the code names as they are. */
function namedActions(): string[] {
  const src = join(import.meta.dirname, '../../../../src');
  const files = globSync('modules/**/*.ts', { cwd: src }).filter((file) => !file.endsWith('.test.ts'));
  return files.flatMap((file) =>
    [...readFileSync(join(src, file), 'utf8').matchAll(/\baction: '([a-z_]+\.[a-z_]+)'/g)].map(
      ([, action = '']) => action,
    ),
  );
}

test('given what the audit log may hold, then each action has words in both languages', () => {
  const actions = [
    ...namedActions(),
    ...['annul', 'void', 'mark_sent', 'reverse_payment', 'public_link_revoked'].map(
      (move) => `invoice.${move}`,
    ),
    ...told('quote', offerMoves),
    ...told('proforma', offerMoves),
    ...told('delivery_note', noteMoves),
    ...told('purchase_invoice', purchaseMoves),
  ];
  assert.ok(actions.length > 60);
  const lacking = actions.filter(
    (action) =>
      !Object.hasOwn(memberActionsEs, action) && !(actionText(action, 'es') && actionText(action, 'en')),
  );
  assert.deepEqual(lacking, []);
  assert.equal(actionText('api_key.revoked', 'es'), 'Revocar una clave');
  assert.equal(actionText('future.thing', 'es'), undefined);
});
