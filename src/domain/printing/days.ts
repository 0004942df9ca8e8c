/**
 * `21/11/2026`; in Basque, year first. English names the month, because countries read `03/04/2026`
 * differently.
 */
import type { PrintedLanguage } from './printed-document.ts';

const englishMonths = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

type Writer = (year: string, month: string, day: string) => string;

const numeric: Writer = (year, month, day) => `${day}/${month}/${year}`;

const writers: Record<PrintedLanguage, Writer> = {
  es: numeric,
  ca: numeric,
  gl: numeric,
  eu: (year, month, day) => `${year}/${month}/${day}`,
  en: (year, month, day) => `${Number(day)}\u00a0${englishMonths[Number(month) - 1]}\u00a0${year}`,
};

/** @param day YYYY-MM-DD */
export function dayText(day: string, language: PrintedLanguage): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return writers[language](year, month, date);
}
