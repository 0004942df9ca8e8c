/** Fiscal days are days of the company, and instants are shown in its zone: a day of a list is the day of its papers. */
import type { Language } from '../app/words.ts';
import { locales, once } from './formats.ts';

const dayFormat = once(
  (language) => new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' }),
);
const instantFormat = once(
  (language, timeZone) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short', timeZone }),
);
const exactFormat = once(
  (language, timeZone) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long', timeZone }),
);
const hourFormat = once(
  (language, timeZone) => new Intl.DateTimeFormat(language, { hour: '2-digit', minute: '2-digit', timeZone }),
);
const distanceFormat = once((language) => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }));

/** @param day YYYY-MM-DD, which no zone moves */
export function formatDay(day: string, language: Language): string {
  return dayFormat(locales[language]).format(new Date(`${day}T00:00:00Z`));
}

/** In the zone of the company. */
export function formatInstant(instant: string, language: Language, timeZone: string): string {
  return instantFormat(locales[language], timeZone).format(new Date(instant));
}

/** Of a day, in the zone of the company. */
export function formatHour(start: number, language: Language, timeZone: string): string {
  return hourFormat(locales[language], timeZone).format(start);
}

/** With seconds and the zone. */
export function formatExactly(instant: string, language: Language, timeZone: string): string {
  return exactFormat(locales[language], timeZone).format(new Date(instant));
}

const clockFormat = once(
  // Its texts are those of ISO 8601, but for the blank.
  (language, timeZone) =>
    new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'medium', timeZone }),
);

/** What the clocks of the zone show, as a field of date and time holds it. */
export function clockTextOf(instant: number, timeZone: string): string {
  return clockFormat('sv-SE', timeZone).format(instant).replace(' ', 'T');
}

/** Of a field of date and time: without an end, browsers take years of six figures. */
export const lastMoment = '9999-12-31T23:59';

const half_day_ms = 43_200_000;

/**
 * When the clocks of the zone show what was typed in a field of date and time: the first time of an hour that comes twice, and
 * an hour later where one is left out. What is no moment stays as it is, and the service says so at its field.
 */
export function instantOf(typed: string, timeZone: string): string {
  const shown = Date.parse(`${typed}Z`);
  if (Number.isNaN(shown)) return typed;
  const aheadAt = (instant: number) => Date.parse(`${clockTextOf(instant, timeZone)}Z`) - instant;
  const tries = [-half_day_ms, half_day_ms].map((far) => shown - aheadAt(shown + far));
  const found = tries.find((instant) => instant + aheadAt(instant) === shown) ?? tries[0]!;
  return new Date(found).toISOString();
}

const milliseconds = once(
  (language) =>
    new Intl.NumberFormat(language, { style: 'unit', unit: 'millisecond', maximumFractionDigits: 1 }),
);

export function formatMilliseconds(ms: number, language: Language): string {
  return milliseconds(locales[language]).format(ms);
}

const day_ms = 86_400_000;
const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** In days of the zone: what was 25 hours ago may be of the day before yesterday. */
function daysTo(instant: string, timeZone: string, now: number): number {
  const dayOf = (at: number) => Date.parse(`${clockTextOf(at, timeZone).slice(0, 10)}T00:00:00Z`);
  return (dayOf(Date.parse(instant)) - dayOf(now)) / day_ms;
}

/** "hace 3 horas", "in 2 days", "ayer". */
export function formatDistance(
  instant: string,
  language: Language,
  timeZone: string,
  now = Date.now(),
): string {
  const distance = Date.parse(instant) - now;
  const format = distanceFormat(locales[language]);
  if (Math.abs(distance) >= day_ms) return format.format(daysTo(instant, timeZone, now), 'day');
  const [unit, size] = steps.find(([, ms]) => Math.abs(distance) >= ms) ?? (['minute', 60_000] as const);
  return format.format(Math.trunc(distance / size), unit);
}
