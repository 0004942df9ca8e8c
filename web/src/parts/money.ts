/** Amounts as people read and type them. The service does the sums; here is only text. */
import type { Language } from '../app/words.ts';
import { locales, once } from './formats.ts';

// Spanish leaves four digits without a mark unless it is told to; paper, pages and e-mails have it (`domain/printing/numbers.ts`).
const moneyFormat = once(
  (language, currency) =>
    new Intl.NumberFormat(language, { style: 'currency', currency, useGrouping: 'always' }),
);
const numberFormat = once(
  (language) => new Intl.NumberFormat(language, { maximumFractionDigits: 12, useGrouping: 'always' }),
);

/** Spanish writes a space before the sign, English none. */
const percentFormat = once(
  (language) =>
    new Intl.NumberFormat(language, { style: 'unit', unit: 'percent', maximumFractionDigits: 12 }),
);

export function formatMoney(amount: number, language: Language, currency = 'EUR'): string {
  return moneyFormat(locales[language], currency).format(amount);
}

/** Such as €, US$ or CHF. */
export function currencySign(currency: string, language: Language): string {
  const parts = moneyFormat(locales[language], currency).formatToParts(0);
  return parts.find(({ type }) => type === 'currency')?.value ?? currency;
}

export function formatNumber(value: number, language: Language): string {
  return numberFormat(locales[language]).format(value);
}

/** @param percent 21 is 21 % */
export function formatPercent(percent: number, language: Language): string {
  return percentFormat(locales[language]).format(percent);
}

/**
 * What was typed, as a number's text: `1.234,56`, `1234,56` and `1234.56` are all 1234.56. Where it has one mark alone,
 * followed by three digits, the language decides: `1.234` is a thousand in Spanish. The first group never begins with 0:
 * `0.125` is an eighth in both.
 * @returns null when it is no amount
 */
export function readAmount(typed: string, language: Language): string | null {
  const text = withoutBlanks(typed);
  if (!/^-?[\d.,]{1,40}$/.test(text) || !/\d/.test(text)) return null;
  const mark = decimalMark(text, language);
  const [whole = '', fraction = '', ...more] = mark === null ? [text] : text.split(mark);
  if (more.length > 0 || /[.,]/.test(fraction)) return null;
  const digits = ungrouped(whole, mark);
  if (digits === null) return null;
  return fraction === '' ? digits : `${digits}.${fraction}`;
}

/** Blanks around the number, its sign and its currency are none of it, and those between groups of three neither. Other ones part two numbers. */
function withoutBlanks(typed: string): string {
  const text = typed
    .replaceAll('€', ' ')
    .trim()
    .replace(/^[−-]\s*/, '-');
  return /^-?[1-9]\d{0,2}(?:[ \u00a0\u2009\u202f]\d{3})+(?:[.,]\d*)?$/.test(text)
    ? text.replace(/\s/g, '')
    : text;
}

function decimalMark(text: string, language: Language): ',' | '.' | null {
  const [comma, dot] = [text.lastIndexOf(','), text.lastIndexOf('.')];
  if (comma >= 0 && dot >= 0) return comma > dot ? ',' : '.';
  const only = comma >= 0 ? ',' : dot >= 0 ? '.' : null;
  if (only === null) return null;
  if (text.indexOf(only) !== text.lastIndexOf(only)) return null;
  const groups = language === 'es' ? '.' : ',';
  return only === groups && /^-?[1-9]\d{0,2}[.,]\d{3}$/.test(text) ? null : only;
}

/** Groups of three, all with the same mark, or none at all. The first may be shorter, and never begins with 0. */
function ungrouped(whole: string, decimal: string | null): string | null {
  if (/^-?\d*$/.test(whole)) return /\d/.test(whole) ? whole : `${whole}0`;
  const marks = decimal === ',' ? '\\.' : decimal === '.' ? ',' : '[.,]';
  if (!new RegExp(`^-?[1-9]\\d{0,2}(${marks})\\d{3}(\\1\\d{3})*$`).test(whole)) return null;
  return whole.replace(/[.,]/g, '');
}
