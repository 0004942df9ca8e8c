/** Fiscal days are days of the company; instants are shown in the reader's own zone. */
import type { Language } from '../app/words.ts';

const locales: Record<Language, string> = { es: 'es-ES', en: 'en-GB' };

/** @param day YYYY-MM-DD, which no zone moves */
export function formatDay(day: string, language: Language): string {
  return new Intl.DateTimeFormat(locales[language], { dateStyle: 'medium', timeZone: 'UTC' }).format(
    new Date(`${day}T00:00:00Z`),
  );
}

export function formatInstant(instant: string, language: Language): string {
  return new Intl.DateTimeFormat(locales[language], { dateStyle: 'medium', timeStyle: 'short' }).format(
    new Date(instant),
  );
}

/** With seconds, and in the zone of the company. */
export function formatExactly(instant: string, language: Language, timeZone: string): string {
  return new Intl.DateTimeFormat(locales[language], {
    dateStyle: 'full',
    timeStyle: 'long',
    timeZone,
  }).format(new Date(instant));
}

const steps: [Intl.RelativeTimeFormatUnit, number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
];

/** "hace 3 horas", "in 2 days". */
export function formatDistance(instant: string, language: Language, now = Date.now()): string {
  const distance = Date.parse(instant) - now;
  const [unit, size] = steps.find(([, ms]) => Math.abs(distance) >= ms) ?? (['minute', 60_000] as const);
  return new Intl.RelativeTimeFormat(locales[language], { numeric: 'auto' }).format(
    Math.trunc(distance / size),
    unit,
  );
}
