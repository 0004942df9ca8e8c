import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type PrintedLanguage, printedLanguages } from '../../../domain/printing/printed-document.ts';
import { addDays } from '../../../kernel/dates.ts';
import {
  type Calendar,
  dayWithin,
  fillTokens,
  firstIndexFrom,
  frequencies,
  occurrenceOn,
  periodOf,
  runTime,
  tokenNames,
  unknownToken,
  upcomingDays,
} from './calendar.ts';

const days = (calendar: Calendar, count: number) =>
  Array.from({ length: count }, (_, index) => occurrenceOn(calendar, index));

const cases: [starts_on: string, frequency: Calendar['frequency'], interval: number, expected: string[]][] = [
  ['2027-01-31', 'monthly', 1, ['2027-01-31', '2027-02-28', '2027-03-31', '2027-04-30', '2027-05-31']],
  ['2028-01-30', 'monthly', 1, ['2028-01-30', '2028-02-29', '2028-03-30']],
  ['2024-02-29', 'yearly', 1, ['2024-02-29', '2025-02-28', '2026-02-28', '2027-02-28', '2028-02-29']],
  ['2096-02-29', 'yearly', 4, ['2096-02-29', '2100-02-28', '2104-02-29']],
  ['2026-11-30', 'quarterly', 1, ['2026-11-30', '2027-02-28', '2027-05-30', '2027-08-30']],
  ['2026-12-31', 'monthly', 2, ['2026-12-31', '2027-02-28', '2027-04-30']],
  ['2026-12-28', 'weekly', 2, ['2026-12-28', '2027-01-11', '2027-01-25']],
  ['2027-03-27', 'daily', 1, ['2027-03-27', '2027-03-28', '2027-03-29']],
  ['2027-01-31', 'monthly', 100, ['2027-01-31', '2035-05-31', '2043-09-30']],
];
for (const [starts_on, frequency, interval, expected] of cases)
  test(`every ${interval} ${frequency} from ${starts_on}`, () => {
    assert.deepEqual(days({ starts_on, frequency, interval }, expected.length), expected);
  });

/** Walks day by day, and knows months only as their texts. */
function slowDays({ starts_on, frequency, interval }: Calendar, until: string): string[] {
  const wanted = Number(starts_on.slice(8));
  const found: string[] = [];
  let counted_days = 0;
  let counted_months = 0;
  for (let day = starts_on; day <= until; day = addDays(day, 1), counted_days += 1) {
    if (day !== starts_on && day.endsWith('-01')) counted_months += 1;
    const is_last = addDays(day, 1).endsWith('-01');
    const is_its_day = Number(day.slice(8)) === wanted || (is_last && Number(day.slice(8)) < wanted);
    const months = { monthly: 1, quarterly: 3, yearly: 12 }[frequency as 'monthly'] * interval;
    const is_due =
      frequency === 'daily'
        ? counted_days % interval === 0
        : frequency === 'weekly'
          ? counted_days % (7 * interval) === 0
          : is_its_day && counted_months % months === 0;
    if (is_due) found.push(day);
  }
  return found;
}

const anyDay = fc.integer({ min: 0, max: 1500 }).map((count) => addDays('2026-12-28', count));
const anyCalendar = fc.record({
  starts_on: anyDay,
  frequency: fc.constantFrom(...frequencies),
  interval: fc.integer({ min: 1, max: 13 }),
});

test('occurrences, the first one not before a day and the periods are those of a walk day by day', () => {
  fc.assert(
    fc.property(anyCalendar, fc.integer({ min: 0, max: 1400 }), (calendar, ahead) => {
      const until = addDays(calendar.starts_on, 1500);
      const slow = slowDays(calendar, until);
      assert.deepEqual(days(calendar, slow.length), slow);
      const from = addDays(calendar.starts_on, ahead - 100);
      const first = slow.find((day) => day >= from);
      if (first !== undefined) assert.equal(occurrenceOn(calendar, firstIndexFrom(calendar, from)), first);
      for (const [index, next] of slow.slice(1).entries())
        assert.deepEqual(periodOf(calendar, index), { start: slow[index], end: addDays(next, -1) });
    }),
    { numRuns: 150 },
  );
});

test('limits end the days by day or by count, whichever comes first', () => {
  fc.assert(
    fc.property(
      anyCalendar,
      fc.option(fc.integer({ min: 0, max: 1400 })),
      fc.option(fc.integer({ min: 1, max: 12 })),
      (calendar, end, max_occurrences) => {
        const ends_on = end === null ? null : addDays(calendar.starts_on, end);
        const slow = slowDays(calendar, ends_on ?? addDays(calendar.starts_on, 1400));
        const wanted = slow.slice(0, Math.min(max_occurrences ?? 24, 24));
        const found = upcomingDays(calendar, { ends_on, max_occurrences }, { index: 0, made: 0 }, 24);
        assert.deepEqual(found.slice(0, wanted.length), wanted);
        if (ends_on !== null || max_occurrences !== null)
          assert.equal(
            found.length <= (max_occurrences ?? 24) && found.every((day) => day <= (ends_on ?? day)),
            true,
          );
      },
    ),
    { numRuns: 100 },
  );
});

test('no day lies beyond what the service can store', () => {
  const calendar: Calendar = { starts_on: '2199-12-31', frequency: 'yearly', interval: 1 };
  assert.equal(dayWithin(calendar, { ends_on: null, max_occurrences: null }, 0, 0), '2199-12-31');
  assert.equal(dayWithin(calendar, { ends_on: null, max_occurrences: null }, 1, 0), null);
});

const times: [time_zone: string, day: string, expected: string][] = [
  ['Europe/Madrid', '2027-02-28', '2027-02-28T05:00:00.000Z'],
  ['Europe/Madrid', '2027-03-27', '2027-03-27T05:00:00.000Z'],
  ['Europe/Madrid', '2027-03-28', '2027-03-28T04:00:00.000Z'],
  ['Europe/Madrid', '2027-10-30', '2027-10-30T04:00:00.000Z'],
  ['Europe/Madrid', '2027-10-31', '2027-10-31T05:00:00.000Z'],
  ['Atlantic/Canary', '2027-02-28', '2027-02-28T06:00:00.000Z'],
  ['Atlantic/Canary', '2027-03-28', '2027-03-28T05:00:00.000Z'],
  ['Atlantic/Canary', '2027-10-31', '2027-10-31T06:00:00.000Z'],
];
for (const [time_zone, day, expected] of times)
  test(`06:00 in ${time_zone} on ${day}`, () => {
    assert.equal(runTime(time_zone, day).toISOString(), expected);
  });

const period = { start: '2027-02-28', end: '2027-03-30' };

const texts: [language: PrintedLanguage, text: string, expected: string][] = [
  ['es', 'Alquiler de {month_name} de {year}', 'Alquiler de febrero de 2027'],
  ['ca', '{month_name} {year}', 'febrer 2027'],
  ['gl', '{month_name}', 'febreiro'],
  ['eu', '{month_name}', 'otsaila'],
  ['en', '{month_name}', 'February'],
  ['es', '{month}/{year}, T{quarter}', '02/2027, T1'],
  ['es', 'Del {period_start} al {period_end}', 'Del 28/02/2027 al 30/03/2027'],
  ['eu', '{period_start}', '2027/02/28'],
  ['es', 'sin más } y {', 'sin más } y {'],
  ['es', '{otro}', '{otro}'],
];
for (const [language, text, expected] of texts)
  test(`${text} in ${language}`, () => assert.equal(fillTokens(text, period, language), expected));

test('given a text of many words in braces, when they are filled, then the name of a month is looked up once', (t) => {
  const looked = t.mock.method(Intl, 'DateTimeFormat');
  const filled = fillTokens('{month_name} '.repeat(80), { start: '2027-07-01', end: '2027-07-31' }, 'ca');
  assert.equal(filled, 'juliol '.repeat(80));
  assert.ok(looked.mock.callCount() <= 1, `${looked.mock.callCount()}`);
});

const faults: [text: string | null, expected: string | undefined][] = [
  [null, undefined],
  ['nada', undefined],
  ['{month} {month_name} {quarter} {year} {period_start} {period_end}', undefined],
  ['{mes}', '{mes}'],
  ['{year} y {}', '{}'],
  ['{ year }', '{ year }'],
  ['{toString}', '{toString}'],
  ['{{year}}', undefined],
];
for (const [text, expected] of faults)
  test(`unknown in ${text}`, () => assert.equal(unknownToken(text), expected));

test('a filled token is never longer than the token, so a text still fits', () => {
  for (const language of printedLanguages)
    for (const name of tokenNames)
      for (let month = 1; month <= 12; month++) {
        const start = `2027-${String(month).padStart(2, '0')}-28`;
        assert.ok(fillTokens(`{${name}}`, { start, end: start }, language).length <= name.length + 2, name);
      }
});
