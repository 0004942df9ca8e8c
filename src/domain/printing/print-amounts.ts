/**
 * Paper may include a tax that the row stores apart, or the reverse; the total is the same to the cent.
 * - A full invoice shows prices without tax (RD 1619/2012, art. 6.1.f). Prices agreed with tax are shown less
 *   their tax, with the fewest decimals that still give the line's amount.
 * - A document with gross prices shows what the customer pays for each line, like a ticket (art. 7.1).
 * - Used goods (LIVA, art. 138) may not show their tax apart, and travel agencies do not (art. 142): it counts
 *   as within the price. Their amounts include it; the breakdown omits them.
 */
import { type Amount, amountLimits, amountText, powerOfTen, roundDiv, roundLine } from '../money/amount.ts';
import { printedToCents, storedToAmount, trimZeros } from '../money/printed.ts';
import type {
  PrintedBundle,
  PrintedDocumentSource,
  PrintedLineSource,
  PrintedTaxSource,
} from './print-source.ts';

export type LineAmounts = {
  line: PrintedLineSource;
  unit_price: string;
  /** The price with tax, when the column shows prices without it. */
  agreed_price: string | null;
  amount: bigint;
  /** The amount includes a tax that may not be shown. */
  hides_tax: boolean;
};

export type RowAmounts = { row: PrintedTaxSource; base: bigint; tax: bigint; surcharge: bigint };

export type PrintedAmounts = {
  lines: readonly LineAmounts[];
  rows: readonly RowAmounts[];
  /** The sum of amounts that hide their tax. */
  within: bigint;
  with_tax: boolean;
  /** Sums of the breakdown. */
  base: bigint;
  discount: bigint;
  taxes: bigint;
  surcharge: bigint;
};

type Regime = Pick<PrintedLineSource, 'tax_kind' | 'regime_key' | 'qualification'>;

/** Regime keys of VAT and IGIC: 03 used goods, 05 travel agencies. */
function hidesTax({ tax_kind, regime_key, qualification }: Regime): boolean {
  const is_within = regime_key === '03' || regime_key === '05';
  return is_within && qualification === 'S1' && (tax_kind === 'vat' || tax_kind === 'igic');
}

const decimalsMost = 8;

/** Its price includes tax, where the document's do not. */
const hasOwnTax = ({ details }: PrintedLineSource) => details?.price_includes_tax === true;

/**
 * A price with its tax removed or added, with the fewest decimals that give the line's amount; with four when
 * none does, as when lines of one rate share a cent.
 */
function convertedPrice(line: PrintedLineSource, to: 'net' | 'gross', amount: bigint): string {
  const price = storedToAmount(line.unit_price, amountLimits.unit_price);
  const rate = storedToAmount(line.tax_rate ?? '0', { decimals: 4 });
  const hundred = powerOfTen(rate.scale + 2);
  // A price with its own tax holds the surcharge.
  const within = hasOwnTax(line) ? storedToAmount(line.surcharge_rate ?? '0', { decimals: 4 }).units : 0n;
  const whole = hundred + rate.units + within;
  const [n, d] = to === 'net' ? [hundred, whole] : [whole, hundred];
  const quantity = storedToAmount(line.quantity, amountLimits.quantity);
  const discount =
    line.discount_percent === null ? null : storedToAmount(line.discount_percent, { decimals: 4 });
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

function lineAmounts(
  line: PrintedLineSource,
  { prices_include_tax }: Pick<PrintedDocumentSource, 'prices_include_tax'>,
  shows_gross: boolean,
): LineAmounts {
  const hides_tax = hidesTax(line);
  const is_with_tax = shows_gross || hides_tax;
  const amount = printedToCents(is_with_tax ? line.total : line.subtotal);
  const has_rate = line.tax_rate !== null && Number(line.tax_rate) !== 0;
  if (!has_rate || is_with_tax === (prices_include_tax || hasOwnTax(line))) {
    return { line, unit_price: trimZeros(line.unit_price), agreed_price: null, amount, hides_tax };
  }
  const unit_price = convertedPrice(line, is_with_tax ? 'gross' : 'net', amount);
  return { line, unit_price, agreed_price: is_with_tax ? null : line.unit_price, amount, hides_tax };
}

function rowAmounts(row: PrintedTaxSource): RowAmounts {
  return {
    row,
    base: printedToCents(row.base),
    tax: printedToCents(row.tax),
    surcharge: printedToCents(row.surcharge),
  };
}

const sum = (values: readonly bigint[]) => values.reduce((all, one) => all + one, 0n);

export function printAmounts(
  { document, lines, tax_rows }: PrintedBundle,
  shows_gross: boolean,
): PrintedAmounts {
  const rows = tax_rows.filter((row) => !hidesTax(row)).map(rowAmounts);
  const hidden = tax_rows.filter(hidesTax).map(rowAmounts);
  return {
    lines: lines.map((line) => lineAmounts(line, document, shows_gross)),
    rows,
    within: sum(hidden.map((row) => row.base + row.tax + row.surcharge)),
    with_tax: shows_gross,
    base: sum(rows.map((row) => row.base)),
    // The stored discount is without tax and of the whole document, so it matches nothing beside hidden
    // taxes.
    discount: hidden.length > 0 ? 0n : printedToCents(document.discount_total),
    taxes: sum(rows.map((row) => row.tax)),
    surcharge: sum(rows.map((row) => row.surcharge)),
  };
}
