import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clockTextOf, formatDistance, formatMilliseconds, instantOf } from './dates.ts';

const cases: [ms: number, es: string, en: string][] = [
  [53.555, '53,6 ms', '53.6 ms'],
  [7, '7 ms', '7 ms'],
  [0.04, '0 ms', '0 ms'],
  [12_345.6, '12.345,6 ms', '12,345.6 ms'],
];

const spaced = (text: string) => text.replace(/\s/g, ' ').replace(/(?<=\d)ms/, ' ms');

for (const [ms, es, en] of cases) {
  test(`${ms} milliseconds are ${es} in Spanish and ${en} in English`, () => {
    assert.equal(spaced(formatMilliseconds(ms, 'es')), es);
    assert.equal(spaced(formatMilliseconds(ms, 'en')), en);
  });
}

const typed: [text: string, zone: string, instant: string][] = [
  ['2026-12-31T23:59', 'Europe/Madrid', '2026-12-31T22:59:00.000Z'],
  ['2026-12-31T23:59', 'Atlantic/Canary', '2026-12-31T23:59:00.000Z'],
  ['2027-01-01T00:00', 'Europe/Madrid', '2026-12-31T23:00:00.000Z'],
  ['2026-07-01T00:30', 'Europe/Madrid', '2026-06-30T22:30:00.000Z'],
  // Clocks go from 2 to 3, and back from 3 to 2.
  ['2026-03-29T01:59', 'Europe/Madrid', '2026-03-29T00:59:00.000Z'],
  ['2026-03-29T02:30', 'Europe/Madrid', '2026-03-29T01:30:00.000Z'],
  ['2026-03-29T03:00', 'Europe/Madrid', '2026-03-29T01:00:00.000Z'],
  ['2026-10-25T01:59', 'Europe/Madrid', '2026-10-24T23:59:00.000Z'],
  ['2026-10-25T02:30', 'Europe/Madrid', '2026-10-25T00:30:00.000Z'],
  ['2026-10-25T03:00', 'Europe/Madrid', '2026-10-25T02:00:00.000Z'],
];

for (const [text, zone, instant] of typed)
  test(`${text} in ${zone} is ${instant}`, () => assert.equal(instantOf(text, zone), instant));

test('what is no moment stays as it was typed: the service says so at its field', () => {
  for (const text of ['202662-01-01T00:00', 'mañana']) assert.equal(instantOf(text, 'Europe/Madrid'), text);
});

test('a clock shows the day of its zone', () => {
  const at = Date.parse('2026-12-31T23:30:05.000Z');
  assert.equal(clockTextOf(at, 'Europe/Madrid'), '2027-01-01T00:30:05');
  assert.equal(clockTextOf(at, 'Atlantic/Canary'), '2026-12-31T23:30:05');
});

/** From half past midnight of 1 January in Madrid, when it is still 31 December in the Canary Islands. */
const distances: [instant: string, zone: string, es: string][] = [
  ['2026-12-31T23:00:00.000Z', 'Europe/Madrid', 'hace 30 minutos'],
  ['2026-12-31T00:30:00.000Z', 'Europe/Madrid', 'hace 23 horas'],
  ['2026-12-30T23:30:00.000Z', 'Europe/Madrid', 'ayer'],
  ['2026-12-30T22:30:00.000Z', 'Europe/Madrid', 'anteayer'],
  ['2026-12-30T22:30:00.000Z', 'Atlantic/Canary', 'ayer'],
  ['2027-01-02T22:30:00.000Z', 'Europe/Madrid', 'mañana'],
  ['2027-01-02T22:30:00.000Z', 'Atlantic/Canary', 'pasado mañana'],
  ['2027-01-31T23:30:00.000Z', 'Europe/Madrid', 'dentro de 31 días'],
];

for (const [instant, zone, es] of distances)
  test(`${instant} is ${es} in ${zone}`, () =>
    assert.equal(formatDistance(instant, 'es', zone, Date.parse('2026-12-31T23:30:00.000Z')), es));
