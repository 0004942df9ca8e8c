/**
 * What of a purchase's tax is deducted, and what the company charges itself. Both are in euros. The yearly pro rata comes after
 * this (LIVA, art. 104).
 */
import { amountLimits, type Cents, parseAmount, powerOfTen, roundDiv } from '../../../domain/money/amount.ts';
import { apportion } from '../../../domain/money/apportion.ts';
import { trimZeros } from '../../../domain/money/printed.ts';
import type { PurchaseLineRow, PurchaseRow } from '../purchase-invoices.rows.ts';

type Line = Pick<PurchaseLineRow, 'tax_kind' | 'surcharge_rate' | 'deductible_percent'>;

/** Why nothing of a line's tax is deducted, whatever was stated; null where the stated share holds. */
export function forcedReason(
  { kind, has_recipient_data }: Pick<PurchaseRow, 'kind' | 'has_recipient_data'>,
  { tax_kind, surcharge_rate }: Pick<Line, 'tax_kind' | 'surcharge_rate'>,
): string | null {
  if (tax_kind === 'foreign_vat')
    return 'El IVA de otro Estado no se deduce: se pide su devolución allí (LIVA, art. 117 bis).';
  if (tax_kind !== 'vat' && tax_kind !== 'compensation')
    return 'Solo se deduce el IVA (LIVA, art. 92): otro impuesto es parte del coste o se deduce en su propia declaración.';
  if (Number(surcharge_rate ?? 0) !== 0)
    return 'En el recargo de equivalencia no se deduce lo soportado (LIVA, art. 154).';
  if (kind === 'simplified' && !has_recipient_data)
    return 'Factura simplificada sin NIF y domicilio del destinatario o sin la cuota aparte (RD 1619/2012, art. 7.2).';
  return null;
}

const sizeOf = (part: Cents) => (part < 0n ? -part : part);

/** Shares of `total` by parts that need not add up to it. Parts that cancel each other out stay; the largest takes the total. */
export function shared(parts: readonly Cents[], total: Cents): Cents[] {
  const sum = parts.reduce((all, part) => all + part, 0n);
  if (sum === 0n) {
    const largest = parts.reduce((at, part, i) => (sizeOf(part) > sizeOf(parts[at]!) ? i : at), 0);
    return parts.map((part, i) => (i === largest ? part + total : part));
  }
  return sum > 0n
    ? apportion(parts, total, sum, total)
    : apportion(
        parts.map((part) => -part),
        total,
        -sum,
        total,
      );
}

const percent = amountLimits.discount_percent;
const whole = 100n * powerOfTen(percent.decimals);

/** Units of a share of one: 50 % is half of `whole`. */
function unitsOf({ deductible_percent }: Pick<Line, 'deductible_percent'>): bigint {
  if (deductible_percent === null) return whole;
  return parseAmount(trimZeros(deductible_percent), percent)?.units ?? 0n;
}

/** @returns never more than the tax, on its side of zero (LIVA, art. 97.Tres) */
function atMost(deductible: Cents, tax: Cents): Cents {
  if (tax >= 0n) return deductible < 0n ? 0n : deductible > tax ? tax : deductible;
  return deductible > 0n ? 0n : deductible < tax ? tax : deductible;
}

/**
 * Of one row of the breakdown, rounded once; the lines add up to it.
 * @param taxes of its lines, which add up to `tax`
 */
export function deductedOf(
  lines: readonly (Pick<Line, 'deductible_percent'> & { forced_reason: string | null })[],
  taxes: readonly Cents[],
  tax: Cents,
): { row: Cents; lines: Cents[] } {
  const parts = lines.map((line, i) => (line.forced_reason === null ? taxes[i]! * unitsOf(line) : 0n));
  const exact = roundDiv(
    parts.reduce((all, part) => all + part, 0n),
    whole,
  );
  const row = atMost(exact, tax);
  return { row, lines: row === exact ? apportion(parts, 1n, whole, row) : shared(parts, row) };
}

/** From this day what is unpaid to a supplier on cash accounting may be deducted too (LIVA, art. 163 quinquiesdecies). */
const lastDayUnpaid = (operated: string) => `${Number(operated.slice(0, 4)) + 1}-12-31`;

/** The regime is of supplies within Spain whose tax the supplier charges (LIVA, art. 163 duodecies). */
export function isOfCashRegime({ kind, operation }: Pick<PurchaseRow, 'kind' | 'operation'>): boolean {
  return operation === 'domestic' && kind !== 'agricultural_receipt';
}

/**
 * What may be deducted by now: with a supplier on cash accounting, in proportion to what is paid.
 * @returns cents of euro
 */
export function deductibleNow(
  row: Pick<PurchaseRow, 'cash_accounting' | 'kind' | 'operation' | 'operation_on' | 'issued_on'> & {
    deductible_cents: Cents;
    paid_cents: Cents;
    due_cents: Cents;
  },
  today: string | undefined,
): Cents {
  const { deductible_cents, paid_cents, due_cents } = row;
  const operated = row.operation_on ?? row.issued_on;
  const is_late = operated !== null && today !== undefined && today >= lastDayUnpaid(operated);
  // Rows from before the refusal may say it of an operation outside the regime.
  const waits = row.cash_accounting && isOfCashRegime(row);
  if (!waits || is_late || due_cents === 0n) return deductible_cents;
  return roundDiv(deductible_cents * paid_cents, due_cents);
}
