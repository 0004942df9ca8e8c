import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toldEnd } from './told-end.ts';

const end = '2027-12-31';

const cases: readonly [ends_on: string | null, today: string, told: string | null][] = [
  [null, '2027-06-01', null],
  [end, '2026-12-31', null],
  [end, '2027-01-01', end],
  [end, '2028-12-31', end],
  [end, '2029-01-01', null],
];
for (const [ends_on, today, told] of cases)
  test(`an end of ${ends_on} is told as ${told} on ${today}`, () =>
    assert.equal(toldEnd(ends_on, today), told));
