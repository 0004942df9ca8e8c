/**
 * The rows of a breakdown in euros, as record and paper say them. A row is converted at once, and its lines that are rounded with
 * others as they are: so an invoice in place of several, or one that undoes several, is their sum in euros too (ADR 14).
 */
import { type Cents, fixedText } from '../money/amount.ts';
import { printedToCents } from '../money/printed.ts';
import type { ToEuros } from './currency.ts';
import type { LineRow, TaxRow } from './rows.ts';
import { taxRowKey } from './tax-row-key.ts';

export type EuroRow = { base: Cents; tax: Cents; surcharge: Cents };

type RoundedLine = Pick<LineRow, 'details' | 'subtotal' | 'taxes' | 'total'> &
  Parameters<typeof taxRowKey>[0];

const none: EuroRow = { base: 0n, tax: 0n, surcharge: 0n };

const plus = (a: EuroRow, b: EuroRow): EuroRow => ({
  base: a.base + b.base,
  tax: a.tax + b.tax,
  surcharge: a.surcharge + b.surcharge,
});

const minus = (a: EuroRow, b: EuroRow): EuroRow => ({
  base: a.base - b.base,
  tax: a.tax - b.tax,
  surcharge: a.surcharge - b.surcharge,
});

const total = (all: readonly EuroRow[]) => all.reduce(plus, none);

function amountsOfLine(line: RoundedLine): EuroRow {
  const [base, tax] = [printedToCents(line.subtotal), printedToCents(line.taxes)];
  return { base, tax, surcharge: printedToCents(line.total) - base - tax };
}

function converted({ base, tax, surcharge }: EuroRow, toEuros: ToEuros): EuroRow {
  const convert = (cents: Cents) => toEuros(fixedText(cents, 2));
  return { base: convert(base), tax: convert(tax), surcharge: convert(surcharge) };
}

/**
 * In the order of the rows.
 * @param lines of their document; those that are not rounded with others in euros may be left out
 */
export function euroRows(
  tax_rows: readonly TaxRow[],
  lines: readonly RoundedLine[],
  toEuros: ToEuros,
): EuroRow[] {
  const rounded = lines.filter((line) => line.details?.is_rounded_in_euros === true);
  const linesOf = Map.groupBy(rounded, taxRowKey);
  return tax_rows.map((row) => {
    const [base, tax, surcharge] = [row.base, row.tax, row.surcharge].map(printedToCents) as [
      Cents,
      Cents,
      Cents,
    ];
    const whole = { base, tax, surcharge };
    const marked = Map.groupBy(linesOf.get(taxRowKey(row)) ?? [], ({ details }) => details?.rounded_with);
    const parts = [...marked.values()].map((some) => total(some.map(amountsOfLine)));
    const sum = total([...parts, minus(whole, total(parts))].map((part) => converted(part, toEuros)));
    return hasSignOfBase(sum) ? sum : converted(whole, toEuros);
  });
}

const signOf = (cents: Cents) => (cents > 0n ? 1 : cents < 0n ? -1 : 0);

/** The authority refuses any other tax (1143). */
export function hasSignOfBase({ base, tax, surcharge }: EuroRow): boolean {
  return [tax, surcharge].every((cents) => cents === 0n || signOf(cents) === signOf(base));
}
