/**
 * The authority's limits (12 integer digits, 2 decimals), and equality with the sum sent when prices include
 * tax. The caller chooses the answer.
 */
import type { Cents } from '../money/amount.ts';
import type { LineTotals, Totals, TotalsOptions } from './totals-shapes.ts';

const cents_max = 10n ** 14n - 1n;

const totalNames = [
  'total',
  'taxes_total',
  'subtotal',
  'discount_total',
  'surcharge_total',
  'retention_total',
  'amount_due',
] as const;

export type Overflow =
  | { readonly field: 'lines'; readonly line_index: number }
  | { readonly field: 'tax_breakdown' | (typeof totalNames)[number]; readonly line_index: null };

/** Within 12 integer digits. */
export function fits(cents: Cents): boolean {
  return cents <= cents_max && cents >= -cents_max;
}

/**
 * The first amount beyond 12 integer digits: of a line, else of a row, else a total. The record adds tax and
 * surcharge into one amount, so their sum must fit as `taxes_total`.
 */
export function amountsOverflow(totals: Totals): Overflow | undefined {
  for (let i = 0; i < totals.lines.length; i++) {
    const { subtotal, taxes, surcharge, retention, total } = totals.lines[i]!;
    if (!(fits(total) && fits(subtotal) && fits(taxes) && fits(surcharge) && fits(retention))) {
      return { field: 'lines', line_index: i };
    }
  }
  for (const { base, tax, surcharge } of totals.tax_breakdown) {
    if (!(fits(base) && fits(tax) && fits(surcharge))) return { field: 'tax_breakdown', line_index: null };
  }
  for (const field of totalNames) if (!fits(totals[field])) return { field, line_index: null };
  if (!fits(totals.taxes_total + totals.surcharge_total)) return { field: 'taxes_total', line_index: null };
  return undefined;
}

export type ReconciliationFault = {
  readonly error: 'amount_reconciliation_failed';
  readonly line_index: number;
  readonly field: 'surcharge_rate' | 'retention_rate';
};

/**
 * When prices include tax, a surcharge or retention would make the sum to pay differ from the sum sent.
 * @returns the first line with such an amount
 */
export function reconciliationFault(totals: Totals, options: TotalsOptions): ReconciliationFault | undefined {
  if (!options.prices_include_tax) return undefined;
  const surcharge_shifts = totals.surcharge_total !== 0n;
  const retention_shifts = totals.retention_total !== 0n;
  if (!surcharge_shifts && !retention_shifts) return undefined;
  const has_surcharge = (line: LineTotals) => surcharge_shifts && line.surcharge !== 0n;
  const line_index = totals.lines.findIndex(
    (line) => has_surcharge(line) || (retention_shifts && line.retention !== 0n),
  );
  const field = has_surcharge(totals.lines[line_index]!) ? 'surcharge_rate' : 'retention_rate';
  return { error: 'amount_reconciliation_failed', line_index, field };
}
