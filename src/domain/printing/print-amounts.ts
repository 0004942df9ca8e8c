/**
 * The amounts of an invoice as its paper shows them, in cents. What differs from what is stored is only whether the tax
 * stands within an amount or beside it; the total is the same to the cent:
 * - A full invoice shows prices without tax (RD 1619/2012, art. 6.1.f), also one whose prices were agreed with it: then
 *   the price is the agreed one without its tax, with as few decimals as give the line's amount.
 * - A simplified one whose prices include tax shows what the customer pays for each line (art. 7.1), as a ticket does.
 * - Under the regime of used goods the tax may not be shown apart (LIVA, art. 138): it stays within the amounts, which
 *   are no tax base, and so in no breakdown.
 */
import {
  type Amount,
  amountLimits,
  amountText,
  parseAmount,
  powerOfTen,
  roundDiv,
  roundLine,
} from '../money/amount.ts';
import { printedToCents, trimZeros } from '../money/printed.ts';
import type { InvoiceBundle, InvoiceRow, LineRow, TaxRow } from '../../modules/invoices/invoices.rows.ts';
import { needsRecipient } from '../../modules/invoices/rules/invoice-types.ts';

export type LineAmounts = {
  line: LineRow;
  /** Exact decimal text. */
  unit_price: string;
  /** Tax included, where the column of prices is without it; else null. */
  agreed_price: string | null;
  amount: bigint;
  /** The tax is within the amount of this line alone, as its regime asks. */
  hides_tax: boolean;
};

export type RowAmounts = { row: TaxRow; base: bigint; tax: bigint; surcharge: bigint };

export type PrintedAmounts = {
  lines: readonly LineAmounts[];
  /** The breakdown: what has its tax apart. */
  rows: readonly RowAmounts[];
  /** What has its tax within, which may not be told from it. */
  within: bigint;
  /** The columns of price and amount have the tax within. */
  with_tax: boolean;
  /** Of the breakdown. */
  base: bigint;
  discount: bigint;
  taxes: bigint;
  surcharge: bigint;
};

type Regime = Pick<LineRow, 'tax_kind' | 'regime_key' | 'qualification'>;

/** Key 03 of VAT and IGIC. */
function hidesTax({ tax_kind, regime_key, qualification }: Regime): boolean {
  return regime_key === '03' && qualification === 'S1' && (tax_kind === 'vat' || tax_kind === 'igic');
}

/** Whether the lines of the paper are with their tax. */
function showsGross({ type, prices_include_tax }: Pick<InvoiceRow, 'type' | 'prices_include_tax'>): boolean {
  return prices_include_tax && !needsRecipient(type);
}

function read(text: string, limits: { decimals: number }): Amount {
  const amount = parseAmount(trimZeros(text), limits);
  if (!amount) throw new Error(`A stored number cannot be read: ${text}`);
  return amount;
}

const decimalsMost = 8;

/**
 * A price with its tax taken out or put in: with the fewest decimals with which quantity, price and discount give the
 * line's amount; with four where none does, as for a cent that the lines of a rate share.
 */
function convertedPrice(line: LineRow, to: 'net' | 'gross', amount: bigint): string {
  const price = read(line.unit_price, amountLimits.unit_price);
  const rate = read(line.tax_rate ?? '0', { decimals: 4 });
  const hundred = powerOfTen(rate.scale + 2);
  const whole = hundred + rate.units;
  const [n, d] = to === 'net' ? [hundred, whole] : [whole, hundred];
  const quantity = read(line.quantity, amountLimits.quantity);
  const discount = line.discount_percent === null ? null : read(line.discount_percent, { decimals: 4 });
  const withDecimals = (decimals: number): Amount => ({
    units: roundDiv(price.units * n * powerOfTen(decimals), d * powerOfTen(price.scale)),
    scale: decimals,
  });
  for (let decimals = 2; decimals <= decimalsMost; decimals++) {
    const candidate = withDecimals(decimals);
    if (roundLine(quantity, candidate, discount) === amount) return amountText(candidate);
  }
  return amountText(withDecimals(4));
}

function lineAmounts(line: LineRow, invoice: InvoiceRow, gross: boolean): LineAmounts {
  const hides_tax = hidesTax(line);
  const is_with_tax = gross || hides_tax;
  const amount = printedToCents(is_with_tax ? line.total : line.subtotal);
  const has_rate = line.tax_rate !== null && Number(line.tax_rate) !== 0;
  if (!has_rate || is_with_tax === invoice.prices_include_tax) {
    return { line, unit_price: trimZeros(line.unit_price), agreed_price: null, amount, hides_tax };
  }
  const unit_price = convertedPrice(line, is_with_tax ? 'gross' : 'net', amount);
  return { line, unit_price, agreed_price: is_with_tax ? null : line.unit_price, amount, hides_tax };
}

function rowAmounts(row: TaxRow): RowAmounts {
  return {
    row,
    base: printedToCents(row.base),
    tax: printedToCents(row.tax),
    surcharge: printedToCents(row.surcharge),
  };
}

const sum = (values: readonly bigint[]) => values.reduce((all, one) => all + one, 0n);

export function printedAmounts({ invoice, lines, tax_rows }: InvoiceBundle): PrintedAmounts {
  const with_tax = showsGross(invoice);
  const rows = tax_rows.filter((row) => !hidesTax(row)).map(rowAmounts);
  const hidden = tax_rows.filter(hidesTax).map(rowAmounts);
  return {
    lines: lines.map((line) => lineAmounts(line, invoice, with_tax)),
    rows,
    within: sum(hidden.map((row) => row.base + row.tax + row.surcharge)),
    with_tax,
    base: sum(rows.map((row) => row.base)),
    // Discounts are kept without their tax, and for the whole invoice: no sum of what hides it.
    discount: hidden.length > 0 ? 0n : printedToCents(invoice.discount_total),
    taxes: sum(rows.map((row) => row.tax)),
    surcharge: sum(rows.map((row) => row.surcharge)),
  };
}
