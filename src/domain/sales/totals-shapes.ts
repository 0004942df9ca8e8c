/**
 * The shapes of a document's amounts, going in and coming out (decisions, sections 3 and 4). Percentages and
 * factors are exact amounts, results are cents; texts and JSON are left to the modules that present them.
 */
import type { Amount, Cents } from '../money/amount.ts';
import type { Qualification } from '../tax/record-codes.ts';
import type { TaxKind } from '../tax/spanish-taxes.ts';

/** What the totals need of a line. Quantities and prices may be negative, as correctives have them. */
export type TotalsLine = {
  readonly quantity: Amount;
  readonly unit_price: Amount;
  readonly discount_percent: Amount | null;
  readonly tax_kind: TaxKind;
  /** null when not subject or exempt: no rate and no tax; then a surcharge does not count either. */
  readonly tax_rate: Amount | null;
  /** A surcharge of 0 is no surcharge, as the authority refuses that pair. */
  readonly surcharge_rate: Amount | null;
  readonly retention_rate: Amount | null;
  readonly qualification: Qualification | null;
  readonly exemption_reason: string | null;
  readonly regime_key: string | null;
};

export type TotalsOptions = {
  /** Each unit price is the final one, tax included. */
  readonly prices_include_tax: boolean;
};

/** A line's own amounts; `total` is subtotal + taxes + surcharge, the retention apart. */
export type LineTotals = { subtotal: Cents; taxes: Cents; surcharge: Cents; retention: Cents; total: Cents };

/** One row of `tax_breakdown`: one group of the authority's record. */
export type BreakdownRow = {
  tax_kind: TaxKind;
  regime_key: string | null;
  qualification: Qualification | null;
  exemption_reason: string | null;
  tax_rate: Amount | null;
  surcharge_rate: Amount | null;
  base: Cents;
  tax: Cents;
  surcharge: Cents;
};

/** `total` is what the record and the QR carry; `amount_due` is what is left to pay after the retention. */
export type Totals = {
  lines: LineTotals[];
  tax_breakdown: BreakdownRow[];
  subtotal: Cents;
  discount_total: Cents;
  taxes_total: Cents;
  surcharge_total: Cents;
  retention_total: Cents;
  total: Cents;
  amount_due: Cents;
};
