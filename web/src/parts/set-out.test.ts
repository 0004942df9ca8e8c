import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setOut } from './set-out.ts';

const alike: unknown[] = [
  {},
  [],
  { a: [], b: {} },
  {
    text: 'comas, llaves {} y "comillas" \\ fin',
    list: [1, -2.5, 1e21, true, null, { deep: ['ñ', '\u2028'] }],
  },
  'texto',
  7,
];

for (const value of alike)
  test(`given ${JSON.stringify(value)}, then its lines are those of JSON`, () => {
    assert.equal(setOut(JSON.stringify(value)), JSON.stringify(value, null, 2));
    assert.equal(setOut(JSON.stringify(value, null, 7)), JSON.stringify(value, null, 2));
  });

test('given numbers that no double holds, decimals that are zero and a name twice, then they are shown as they were sent', () => {
  assert.equal(
    setOut('{"total":12345678901234567890,"price":1.10,"tax":2e-7,"a":1,"a":2,"10":"é\\u00e9"}'),
    '{\n  "total": 12345678901234567890,\n  "price": 1.10,\n  "tax": 2e-7,\n  "a": 1,\n  "a": 2,\n  "10": "é\\u00e9"\n}',
  );
});

test('given a text that is no JSON, then it stays as it is', () => {
  for (const text of ['', 'no', '{"a":1', '<html></html>']) assert.equal(setOut(text), text);
});
