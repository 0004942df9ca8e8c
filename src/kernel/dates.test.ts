import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addDays, dayIn, hourIn, isCalendarDay, isInstant, nextLocalMidnight } from './dates.ts';

const cases = [
  ['Europe/Madrid', '2026-01-15T10:00:00Z', '2026-01-15T23:00:00.000Z'],
  ['Europe/Madrid', '2026-07-15T10:00:00Z', '2026-07-15T22:00:00.000Z'],
  // At midnight itself, the next one.
  ['Europe/Madrid', '2026-01-15T23:00:00Z', '2026-01-16T23:00:00.000Z'],
  ['Europe/Madrid', '2026-01-15T22:59:59.999Z', '2026-01-15T23:00:00.000Z'],
  // Days of 23 and 25 hours, from their first and last instants.
  ['Europe/Madrid', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00.000Z'],
  ['Europe/Madrid', '2026-03-29T21:59:59.999Z', '2026-03-29T22:00:00.000Z'],
  ['Europe/Madrid', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00.000Z'],
  ['Europe/Madrid', '2026-10-25T01:30:00Z', '2026-10-25T23:00:00.000Z'],
  // The Canary Islands are an hour behind, and change at the same instants.
  ['Atlantic/Canary', '2026-01-15T23:30:00Z', '2026-01-16T00:00:00.000Z'],
  ['Atlantic/Canary', '2026-07-15T22:30:00Z', '2026-07-15T23:00:00.000Z'],
  ['Atlantic/Canary', '2026-03-29T00:00:00Z', '2026-03-29T23:00:00.000Z'],
  ['Atlantic/Canary', '2026-10-24T23:00:00Z', '2026-10-26T00:00:00.000Z'],
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

const days = [
  ['2024-02-29', true],
  ['2023-02-29', false],
  ['2000-02-29', true],
  ['1900-02-28', true],
  ['1900-02-29', false],
  ['2199-12-31', true],
  ['2200-01-01', false],
  ['1899-12-31', false],
  ['2024-00-10', false],
  ['2024-13-10', false],
  ['2024-04-31', false],
  ['2024-04-00', false],
  ['2024-4-1', false],
  ['24-04-01', false],
  [' 2024-04-01', false],
  ['2024-04-01\n', false],
  ['2024-04-01T00:00:00Z', false],
  ['٢٠٢٤-04-01', false],
  ['', false],
] as const;
for (const [text, is_day] of days) {
  test(`${JSON.stringify(text)} is ${is_day ? 'a' : 'no'} day`, () => {
    assert.equal(isCalendarDay(text), is_day);
  });
}

const instants = [
  ['2026-11-21T10:00:00Z', true],
  ['2026-11-21T10:00:00.123Z', true],
  ['2026-11-21T10:00:00.123456789Z', true],
  ['2026-11-21T10:00:00.1234567890Z', false],
  ['2026-11-21T10:00:00+01:00', true],
  ['2026-11-21T10:00:00-15:59', true],
  // No such zone exists.
  ['2026-11-21T10:00:00-16:00', false],
  ['2026-11-21T10:00:00+23:59', false],
  ['2026-11-21T10:00:00', false],
  ['2026-11-21 10:00:00Z', false],
  ['2026-11-21t10:00:00z', false],
  ['2026-11-21T24:00:00Z', false],
  ['2026-11-21T10:60:00Z', false],
  ['2026-11-21T10:00:60Z', false],
  ['2026-02-30T10:00:00Z', false],
  ['0001-01-01T00:00:00Z', false],
  ['2026-11-21', false],
  ['', false],
] as const;
for (const [text, is_instant] of instants) {
  test(`${JSON.stringify(text)} is ${is_instant ? 'an' : 'no'} instant`, () => {
    assert.equal(isInstant(text), is_instant);
  });
}

test('every day of the calendar and the instants in it are accepted, and read by Date alike', () => {
  const day = fc.date({ min: new Date('1900-01-01'), max: new Date('2199-12-31'), noInvalidDate: true });
  fc.assert(
    fc.property(day, (date) => {
      const text = date.toISOString();
      assert.ok(isCalendarDay(text.slice(0, 10)));
      assert.ok(isInstant(text));
      assert.equal(new Date(text).getTime(), date.getTime());
    }),
  );
});

test('adding days and taking them away ends where it began', () => {
  const day = fc.date({ min: new Date('1950-01-01'), max: new Date('2150-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(day, fc.integer({ min: -10_000, max: 10_000 }), (date, count) => {
      const text = date.toISOString().slice(0, 10);
      const moved = addDays(text, count);
      assert.equal(addDays(moved, -count), text);
      assert.equal(Math.sign(moved.localeCompare(text)), Math.sign(count));
    }),
  );
});

const local_days = [
  // Half past midnight in Madrid is yesterday in UTC and in the Canary Islands.
  ['Europe/Madrid', '2026-01-15T23:30:00Z', '2026-01-16'],
  ['Atlantic/Canary', '2026-01-15T23:30:00Z', '2026-01-15'],
  ['Europe/Madrid', '2026-07-15T21:59:59.999Z', '2026-07-15'],
  ['Europe/Madrid', '2026-07-15T22:00:00Z', '2026-07-16'],
  ['Atlantic/Canary', '2026-07-15T22:59:59Z', '2026-07-15'],
  ['UTC', '2026-12-31T23:59:59Z', '2026-12-31'],
] as const;
for (const [time_zone, instant, day] of local_days) {
  test(`in ${time_zone} ${instant} falls on ${day}`, () => {
    assert.equal(dayIn(time_zone, new Date(instant)), day);
  });
}

const nines = [
  ['Europe/Madrid', '2027-01-15', '2027-01-15T08:00:00.000Z'],
  ['Atlantic/Canary', '2027-01-15', '2027-01-15T09:00:00.000Z'],
  ['Europe/Madrid', '2027-07-15', '2027-07-15T07:00:00.000Z'],
  // The clocks went forward, and back, some hours before.
  ['Europe/Madrid', '2027-03-28', '2027-03-28T07:00:00.000Z'],
  ['Atlantic/Canary', '2027-03-28', '2027-03-28T08:00:00.000Z'],
  ['Europe/Madrid', '2027-10-31', '2027-10-31T08:00:00.000Z'],
  ['Atlantic/Canary', '2027-10-31', '2027-10-31T09:00:00.000Z'],
] as const;
for (const [time_zone, day, instant] of nines) {
  test(`in ${time_zone} it is nine on ${day} at ${instant}`, () => {
    assert.equal(hourIn(time_zone, day, 9).toISOString(), instant);
  });
}
