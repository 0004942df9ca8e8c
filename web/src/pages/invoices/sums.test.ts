import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sumsOf } from './sums.ts';

const plain = {
  subtotal: 100,
  taxes_total: 21,
  surcharge_total: 0,
  retention_total: 0,
  total: 121,
  amount_due: 121,
};

test('given no retention, then base and taxes are followed by the total', () => {
  assert.deepEqual(sumsOf(plain), [
    ['subtotal', 100],
    ['taxes', 21],
    ['total', 121],
  ]);
});

for (const [what, of] of [
  ['a retention', { ...plain, retention_total: 15, amount_due: 106 }],
  ['a retention that a corrective gives back', { ...plain, retention_total: -15, amount_due: 136 }],
  [
    'a surcharge and a retention',
    { ...plain, surcharge_total: 5.2, retention_total: 15, total: 126.2, amount_due: 111.2 },
  ],
] as const) {
  test(`given ${what}, then the rows add up to the total, and with the retention to what is due`, () => {
    const rows = sumsOf(of);
    const at = rows.findIndex(([name]) => name === 'total');
    const sum = (some: typeof rows) => Number(some.reduce((all, [, amount]) => all + amount, 0).toFixed(2));
    assert.equal(sum(rows.slice(0, at)), of.total);
    assert.equal(rows.at(-1)?.[0], 'amount_due');
    assert.equal(sum(rows.slice(at, -1)), of.amount_due);
  });
}
