import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { catalog } from '../../modules/catalog.ts';
import { printJson } from './print-json.ts';

const long = 'x'.repeat(60);
const codes = Array.from({ length: 12 }, (_, i) => `a_long_code_${i}`);

const cases: [name: string, value: unknown, lines: number][] = [
  ['a short object', { a: 1, b: [true, null] }, 1],
  ['nothing', {}, 1],
  ['two long members', { a: long, b: long }, 4],
  ['a long list of texts', codes, 4],
  ['a list of objects', [{ a: long }, { b: long }], 4],
  ['members of an example, side by side', { examples: { one: { a: 1, b: 2, c: long, d: long } } }, 8],
  [
    'the keywords of a member, side by side',
    { name: { type: 'string', maxLength: 9, description: `${long}${'y'.repeat(20)}` } },
    6,
  ],
  ['what is left out', { a: undefined }, 1],
];

for (const [name, value, lines] of cases) {
  test(`${name} takes ${lines} lines and says the same`, () => {
    const text = printJson(value);
    assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
    assert.equal(text.split('\n').length - 1, lines, text);
    for (const line of text.split('\n')) assert.ok(line.length <= 110, line);
  });
}

test('the printed reference has at most 250 lines for each operation', () => {
  const text = readFileSync(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8');
  const lines = text.split('\n').length;
  // It had 504 while shared parts stood in each of them.
  assert.ok(lines / catalog.length <= 250, `${lines} lines, ${catalog.length} operations`);
});
