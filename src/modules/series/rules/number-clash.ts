/**
 * Whether two series could ever give the same number. Invoices of a company may not share one: the authority
 * identifies an invoice by issuer, number and date (RD 1619/2012, art. 6.1.a). Other documents need only
 * differ within their kind.
 */
import { invoiceSeriesKinds, type SeriesKind } from '../../../domain/sales/default-series.ts';
import { type FormatPart, type FormatParts, NUMBER_DIGITS_MAX } from '../../../domain/series-format.ts';

const invoiceKinds: readonly SeriesKind[] = invoiceSeriesKinds;

/** The kind itself included. */
export function kindsSharingNumbers(kind: SeriesKind): readonly SeriesKind[] {
  return invoiceKinds.includes(kind) ? invoiceKinds : [kind];
}

type Place = { readonly characters: string; readonly optional: boolean };

const digit: Place = { characters: '0123456789', optional: false };

const literal = (text: string): Place[] => [...text].map((characters) => ({ characters, optional: false }));

function placesOf(part: FormatPart, code: string): Place[] {
  switch (part.kind) {
    case 'literal':
      return literal(part.text);
    case 'code':
      return literal(code);
    case 'year':
      return [{ characters: '12', optional: false }, digit, digit, digit];
    case 'yy':
      return [digit, digit];
    case 'month':
      return [{ characters: '01', optional: false }, digit];
    case 'number':
      return Array.from({ length: NUMBER_DIGITS_MAX }, (_, at) => ({ ...digit, optional: at >= part.width }));
  }
}

type Numbering = { readonly code: string; readonly parts: FormatParts };

/**
 * Days and counters that will never be reached count too: better to refuse a format than to give a number
 * twice.
 */
export function numbersClash(a: Numbering, b: Numbering): boolean {
  const left = a.parts.flatMap((part) => placesOf(part, a.code));
  const right = b.parts.flatMap((part) => placesOf(part, b.code));
  // Pairs of positions up to which both can have the same text.
  const width = right.length + 1;
  const reached = new Set<number>([0]);
  for (const pair of reached) {
    const i = Math.floor(pair / width);
    const j = pair % width;
    const here = left[i];
    const there = right[j];
    if (!here && !there) return true;
    if (here?.optional) reached.add(pair + width);
    if (there?.optional) reached.add(pair + 1);
    if (here && there && [...here.characters].some((character) => there.characters.includes(character))) {
      reached.add(pair + width + 1);
    }
  }
  return false;
}
