/** A full run fails when a test has not seen an event that is declared, whichever it is. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { compareEvents, declaredLines } from '../../scripts/compare-events.ts';
import { emittedEventNames } from '../../src/modules/event-list.ts';
import { families } from '../../src/modules/families.ts';

function given(t: TestContext) {
  const dir = mkdtempSync(join(tmpdir(), 'folio-seen-'));
  t.after(() => rmSync(dir, { recursive: true, force: true }));
  const told = t.mock.method(console, 'error', () => undefined);
  const compare = (lines: readonly string[]) => {
    told.mock.resetCalls();
    writeFileSync(join(dir, '1.txt'), lines.join('\n'));
    return [
      compareEvents(dir),
      told.mock.calls.map(({ arguments: said }) => said.join(' ')).join('\n'),
    ] as const;
  };
  return { compare };
}

test('given all declared lines, when one event of a family was never seen, then the run fails and names who emits it', (t) => {
  const { compare } = given(t);
  const all = declaredLines();
  assert.deepEqual(compare(all), [0, '']);
  const names = families
    .flatMap(({ events }) => Object.keys(events))
    .filter((name) => !name.startsWith('invoice.'));
  assert.ok(names.length > 40, String(names.length));
  for (const name of names) {
    const [status, told] = compare(all.filter((line) => !line.endsWith(` ${name}`)));
    assert.equal(status, 1, name);
    assert.match(told, new RegExp(`^  \\w+(\\.\\w+)* ${name.replace('.', '[.]')}$`, 'm'));
  }
});

test('given an event that is not declared, when it was seen, then the run fails', (t) => {
  const { compare } = given(t);
  assert.ok(!emittedEventNames.includes('quote.melted'));
  assert.equal(compare([...declaredLines(), 'quote.melted'])[0], 1);
});
