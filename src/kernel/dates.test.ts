import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addDays, dayIn, nextLocalMidnight } from './dates.ts';

const cases = [
  // Winter and summer time.
  ['Europe/Madrid', '2026-01-15T10:00:00Z', '2026-01-15T23:00:00.000Z'],
  ['Europe/Madrid', '2026-07-15T10:00:00Z', '2026-07-15T22:00:00.000Z'],
  // Midnight itself is not later than itself; a millisecond before it is.
  ['Europe/Madrid', '2026-01-15T23:00:00Z', '2026-01-16T23:00:00.000Z'],
  ['Europe/Madrid', '2026-01-15T22:59:59.999Z', '2026-01-15T23:00:00.000Z'],
  // The day of 23 hours, from its first and its last instant, and the one of 25 hours.
  ['Europe/Madrid', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00.000Z'],
  ['Europe/Madrid', '2026-03-29T21:59:59.999Z', '2026-03-29T22:00:00.000Z'],
  ['Europe/Madrid', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00.000Z'],
  ['Europe/Madrid', '2026-10-25T01:30:00Z', '2026-10-25T23:00:00.000Z'],
  // The Canary Islands are an hour behind, all year, and change at the same instants.
  ['Atlantic/Canary', '2026-01-15T23:30:00Z', '2026-01-16T00:00:00.000Z'],
  ['Atlantic/Canary', '2026-07-15T22:30:00Z', '2026-07-15T23:00:00.000Z'],
  ['Atlantic/Canary', '2026-03-29T00:00:00Z', '2026-03-29T23:00:00.000Z'],
  ['Atlantic/Canary', '2026-10-24T23:00:00Z', '2026-10-26T00:00:00.000Z'],
  // A year's end.
  ['Europe/Madrid', '2026-12-31T12:00:00Z', '2026-12-31T23:00:00.000Z'],
] as const;

for (const [time_zone, now, expected] of cases) {
  test(`the midnight that follows ${now} in ${time_zone} is ${expected}`, () => {
    assert.equal(nextLocalMidnight(time_zone, new Date(now)).toISOString(), expected);
  });
}

test('the next midnight is the first instant of the next day, at any time', () => {
  const instant = fc.date({ min: new Date('2020-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(
      fc.constantFrom('Europe/Madrid', 'Atlantic/Canary', 'Atlantic/Azores', 'UTC'),
      instant,
      (time_zone, now) => {
        const midnight = nextLocalMidnight(time_zone, now);
        const today = dayIn(time_zone, now);
        assert.equal(dayIn(time_zone, midnight), addDays(today, 1));
        assert.equal(dayIn(time_zone, new Date(midnight.getTime() - 1)), today);
      },
    ),
  );
});
