/** Finds ids, days and amounts in the text of a page. Each is read exactly or not at all. */
import type { Cents } from '../../../domain/money/amount.ts';
import { parseSpanishTaxId } from '../../../domain/spain/tax-id.ts';
import { isCalendarDay } from '../../../kernel/dates.ts';
import { cents } from './read-purchase.ts';

/** With its place in the text. */
export type Found<T> = { value: T; at: number; end: number };

function find<T>(
  text: string,
  pattern: RegExp,
  read: (match: RegExpExecArray, at: number) => T | undefined,
): Found<T>[] {
  const found: Found<T>[] = [];
  for (const match of text.matchAll(pattern)) {
    const value = read(match, match.index);
    if (value !== undefined) found.push({ value, at: match.index, end: match.index + match[0].length });
  }
  return found;
}

/** Seven digits with dots between the thousands, as counted from the left or from the right. */
const dotted = '(?:\\d{2}\\.\\d{3}\\.\\d{2}|\\d\\.\\d{3}\\.\\d{3})';
const spellings = [
  '[A-Z][-. ]?\\d{7}[-. ]?[0-9A-J]',
  '[KLMXYZ][-. ]?\\d{7}[-. ]?[A-Z]',
  '\\d{8}[-. ]?[A-Z]',
  '\\d{2}\\.\\d{3}\\.\\d{3}[-. ]?[A-Z]',
  // An amount may stand behind the word `a`, and goes on.
  `(?:[A-Z][-. ]?${dotted}[-. ]?[0-9A-J]|[KLMXYZ][-. ]?${dotted}[-. ]?[A-Z])(?![.,]\\d)`,
];

/** Letters and digits of an id may be parted by dots, blanks or hyphens in the usual places. */
const idPattern = new RegExp(`(?<![A-Z0-9])(?:ES[-. ]?)?(?:${spellings.join('|')})(?![A-Z0-9])`, 'gi');

/** Spanish ones, valid by their checksum. */
export function taxIds(text: string): Found<string>[] {
  return find(text, idPattern, ([id]) => parseSpanishTaxId(id)?.value);
}

const rolePattern =
  /^[^\S\n]{0,8}(?:datos del )?(?:(cliente|destinatario|comprador|adquirente|factura(?:r|do) a|bill to)|(?:emisor|proveedor|vendedor))\b/gim;
/** An id stands so near behind its label. */
const labelNear = 200;

/** Only an issuer says where it is registered (Código de Comercio, art. 24), in a line with its id. */
const registeredLine = /^.*\bregistro mercantil\b.*$/gim;

function registeredIds(text: string): string[] {
  if (!/registro mercantil/i.test(text)) return [];
  return [...text.matchAll(registeredLine)].flatMap(([line]) => {
    const found = new Set(taxIds(line).map(({ value }) => value));
    return found.size === 1 ? [...found] : [];
  });
}

/** The id that follows a label of the buyer, and the one that follows a label of the issuer. Null where several do. */
export function labelledParties(
  text: string,
  ids: readonly Found<string>[],
): { buyer: string | null; issuer: string | null } {
  const [buyers, issuers] = [new Set<string>(), new Set(registeredIds(text))];
  for (const [i, { at, value }] of ids.entries()) {
    const begin = Math.max(0, at - labelNear, i === 0 ? 0 : ids[i - 1]!.end);
    const label = [...text.slice(begin, at).matchAll(rolePattern)].at(-1);
    if (label) (label[1] === undefined ? issuers : buyers).add(value);
  }
  const one = (found: ReadonlySet<string>) => (found.size === 1 ? [...found][0]! : null);
  const [buyer, issuer] = [one(buyers), one(issuers)];
  return { buyer, issuer: issuer === buyer ? null : issuer };
}

const months = ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sep', 'oct', 'nov', 'dic'];
const monthName =
  'ene(?:ro)?|feb(?:rero)?|mar(?:zo)?|abr(?:il)?|mayo?|jun(?:io)?|jul(?:io)?|ago(?:sto)?|sept?(?:iembre)?|oct(?:ubre)?|nov(?:iembre)?|dic(?:iembre)?';

const dayPattern = new RegExp(
  '(?<![\\d/.-])(?:(\\d{4})-(\\d{2})-(\\d{2})|(\\d{1,2})[/.-](\\d{1,2})[/.-](\\d{4}|\\d{2})|' +
    `(\\d{1,2})(?: de |[ /-])(${monthName})\\.?(?: del? |[ /-])(\\d{4}|\\d{2}))(?![\\d%]|[/.,-]\\d| ?%)`,
  'gi',
);

const wholeYear = (year: string) => (year.length === 2 ? `20${year}` : year);

/** The day comes before the month, as everywhere in Spain. */
export function days(text: string): Found<string>[] {
  return find(text, dayPattern, ([, y1, m1, d1, d2, m2, y2, d3, m3, y3]) => {
    const month = m1 ?? m2 ?? String(months.indexOf((m3 ?? '').slice(0, 3).toLowerCase()) + 1);
    const year = wholeYear(y1 ?? y2 ?? y3 ?? '');
    const day = `${year}-${month.padStart(2, '0')}-${(d1 ?? d2 ?? d3 ?? '').padStart(2, '0')}`;
    return isCalendarDay(day) ? day : undefined;
  });
}

/** Blanks of any width part thousands, and so does an apostrophe. */
const amountPattern =
  /(?<![\d.,/])(?:(\d{1,3}(?:[.\u00a0\u2007-\u200a\u202f\u2019' ]\d{3}){1,3}|\d{1,9}),(\d{2})|(\d{1,3}(?:,\d{3}){1,3}|\d{1,9})\.(\d{2}))(?![\d%]|[.,]\d| ?%)/g;

const dash = '[-\u2212\u2013]';
const currency = '(?:€|EUR)';
const blanks = '[^\\S\\n]';
/** Right before the number, or before its currency. */
const signBefore = new RegExp(`(?<![\\d.,/]|${dash})${dash}(?:${currency}${blanks}?)?$`);
/** As programs for accounts print a credit. */
const signBehind = new RegExp(`^(?:${blanks}?${currency})?${dash}(?![\\d\\p{L}])`, 'u');
const bracketBefore = new RegExp(`\\(${blanks}?${dash}?${currency}?${blanks}?$`);
const bracketBehind = new RegExp(`^${blanks}?${currency}?${blanks}?\\)`);
/** A sign of a sheet, a dash between a word and its amount, or a part of a code. */
const dashBefore = new RegExp(`${dash}${blanks}{0,12}${currency}?${blanks}{0,2}$`);
const dashBehind = new RegExp(`^(?:${blanks}?${currency})?${dash}`);
/** A sign stands so near. */
const signNear = 20;

/** 1 or -1, and undefined where what stands around may mean either. */
function signOf(before: string, behind: string): 1 | -1 | undefined {
  if (bracketBefore.test(before) && bracketBehind.test(behind)) return undefined;
  const [is_before, is_behind] = [signBefore.test(before), signBehind.test(behind)];
  if (is_before || is_behind) return is_before && is_behind ? undefined : -1;
  return dashBefore.test(before) || dashBehind.test(behind) ? undefined : 1;
}

/**
 * With two decimals, in the Spanish or the English way.
 * @param with_unsigned also those whose sign is in doubt, as positive ones
 */
export function amounts(text: string, with_unsigned = false): Found<Cents>[] {
  return find(text, amountPattern, ([all, w1, c1, w2, c2], at) => {
    const end = at + all.length;
    const sign = signOf(text.slice(Math.max(0, at - signNear), at), text.slice(end, end + signNear));
    if (sign === undefined && !with_unsigned) return undefined;
    const whole = (w1 ?? w2 ?? '').replace(/\D/g, '');
    return cents(`${sign === -1 ? '-' : ''}${whole.replace(/^0+(?=\d)/, '')}.${c1 ?? c2}`);
  });
}

/** The sign stands behind the number, and in Basque before it. */
const ratePattern =
  /(?<![\d.,])(\d{1,2})(?:[.,](\d{1,2}))?\s?%|%\s?(\d{1,2})(?:[.,](\d{1,2}))?(?![\d.,]*\d)/g;

/** As `21` or `5.2`. */
export function rates(text: string): Found<string>[] {
  return find(text, ratePattern, ([, w1, d1, w2, d2]) => {
    const decimals = (d1 ?? d2 ?? '').replace(/0+$/, '');
    return `${Number(w1 ?? w2)}${decimals === '' ? '' : `.${decimals}`}`;
  });
}
