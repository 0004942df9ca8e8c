/** The amounts of a purchase: what its paper charges, what the company charges itself, and what is deducted. */
import { amountLimits, type Cents, fixedText, parseAmount } from '../../../domain/money/amount.ts';
import { printedToCents } from '../../../domain/money/printed.ts';
import type { BuiltLines } from '../../../domain/sales/build-rows.ts';
import { euros, type ToEuros } from '../../../domain/sales/currency.ts';
import { refusedInLine } from '../../../domain/sales/lines.errors.ts';
import type { LineInput } from '../../../domain/sales/line-input.ts';
import type { LineRow, TaxRow } from '../../../domain/sales/rows.ts';
import { taxRowKey } from '../../../domain/sales/tax-row-key.ts';
import { fits } from '../../../domain/sales/totals-checks.ts';
import { type DecimalInput, numberText } from '../../../kernel/json.ts';
import { invalidParam } from '../../../kernel/resource-input.ts';
import type { ProrataUse, PurchaseLineRow, PurchaseRow, PurchaseTaxRow } from '../purchase-invoices.rows.ts';
import { deductedOf, forcedReason, shared } from './deduction.ts';
import { chargesItself, isSelfCharged } from './purchase-fields.ts';
import { checkExpectedTotal, keptTaxes, type StatedTax, statedTaxes } from './stated-taxes.ts';

export type OwnLineInput = LineInput & {
  deductible_percent?: DecimalInput | null;
  non_deductible_reason?: string | null;
  is_investment_good?: boolean;
  prorata_use?: ProrataUse | null;
  expense_account?: string | null;
};

type Of = {
  input: readonly LineInput[];
  row: PurchaseRow;
  sent: { tax_breakdown?: readonly StatedTax[] | null; expected_total?: DecimalInput | null };
  stored: { lines: readonly LineRow[]; tax_rows: readonly TaxRow[] } | null;
};

/** @throws 422 business_rule_violation for a tax that this kind of paper does not have */
function checkTaxKind({ kind }: PurchaseRow, { tax_kind }: LineRow, index: number): void {
  const is_compensation = tax_kind === 'compensation';
  if (kind === 'agricultural_receipt' && !is_compensation)
    throw refusedInLine(
      index,
      'tax_kind',
      'un recibo de la agricultura solo lleva compensación (LIVA, art. 130).',
    );
  if (kind !== 'agricultural_receipt' && is_compensation)
    throw refusedInLine(
      index,
      'tax_kind',
      'la compensación solo va en un recibo de la agricultura (agricultural_receipt).',
    );
}

/** LIVA, art. 108.Dos.5: 500,000 pesetas. In cents of euro. */
const investmentFloor = 300_506n;

/** @throws 422 business_rule_violation for a good of less than the floor; what a corrective takes off may be less */
function checkInvestment({ kind }: PurchaseRow, line: LineRow, index: number, toEuros: ToEuros): void {
  if (kind === 'corrective') return;
  const quantity = parseAmount(line.quantity, amountLimits.quantity)!;
  const of_one = investmentFloor * (quantity.units < 0n ? -quantity.units : quantity.units);
  const base = toEuros(line.subtotal) * 10n ** BigInt(quantity.scale);
  if ((base < 0n ? -base : base) < of_one)
    throw refusedInLine(
      index,
      'is_investment_good',
      'un bien de inversión tiene una base unitaria de 3.005,06 € o más (LIVA, art. 108).',
    );
}

function ownLine(
  line: LineRow,
  input: OwnLineInput,
  index: number,
  row: PurchaseRow,
  toEuros: ToEuros,
): PurchaseLineRow {
  checkTaxKind(row, line, index);
  if (isSelfCharged(row) && line.surcharge_rate !== null)
    throw refusedInLine(index, 'surcharge_rate', 'el proveedor no repercute recargo en esta operación.');
  const { deductible_percent: percent = null, is_investment_good = false } = input;
  if (is_investment_good) checkInvestment(row, line, index, toEuros);
  return {
    ...line,
    deductible_percent: percent === null ? null : numberText(percent),
    non_deductible_reason: input.non_deductible_reason ?? null,
    forced_reason: forcedReason(row, line),
    is_investment_good,
    prorata_use: input.prorata_use ?? null,
    expense_account: input.expense_account ?? null,
    self_charged: '0.00',
    deductible: '0.00',
  };
}

const cents = printedToCents;
const text = (amount: Cents) => fixedText(amount, 2);

/** Bases that cancel each other out say nothing about a tax. */
function weights(bases: readonly Cents[]): readonly Cents[] {
  return bases.reduce((all, base) => all + base, 0n) === 0n ? bases.map(() => 0n) : bases;
}

/** The paper's tax in place of what the lines give. With prices that include it, base and tax still add up to them. */
function withTax(row: TaxRow, lines: readonly PurchaseLineRow[], tax: Cents, includes_tax: boolean): void {
  const before = cents(row.tax);
  if (tax === before) return;
  const bases = lines.map((line) => cents(line.subtotal));
  const taxes = lines.map((line) => cents(line.taxes));
  const moved = shared(taxes.some((one) => one !== 0n) ? taxes : weights(bases), tax);
  row.tax = text(tax);
  if (includes_tax) row.base = text(cents(row.base) + before - tax);
  lines.forEach((line, i) => {
    const gross = bases[i]! + taxes[i]!;
    const subtotal = includes_tax ? gross - moved[i]! : bases[i]!;
    line.total = text(cents(line.total) - taxes[i]! - bases[i]! + moved[i]! + subtotal);
    line.taxes = text(moved[i]!);
    line.subtotal = text(subtotal);
  });
}

/** What the company owes in the supplier's place: nothing of it is on the paper. */
function selfCharge(row: PurchaseTaxRow, lines: readonly PurchaseLineRow[], toEuros: ToEuros): void {
  const owed = toEuros(row.tax);
  const taxes = lines.map((line) => cents(line.taxes));
  const shares = shared(
    lines.map((line) => toEuros(line.taxes)),
    owed,
  );
  row.self_charged = text(owed);
  row.tax = '0.00';
  lines.forEach((line, i) => {
    line.self_charged = text(shares[i]!);
    line.total = text(cents(line.total) - taxes[i]!);
    line.taxes = '0.00';
  });
}

function deduct(row: PurchaseTaxRow, lines: readonly PurchaseLineRow[], toEuros: ToEuros): void {
  const own = cents(row.self_charged);
  const tax = own === 0n ? toEuros(row.tax) : own;
  const taxes =
    own === 0n
      ? shared(
          lines.map((line) => toEuros(line.taxes)),
          tax,
        )
      : lines.map((line) => cents(line.self_charged));
  const found = deductedOf(lines, taxes, tax);
  row.deductible = text(found.row);
  lines.forEach((line, i) => {
    line.deductible = text(found.lines[i]!);
  });
}

const sum = (amounts: readonly string[]) => amounts.reduce((all, amount) => all + cents(amount), 0n);

/** @throws 422 of a line, of the stated breakdown, and of an expected total that is not the total */
export function countPurchase(plain: BuiltLines, of: Of): { built: BuiltLines; own: Partial<PurchaseRow> } {
  const { input, row, sent, stored } = of;
  const toEuros = euros(row.currency === 'EUR' ? null : row.exchange_rate);
  const lines = plain.lines.map((line, i) => ownLine(line, input[i] as OwnLineInput, i, row, toEuros));
  const linesOf = Map.groupBy(lines, taxRowKey);
  const groups = plain.tax_rows.map((one) => ({
    row: { ...one, is_tax_stated: false, self_charged: '0.00', deductible: '0.00' } as PurchaseTaxRow,
    lines: linesOf.get(taxRowKey(one)) ?? [],
  }));
  const taxes = sent.tax_breakdown
    ? statedTaxes(groups, sent.tax_breakdown, row)
    : keptTaxes(groups, sent.tax_breakdown === null ? null : stored, row);
  for (const group of groups) {
    const tax = taxes.get(group.row);
    if (tax !== undefined) {
      withTax(group.row, group.lines, tax, row.prices_include_tax);
      group.row.is_tax_stated = true;
    }
    if (chargesItself(row, group.row)) selfCharge(group.row, group.lines, toEuros);
    deduct(group.row, group.lines, toEuros);
  }
  if (row.kind === 'customs')
    for (const line of lines) line.total = text(cents(line.total) - cents(line.subtotal));
  const tax_rows = groups.map((group) => group.row);
  const totals = withTotals(plain, tax_rows, row);
  checkExpectedTotal(sent.expected_total, totals.total);
  const self_charged = sum(tax_rows.map((one) => one.self_charged));
  const deductible = sum(tax_rows.map((one) => one.deductible));
  if (![self_charged, deductible, toEuros(text(totals.total))].every(fits))
    throw invalidParam('exchange_rate', 'El importe en euros supera las 12 cifras enteras.');
  return {
    built: { lines, tax_rows, totals },
    own: {
      self_charged_total: text(self_charged),
      deductible_total: text(deductible),
      has_investment_goods: lines.some((line) => line.is_investment_good),
    },
  };
}

/** Of a customs document only the tax is to pay. */
function withTotals(
  { totals }: BuiltLines,
  tax_rows: readonly TaxRow[],
  { kind }: PurchaseRow,
): BuiltLines['totals'] {
  const subtotal = sum(tax_rows.map((one) => one.base));
  const taxes_total = sum(tax_rows.map((one) => one.tax));
  const total = (kind === 'customs' ? 0n : subtotal) + taxes_total + totals.surcharge_total;
  return { ...totals, subtotal, taxes_total, total, amount_due: total - totals.retention_total };
}
