import type { Amount, Cents } from '../money/amount.ts';
import type { Qualification } from '../tax/record-codes.ts';
import type { PurchaseTaxKind } from '../tax/spanish-taxes.ts';

/** Correctives have negative quantities or prices. */
export type TotalsLine = {
  readonly quantity: Amount;
  readonly unit_price: Amount;
  readonly discount_percent: Amount | null;
  readonly tax_kind: PurchaseTaxKind;
  /** null when exempt or not subject: no tax, no surcharge. */
  readonly tax_rate: Amount | null;
  /** null for none. A line that says 0 has null here, because the authority refuses a surcharge of 0. */
  readonly surcharge_rate: Amount | null;
  readonly retention_rate: Amount | null;
  readonly qualification: Qualification | null;
  readonly exemption_reason: string | null;
  readonly regime_key: string | null;
  /** Where the document's prices are without tax. */
  readonly price_includes_tax?: boolean;
  /** Which lines are rounded together: those that say the same. All are when none says it. It makes no row of its own. */
  readonly rounded_with?: string | undefined;
};

export type TotalsOptions = {
  readonly prices_include_tax: boolean;
};

/** `total` is subtotal + taxes + surcharge, without the retention. */
export type LineTotals = { subtotal: Cents; taxes: Cents; surcharge: Cents; retention: Cents; total: Cents };

export type BreakdownRow = {
  tax_kind: PurchaseTaxKind;
  regime_key: string | null;
  qualification: Qualification | null;
  exemption_reason: string | null;
  tax_rate: Amount | null;
  surcharge_rate: Amount | null;
  base: Cents;
  tax: Cents;
  surcharge: Cents;
};

/** `total` goes into the record and the QR; `amount_due` is `total` less the retention. */
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
