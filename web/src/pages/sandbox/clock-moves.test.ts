import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayLater, monthLater } from './clock-moves.ts';

const months: [now: string, later: string][] = [
  ['2026-11-23T10:15:00.000Z', '2026-12-23T10:15:00.000Z'],
  ['2026-12-05T00:00:00.000Z', '2027-01-05T00:00:00.000Z'],
  ['2027-01-31T09:00:00.000Z', '2027-02-28T09:00:00.000Z'],
  ['2028-01-30T09:00:00.000Z', '2028-02-29T09:00:00.000Z'],
  ['2026-03-31T23:59:59.000Z', '2026-04-30T23:59:59.000Z'],
  // Half past midnight of 1 December in Madrid, and of the first day of the year.
  ['2026-11-30T23:30:00.000Z', '2026-12-31T23:30:00.000Z'],
  // At noon before and after the clocks change.
  ['2026-10-10T10:00:00.000Z', '2026-11-10T11:00:00.000Z'],
];

for (const [now, later] of months)
  test(`a month after ${now} is ${later}`, () => assert.equal(monthLater(now, 'Europe/Madrid'), later));

test('a day later is 24 hours later, over the end of a year too', () =>
  assert.equal(dayLater('2026-12-31T10:00:00.000Z'), '2027-01-01T10:00:00.000Z'));
