/** When a purchase's tax may be deducted, and the status that follows from a row. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../../kernel/problem.ts';
import { deductDay, deductionPeriod } from './days.ts';
import { deductibleNow } from './deduction.ts';

type Case = [
  issued: string,
  operated: string | null,
  received: string,
  first: string,
  last: string,
  has_ended: boolean,
];

// LIVA, art. 99.Tres and Cuatro.
const cases: Case[] = [
  ['2026-01-10', null, '2026-01-20', '2026-01-20', '2030-01-10', false],
  ['2026-01-10', '2026-02-01', '2026-01-20', '2026-02-01', '2030-02-01', false],
  ['2026-01-10', '2025-12-31', '2026-01-20', '2026-01-20', '2029-12-31', false],
  ['2024-02-29', null, '2024-03-01', '2024-03-01', '2028-02-29', false],
  ['2022-01-10', null, '2026-01-10', '2026-01-10', '2026-01-10', false],
  ['2022-01-10', null, '2026-01-11', '2026-01-10', '2026-01-10', true],
];

for (const [issued_on, operation_on, received_on, first, last, has_ended] of cases)
  test(`issued ${issued_on}, operated ${operation_on}, received ${received_on}: deducted from ${first} to ${last}`, () => {
    const days = { issued_on, operation_on, received_on };
    assert.deepEqual(deductionPeriod(days), { first, last, has_ended });
    assert.equal(deductDay(null, days), first);
    assert.equal(deductDay(last, days), last);
    const before = new Date(Date.parse(first) - 86_400_000).toISOString().slice(0, 10);
    const after = new Date(Date.parse(last) + 86_400_000).toISOString().slice(0, 10);
    for (const day of [before, after])
      assert.throws(
        () => deductDay(day, days),
        (error) => error instanceof Problem && error.details.param === 'deduct_on',
      );
  });

// LIVA, art. 163 quinquiesdecies.
const cash = { cash_accounting: true, kind: 'invoice', operation: 'domestic' } as const;

for (const [paid_cents, today, now] of [
  [0n, '2027-12-30', 0n],
  [6_050n, '2027-12-30', 1_050n],
  [4_033n, '2027-12-30', 700n],
  [12_100n, '2026-01-11', 2_100n],
  [0n, '2027-12-31', 2_100n],
] as const)
  test(`of 121.00 on cash accounting, ${paid_cents} cents paid by ${today}: ${now} deducted`, () => {
    const row = { ...cash, operation_on: null, issued_on: '2026-01-10' };
    assert.equal(
      deductibleNow({ ...row, deductible_cents: 2_100n, paid_cents, due_cents: 12_100n }, today),
      now,
    );
  });

for (const [kind, operation] of [
  ['invoice', 'reverse_charge'],
  ['invoice', 'intra_community_goods'],
  ['customs', 'import'],
  ['agricultural_receipt', 'domestic'],
] as const)
  test(`${kind} of ${operation}, stored on cash accounting when that was taken: all is deducted at once`, () => {
    const row = { ...cash, kind, operation, operation_on: null, issued_on: '2026-01-10' };
    const amounts = { deductible_cents: 2_100n, paid_cents: 0n, due_cents: 10_000n };
    assert.equal(deductibleNow({ ...row, ...amounts }, '2026-02-01'), 2_100n);
  });
