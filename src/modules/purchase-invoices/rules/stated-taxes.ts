/** What the paper says of its taxes and total. It wins, unless rounding cannot explain the difference. */
import { isDeepStrictEqual } from 'node:util';
import { amountLimits, type Cents, readAmount } from '../../../domain/money/amount.ts';
import { printedToCents, trimZeros } from '../../../domain/money/printed.ts';
import { centsText } from '../../../domain/printing/numbers.ts';
import { lineErrors } from '../../../domain/sales/lines.errors.ts';
import type { LineRow, TaxRow } from '../../../domain/sales/rows.ts';
import { type DecimalInput, numberText } from '../../../kernel/json.ts';
import { fail, type Problem } from '../../../kernel/problem.ts';
import { invalidParam } from '../../../kernel/resource-input.ts';
import type { PurchaseRow, PurchaseTaxRow } from '../purchase-invoices.rows.ts';
import { chargesItself } from './purchase-fields.ts';

/** Members that are left out fit any row. */
export type StatedTax = {
  tax_kind?: string;
  tax_rate?: DecimalInput | null;
  surcharge_rate?: DecimalInput | null;
  qualification?: string | null;
  exemption_reason?: string | null;
  regime_key?: string | null;
  base?: DecimalInput;
  tax: DecimalInput;
};

type Key = Partial<Pick<TaxRow, (typeof rates)[number] | (typeof texts)[number]>>;

type Group = { row: PurchaseTaxRow; lines: readonly LineRow[] };

function unreconciled(param: string, reason: string): Problem {
  return fail(lineErrors.amount_reconciliation_failed, { param, values: { reason } });
}

type RatesOf = { [rate in (typeof rates)[number]]?: DecimalInput | string | null };

const rates = ['tax_rate', 'surcharge_rate'] as const;
const texts = ['tax_kind', 'qualification', 'exemption_reason', 'regime_key'] as const;

function isOf(row: Key, stated: Omit<StatedTax, 'tax' | (typeof rates)[number]> & RatesOf): boolean {
  const numberOf = (value: DecimalInput | string | null = null) =>
    value === null ? null : Number(typeof value === 'string' ? value : numberText(value));
  return (
    texts.every((key) => stated[key] === undefined || stated[key] === row[key]) &&
    rates.every((key) => stated[key] === undefined || numberOf(stated[key]) === numberOf(row[key]))
  );
}

/** Each line may round to the cent, and so may the row. */
function isWithin(stated: Cents, counted: string, lines: number): boolean {
  const off = stated - printedToCents(counted);
  return (off < 0n ? -off : off) <= BigInt(lines + 1);
}

/** @returns undefined where the paper has no such tax */
function check(group: Group, { base, tax }: StatedTax, at: number, row: PurchaseRow): Cents | undefined {
  const param = (name: string) => `tax_breakdown.${at}.${name}`;
  const stated = readAmount(tax, amountLimits.money)!.units;
  const stated_base = base === undefined ? undefined : readAmount(base, amountLimits.money)!.units;
  if (stated_base !== undefined && !isWithin(stated_base, group.row.base, group.lines.length))
    throw unreconciled(
      param('base'),
      `las líneas dan una base de ${centsText(printedToCents(group.row.base), 'es')}.`,
    );
  if (chargesItself(row, group.row)) {
    if (stated === 0n) return undefined;
    throw unreconciled(param('tax'), 'en esta operación el proveedor no repercute el impuesto.');
  }
  if (!isWithin(stated, group.row.tax, group.lines.length))
    throw unreconciled(
      param('tax'),
      `las líneas dan una cuota de ${centsText(printedToCents(group.row.tax), 'es')}.`,
    );
  return stated;
}

/** @throws 422 amount_reconciliation_failed; parameter_invalid for a row that no line has */
export function statedTaxes(
  groups: readonly Group[],
  stated: readonly StatedTax[],
  row: PurchaseRow,
): Map<TaxRow, Cents> {
  const taxes = new Map<TaxRow, Cents>();
  const named = new Set<TaxRow>();
  stated.forEach((one, at) => {
    const group = groups.find((other) => !named.has(other.row) && isOf(other.row, one));
    if (!group) throw invalidParam(`tax_breakdown.${at}`, 'Ninguna línea lleva este impuesto a este tipo.');
    named.add(group.row);
    const tax = check(group, one, at, row);
    if (tax !== undefined) taxes.set(group.row, tax);
  });
  return taxes;
}

const trimmed = (text: string | null) => (text === null ? null : trimZeros(text));

/** What decides the tax of a line. */
const essence = (line: LineRow) =>
  [
    line.id,
    trimmed(line.quantity),
    trimmed(line.unit_price),
    trimmed(line.discount_percent),
    ...texts.map((key) => line[key]),
    ...rates.map((key) => trimmed(line[key])),
  ].join();

/** The stated taxes that an edit without any keeps: those of rows whose lines did not change. */
export function keptTaxes(
  groups: readonly Group[],
  stored: { lines: readonly LineRow[]; tax_rows: readonly TaxRow[] } | null,
  row: PurchaseRow,
): Map<TaxRow, Cents> {
  const taxes = new Map<TaxRow, Cents>();
  for (const before of (stored?.tax_rows ?? []) as readonly PurchaseTaxRow[]) {
    if (!before.is_tax_stated) continue;
    const { base: _, ...key } = before;
    const group = groups.find(({ row }) => isOf(row, key));
    const were = stored!.lines.filter((line) => isOf(line, key)).map(essence);
    const tax = printedToCents(before.tax);
    // Since then prices may include their tax, or the company may owe it.
    if (!group || chargesItself(row, group.row) || !isWithin(tax, group.row.tax, group.lines.length))
      continue;
    if (isDeepStrictEqual(group.lines.map(essence).sort(), were.sort())) taxes.set(group.row, tax);
  }
  return taxes;
}

/** @throws 422 amount_reconciliation_failed */
export function checkExpectedTotal(expected: DecimalInput | null | undefined, total: Cents): void {
  if (expected === null || expected === undefined) return;
  if (readAmount(expected, amountLimits.money)!.units !== total)
    throw unreconciled('expected_total', `el total es ${centsText(total, 'es')}.`);
}
