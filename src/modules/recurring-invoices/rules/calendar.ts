/**
 * Days of a recurrence, and the words in braces that each invoice fills in for its period: `Alquiler de {month_name} de {year}`.
 * Occurrence k is counted from the first day, never from the one before, so a 31st returns after a short month.
 */
import { addDays, hourIn } from '../../../kernel/dates.ts';
import { dayText } from '../../../domain/printing/days.ts';
import type { PrintedLanguage } from '../../../domain/printing/printed-document.ts';

export const frequencies = ['daily', 'weekly', 'monthly', 'quarterly', 'yearly'] as const;
export type Frequency = (typeof frequencies)[number];

export type Calendar = { starts_on: string; frequency: Frequency; interval: number };

const stepDays: Partial<Record<Frequency, number>> = { daily: 1, weekly: 7 };
const stepMonths: Partial<Record<Frequency, number>> = { monthly: 1, quarterly: 3, yearly: 12 };

/** Company time. No change of the clocks touches this hour. */
const runHour = 6;

/** `isCalendarDay` knows no later day. */
const lastDay = '2199-12-31';

function monthsLater(day: string, months: number): string {
  const [year = 0, month = 0, date = 0] = day.split('-').map(Number);
  const counted = year * 12 + (month - 1) + months;
  const to_year = Math.floor(counted / 12);
  const to_month = counted % 12;
  const month_end = new Date(Date.UTC(to_year, to_month + 1, 0)).getUTCDate();
  return new Date(Date.UTC(to_year, to_month, Math.min(date, month_end))).toISOString().slice(0, 10);
}

/** From one day to the next. */
export function stepOf({ frequency, interval }: Omit<Calendar, 'starts_on'>): {
  days: number;
  months: number;
} {
  return { days: (stepDays[frequency] ?? 0) * interval, months: (stepMonths[frequency] ?? 0) * interval };
}

/** @param index from 0 */
export function occurrenceOn(calendar: Calendar, index: number): string {
  const { days, months } = stepOf(calendar);
  if (months === 0) return addDays(calendar.starts_on, index * days);
  return monthsLater(calendar.starts_on, index * months);
}

const daysBetween = (from: string, to: string) =>
  Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000);

/** The longest a step can be, so that the search begins at or before the answer. */
const stepDaysMax: Record<Frequency, number> = {
  daily: 1,
  weekly: 7,
  monthly: 31,
  quarterly: 92,
  yearly: 366,
};

/** The first index whose day is not before `day`. */
export function firstIndexFrom(calendar: Calendar, day: string): number {
  const { starts_on, frequency, interval } = calendar;
  if (day <= starts_on) return 0;
  let index = Math.max(0, Math.floor(daysBetween(starts_on, day) / (stepDaysMax[frequency] * interval)) - 1);
  while (occurrenceOn(calendar, index) < day) index += 1;
  return index;
}

export type Limits = { ends_on: string | null; max_occurrences: number | null };

/** The day of the index, or null when the limits leave none. @param made invoices made so far */
export function dayWithin(
  calendar: Calendar,
  { ends_on, max_occurrences }: Limits,
  index: number,
  made: number,
): string | null {
  if (max_occurrences !== null && made >= max_occurrences) return null;
  const day = occurrenceOn(calendar, index);
  return day > (ends_on ?? lastDay) || day > lastDay ? null : day;
}

/** The next days, one invoice for each. */
export function upcomingDays(
  calendar: Calendar,
  limits: Limits,
  from: { index: number; made: number },
  count: number,
): string[] {
  const days: string[] = [];
  while (days.length < count) {
    const day = dayWithin(calendar, limits, from.index + days.length, from.made + days.length);
    if (day === null) break;
    days.push(day);
  }
  return days;
}

export function runTime(time_zone: string, day: string): Date {
  return hourIn(time_zone, day, runHour);
}

/** From the occurrence to the day before the next one, whatever the limits. */
export function periodOf(calendar: Calendar, index: number): { start: string; end: string } {
  return { start: occurrenceOn(calendar, index), end: addDays(occurrenceOn(calendar, index + 1), -1) };
}

type Period = { start: string; end: string };
type Writer = (period: Period, language: PrintedLanguage) => string;

const monthOf = ({ start }: Period) => Number(start.slice(5, 7));

/** Made once: a text may name its month a hundred times, and to ask for a name takes a tenth of a millisecond. */
const monthNames = new Map<string, string>();

function monthName(period: Period, language: PrintedLanguage): string {
  const month = monthOf(period);
  const key = `${language} ${month}`;
  let name = monthNames.get(key);
  if (name === undefined) {
    const day = new Date(Date.UTC(2000, month - 1, 15));
    name = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' }).format(day);
    monthNames.set(key, name);
  }
  return name;
}

const writers: Readonly<Record<string, Writer>> = {
  month: ({ start }) => start.slice(5, 7),
  month_name: monthName,
  quarter: (period) => String(Math.ceil(monthOf(period) / 3)),
  year: ({ start }) => start.slice(0, 4),
  period_start: ({ start }, language) => dayText(start, language),
  period_end: ({ end }, language) => dayText(end, language),
};

export const tokenNames = Object.keys(writers);

const inBraces = /\{([^{}]*)\}/g;

/** The first word in braces that means nothing. */
export function unknownToken(text: string | null | undefined): string | undefined {
  for (const [token, name = ''] of (text ?? '').matchAll(inBraces))
    if (!Object.hasOwn(writers, name)) return token;
  return undefined;
}

/** A filled token is never longer than the token, so every text still fits. */
export function fillTokens(text: string, period: Period, language: PrintedLanguage): string {
  return text.replace(inBraces, (token, name: string) =>
    Object.hasOwn(writers, name) ? writers[name]!(period, language) : token,
  );
}
