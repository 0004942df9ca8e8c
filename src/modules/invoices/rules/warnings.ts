/** What the answer of an issue warns of. It stops nothing. */
import { addressTexts, addressWarningCodes } from './addresses.ts';
import type { InvoiceRow } from '../invoices.rows.ts';
import type { Cents } from '../../../domain/money/amount.ts';
import { printedToCents } from '../../../domain/money/printed.ts';

export const correctiveWarningCodes = [...addressWarningCodes, 'original_overcorrected'] as const;
export type InvoiceWarning = (typeof correctiveWarningCodes)[number];

const texts: Readonly<Record<InvoiceWarning, string>> = {
  ...addressTexts,
  original_overcorrected:
    'Las rectificativas por diferencias deshacen más de lo que se facturó en la original: revise las anteriores, y anule la que sobre.',
};

/**
 * An invoice's correctives by differences took more from it than it has: what is invoiced turned its sign.
 * @param invoiced by the invoice and these, also what of it stays owed (ADR 103)
 */
export function isOvercorrected(original: Pick<InvoiceRow, 'amount_due'>, invoiced: Cents): boolean {
  return printedToCents(original.amount_due) < 0n ? invoiced > 0n : invoiced < 0n;
}

/** @param place of the invoice among several, such as `invoices.3` */
export type Warned = { codes: readonly InvoiceWarning[]; place?: string };

/** Root members of an answer, only when there are any. */
export function warningMembers(all: readonly Warned[]): { warnings?: string[]; warning_codes?: string[] } {
  const warnings = all.flatMap(({ codes, place }) =>
    codes.map((code) => (place === undefined ? texts[code] : `${place}: ${texts[code]}`)),
  );
  if (warnings.length === 0) return {};
  return { warnings, warning_codes: [...new Set(all.flatMap(({ codes }) => codes))] };
}
