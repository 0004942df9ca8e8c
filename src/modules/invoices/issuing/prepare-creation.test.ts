import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import type { Tx } from '../../../kernel/operation.ts';
import type { InvoiceInputBody } from '../invoices.schema.ts';
import { readForOne } from './prepare-creation.ts';

/** Also collects the statements that run. */
function watched(tx: Tx): { tx: Tx; texts: string[] } {
  const texts: string[] = [];
  const watch = new Proxy(tx, {
    apply(target, self, args: [TemplateStringsArray, ...unknown[]]) {
      if (Array.isArray(args[0])) texts.push(args[0].join('?'));
      return Reflect.apply(target as (...all: unknown[]) => unknown, self, args);
    },
  });
  return { tx: watch, texts };
}

const referred = /\bfrom (contacts|series|companies|products|taxes)\b/;

test('given an external id that this process has seen, when it is sent again, then only the invoice is read', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const client_id = (await app.post('/v1/clients', { key, body: { name: 'Uno SL' } })).body.data.id;
  const lines = [{ description: 'Café', unit_price: 10, tax_rate: 10 }];
  const bodyOf = (external_id: string) => ({ client_id, external_id, lines, options: { issue: true } });
  const made = await app.post('/v1/invoices', { key, body: bodyOf('p-1') });
  assert.equal(made.status, 201, made.text);
  const readsOf = (external_id: string) =>
    app.db.read(acme.company_id, async (tx) => {
      const { tx: watch, texts } = watched(tx);
      const { known, bundle } = await readForOne(
        watch,
        acme.company_id,
        bodyOf(external_id) as InvoiceInputBody,
      );
      return { texts, known: known?.id, bundle: bundle?.document.id };
    });

  const { id } = made.body.data;
  const again = await readsOf('p-1');
  assert.deepEqual([again.known, again.bundle], [id, id]);
  assert.deepEqual(
    again.texts.filter((text) => referred.test(text)),
    [],
  );
  const fresh = await readsOf('p-2');
  assert.deepEqual([fresh.known, fresh.bundle], [undefined, undefined]);
  assert.notDeepEqual(
    fresh.texts.filter((text) => referred.test(text)),
    [],
  );
});
