import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addDays } from '../../../../kernel/dates.ts';
import { warningDue } from './expiry-warnings.ts';

const last_day = '2027-03-10';
const cases: readonly [days_before: number, warned: number | null, due: number | null][] = [
  [31, null, null],
  [30, null, 30],
  [30, 30, null],
  [8, null, 30],
  [8, 30, null],
  [7, 30, 7],
  [7, null, 7],
  [7, 7, null],
  [0, 7, null],
  [0, 30, 7],
  [0, null, 7],
  [-1, null, null],
  [-1, 30, null],
];
for (const [days_before, warned, due] of cases) {
  test(`${days_before} days before, warned at ${warned}: ${due}`, () => {
    assert.equal(warningDue(last_day, addDays(last_day, -days_before), warned), due);
  });
}
