/** Finds the rows of taxes that a text states: those that give its total, if only one choice does. */
import {
  type Amount,
  amountLimits,
  type Cents,
  parseAmount,
  roundTotal,
} from '../../../domain/money/amount.ts';
import { amounts, type Found, rates } from './printed-text.ts';
import { centsText, type ReadTax, type ReadTaxKind } from './read-purchase.ts';
import { sameLineBefore, sameLineBehind } from './same-line.ts';

/** The breakdown stands behind the lines. */
const amountsMax = 400;
const ratesMax = 6;
const rowsMax = 12;
/** A text with more possible choices counts as unreadable. */
const waysMax = 20_000;
/** A row's tax is at most so many amounts away. */
const near = 6;

type Row = { rate: string; base: Cents; tax: Cents };
export type TaxRows = { taxes: readonly ReadTax[]; retention_rate: string | null; total: Cents };

const rateAmount = (rate: string): Amount => parseAmount(rate, amountLimits.rate)!;

/** @param totals what the whole may be: with the taxes, or less a retention */
export function findTaxRows(text: string, totals: readonly Cents[]): TaxRows | undefined {
  const found = amounts(text)
    .slice(-amountsMax)
    .map(({ value }) => value);
  // What is withheld is taken off, whatever its sign.
  const unsigned = amounts(text, true)
    .slice(-amountsMax)
    .map(({ value }) => value);
  const stated = rates(text);
  const kept = stated.filter((rate) => !isOfGuarantee(text, rate));
  const retentions = distinct(kept.filter((rate) => isRetention(text, rate)));
  const taxed = distinct(kept.filter((rate) => !isRetention(text, rate) && Number(rate.value) > 0));
  if (taxed.length > ratesMax || retentions.length > 1) return undefined;
  const [retention = null] = retentions;
  const is_retained = retentions.some((rate) => Number(rate) > 0) || statesAmount(text, isRetentionLine);
  const kind = kindOf(text);
  if (kind === undefined || statesAmount(text, isSurchargeLine)) return undefined;
  const ways = (off: Cents) =>
    waysOf(
      taxed.map((rate) => rowsOf(rate, found, off)),
      { totals, unsigned, retention, is_retained, kind },
    );
  const exact = ways(0n);
  // Of a price with its tax the base is rounded, and the tax is what is left of it.
  const [only, ...others] = exact.length > 0 ? exact : ways(1n);
  return others.length === 0 ? only : undefined;
}

type Stated = {
  totals: readonly Cents[];
  unsigned: readonly Cents[];
  retention: string | null;
  is_retained: boolean;
  kind: ReadTaxKind;
};

/** Each choice of rows that gives a total, with what is withheld of it. None where there are too many to look at. */
function waysOf(
  rows: readonly (readonly Row[])[],
  { totals, unsigned, retention, is_retained, kind }: Stated,
): TaxRows[] {
  if (rows.reduce((count, { length }) => count * (length + 1), 1) > waysMax) return [];
  const ways = new Map<string, TaxRows>();
  for (const way of choices(rows)) {
    if (way.length === 0) continue;
    const base = way.reduce((sum, row) => sum + row.base, 0n);
    const total = way.reduce((sum, row) => sum + row.tax, base);
    const withheld = retention === null ? null : roundTotal(base, rateAmount(retention));
    const is_withheld =
      withheld !== null && withheld !== 0n && unsigned.some((one) => one === withheld || one === -withheld);
    // What is withheld of something else would be paid to the supplier.
    if (is_retained && !is_withheld) continue;
    if (!totals.includes(total) && !(is_withheld && totals.includes(total - withheld))) continue;
    const taxes = way.map((row) => ({
      tax_kind: kind,
      tax_rate: row.rate,
      base: centsText(row.base),
      tax: centsText(row.tax),
    }));
    ways.set(JSON.stringify(taxes), { taxes, retention_rate: is_withheld ? retention : null, total });
  }
  return [...ways.values()];
}

const distinct = (found: readonly Found<string>[]) => [...new Set(found.map(({ value }) => value))];

const retentionWord =
  /i\.?r\.?p\.?f|retenci|retenid|\bret[. ]|impuesto sobre la renta|withh[eo]ld|atxikipen|pfez/i;
const amountAlone = /^[-\u2212\u2013]?[^\S\n]?[\d.,]{1,16}[^\S\n]?(?:€|EUR)?-?$/;

/** What a client of works keeps back until they are accepted is owed, and no tax. */
const guaranteePattern =
  /ret(?:enci[óo]n|\.) (?:(?:por|de|en) )?(?:\(?\d{1,2}(?:[.,]\d{1,2})? ?%\)? )?(?:(?:por|de|en) )?(?:garant|buena ejec)/i;
const isRetentionLine = (line: string) => retentionWord.test(line) && !guaranteePattern.test(line);

/** `R.E.` is also a reference, but before one of its rates. */
const surchargeName =
  /rec(?:argo|\.)? ?(?:de )?equiv|(?<![\p{L}.])R\.?E\.?[^\S\n]?:?[^\S\n]?\(?(?:5[.,]20?|1[.,]40?|1[.,]75|0[.,]50?|0[.,]62) ?%/iu;
const isSurchargeLine = (line: string) => surchargeName.test(line);

/** Whether an amount that is not zero stands in a line of what is asked for, or alone in the line below its name. */
function statesAmount(text: string, isIn: (line: string) => boolean): boolean {
  const lines = text.split('\n');
  return lines.some((line, at) => {
    if (!isIn(line)) return false;
    const below = lines[at + 1]?.trim() ?? '';
    const stated = amounts(amountAlone.test(below) ? `${line}\n${below}` : line, true);
    return stated.some(({ value }) => value !== 0n);
  });
}

const isOfGuarantee = (text: string, { at }: Found<string>) =>
  guaranteePattern.test(sameLineBefore(text, at, 60) + sameLineBehind(text, at, 40));

const isRetention = (text: string, { at, end }: Found<string>) =>
  retentionWord.test(`${sameLineBefore(text, at, 24)} ${sameLineBehind(text, end, 12)}`);

const taxNames: readonly (readonly [ReadTaxKind, string])[] = [
  ['vat', 'I\\.?V\\.?A\\b'],
  ['igic', '(?:I\\.?G\\.?I\\.?C\\b|Impuesto General Indirecto Canario\\b)'],
  ['ipsi', 'I\\.?P\\.?S\\.?I\\b'],
];

/** The one that is named, or that stands before a rate where others are named too. Undefined where that is none or several. */
function kindOf(text: string): ReadTaxKind | undefined {
  const kindsBy = (behind: string) =>
    taxNames.filter(([, name]) => new RegExp(`\\b${name}${behind}`, 'i').test(text)).map(([kind]) => kind);
  const named = kindsBy('');
  if (named.length <= 1) return named[0] ?? 'vat';
  const rated = kindsBy('[^\\n\\d%]{0,12}(?:\\d{1,2}(?:[.,]\\d{1,2})?[^\\S\\n]?%|%[^\\S\\n]?\\d)');
  return rated.length === 1 ? rated[0] : undefined;
}

/** @param off so far may a tax be from that of its base */
function rowsOf(rate: string, found: readonly Cents[], off: Cents): Row[] {
  const amount = rateAmount(rate);
  const rows = new Map<string, Row>();
  found.forEach((base, at) => {
    if (base === 0n) return;
    const exact = roundTotal(base, amount);
    for (const tax of found.slice(Math.max(0, at - near), at + near + 1)) {
      const is_near = tax !== 0n && tax >= exact - off && tax <= exact + off;
      if (tax === exact || is_near) rows.set(`${base} ${tax}`, { rate, base, tax });
    }
  });
  return [...rows.values()].slice(0, rowsMax);
}

/** Every choice of one row or none of each rate. */
function* choices(rows: readonly (readonly Row[])[]): Generator<Row[]> {
  const [first, ...rest] = rows;
  if (first === undefined) {
    yield [];
    return;
  }
  for (const tail of choices(rest)) {
    yield tail;
    for (const row of first) yield [row, ...tail];
  }
}
