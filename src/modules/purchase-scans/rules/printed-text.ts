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
  /^[^\S\n]{0,8}(?:datos del )?(?:(cliente|(?:client|customer)(?! (?:service|support|care|number|no|id|code|ref)\b)|destinatario|receptor|comprador|adquirente|factura(?:r|do) a|bill to)|(?:emiss?or|issuer|proveedor|vendedor))\b/gim;
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

/** By the first three letters: in Spanish, Catalan, Galician, English and Basque. */
const months: ReadonlyMap<string, number> = new Map(
  [
    'ene gen xan jan urt',
    'feb ots',
    'mar',
    'abr apr api',
    'may mai',
    'jun xuñ eka',
    'jul xul uzt',
    'ago aug abu',
    'sep set ira',
    'oct out urr',
    'nov aza',
    'dic des dec abe',
  ].flatMap((names, at) => names.split(' ').map((name) => [name, at + 1] as const)),
);
const monthName =
  'ene(?:ro)?|gen(?:er)?|xan(?:eiro)?|jan(?:uary)?|feb(?:rero?|reiro|ruary)?|mar(?:zo|ç|ch)?|abr(?:il)?|apr(?:il)?|' +
  'mayo?|mai[go]|jun(?:io|y|e)?|xuño?|jul(?:iol?|y)?|xul(?:lo)?|ago(?:sto?)?|aug(?:ust)?|' +
  'sept?(?:iembre|ember)?|set(?:embr[eo])?|oct(?:ubre|ober)?|out(?:ubro)?|nov(?:iembre|embr[eo]|ember)?|' +
  'dic(?:iembre)?|des(?:embre)?|dec(?:embr[oe]|ember)?';
const basqueMonth =
  '(?:urtarril|otsail|martxo|apiril|maiatz|ekain|uztail|abuztu|irail|urri|azaro|abendu)aren';

const dayForms = [
  '(?<y1>\\d{4})-(?<m1>\\d{2})-(?<d1>\\d{2})',
  // As Basque papers write it. Without its name it may be a number, too.
  '(?<=(?:fecha|data|date)[^\\n\\d]{0,20})(?<y2>\\d{4})/(?<m2>\\d{2})/(?<d2>\\d{2})',
  '(?<d3>\\d{1,2})[/.-](?<m3>\\d{1,2})[/.-](?<y3>\\d{4}|\\d{2})',
  // `1 set 24 piezas` is no day.
  `(?<d4>\\d{1,2})(?:st|nd|rd|th)?(?: de | d['’]|[ \u00a0/-])(?!(?:set|out)[ \u00a0]\\d{2}(?!\\d))(?<m4>${monthName})\\.?(?: del? |,? |[\u00a0/-])(?<y4>\\d{4}|\\d{2})`,
  `(?<!\\p{L})(?<m5>${monthName})\\.? (?<d5>\\d{1,2})(?:st|nd|rd|th)?,? (?<y5>\\d{4})`,
  `(?<y6>\\d{4})(?:e?ko) (?<m6>${basqueMonth}) (?<d6>\\d{1,2})(?:e?an?)?(?!\\p{L})`,
];
const dayPattern = new RegExp(`(?<![\\d/.-])(?:${dayForms.join('|')})(?![\\d%]|[/.,-]\\d| ?%)`, 'giu');

const wholeYear = (year: string) => (year.length === 2 ? `20${year}` : year);

const monthOf = (text: string) => String(months.get(text.slice(0, 3).toLowerCase()) ?? text);

/** Of numbers, the day comes before the month, as everywhere in Spain. */
export function days(text: string): Found<string>[] {
  return find(text, dayPattern, ({ groups = {} }) => {
    const partOf = (name: string) => dayForms.flatMap((_, at) => groups[`${name}${at + 1}`] ?? []).join('');
    const [year, month, date] = [wholeYear(partOf('y')), monthOf(partOf('m')), partOf('d')];
    const day = `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
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
