/**
 * Amounts are rounded once per line, the tax once per row of the breakdown; taxes of lines are shares of
 * those rows. Where lines say with which others they are rounded, the tax is rounded once per row of these.
 */
import { type Amount, type Cents, powerOfTen, roundDiv, roundTotal, sameAmount } from '../money/amount.ts';
import { apportion } from '../money/apportion.ts';
import { addToBreakdown, type Group, groupLines, nonZeroRate, type RowGroup } from './totals-rows.ts';
import type { LineTotals, Totals, TotalsLine, TotalsOptions } from './totals-shapes.ts';

export type { Totals, TotalsLine, TotalsOptions } from './totals-shapes.ts';

type RetentionGroup = Group & { readonly rate: Amount; readonly rounded_with: string | undefined };

/**
 * Rows come in the order of their first line. subtotal + discount_total is always the subtotal before
 * discounts.
 * - Prices without tax: `discount_total` adds, per line, the rounded amount before discount less the one
 *   after it.
 * - Prices with tax: rows split their gross into base and tax. `discount_total` adds, per row, the base of
 *   the undiscounted gross less the base.
 */
export function computeTotals(lines: readonly TotalsLine[], options: TotalsOptions): Totals {
  const totals: Totals = {
    lines: new Array(lines.length),
    tax_breakdown: [],
    subtotal: 0n,
    discount_total: 0n,
    taxes_total: 0n,
    surcharge_total: 0n,
    retention_total: 0n,
    total: 0n,
    amount_due: 0n,
  };
  const { prices_include_tax } = options;
  const groups = groupLines(lines, totals.lines, prices_include_tax);
  for (const group of groups) {
    if (prices_include_tax) splitGross(group, totals.lines);
    else addTax(group, totals.lines);
    const { row } = group;
    if (row.surcharge_rate !== null) addSurcharge(group, row.surcharge_rate, totals.lines);
    if (group.within) addWithin(group.row, group.within, totals);
    totals.subtotal += row.base;
    totals.discount_total +=
      prices_include_tax && group.undiscounted !== group.sum
        ? baseOf(group.undiscounted, row.tax_rate) - row.base
        : group.undiscounted - group.sum;
    totals.taxes_total += row.tax;
    totals.surcharge_total += row.surcharge;
    addToBreakdown(totals.tax_breakdown, row);
  }
  for (const line of totals.lines) line.total = line.subtotal + line.taxes + line.surcharge;
  totals.retention_total = addRetentions(lines, totals.lines);
  totals.total = totals.subtotal + totals.taxes_total + totals.surcharge_total;
  totals.amount_due = totals.total - totals.retention_total;
  return totals;
}

/** After tax and surcharge of the row's other lines, which are percentages of their base. */
function addWithin(row: RowGroup['row'], within: NonNullable<RowGroup['within']>, totals: Totals): void {
  row.base += within.base;
  row.tax += within.tax;
  row.surcharge += within.surcharge;
  totals.discount_total += within.discount;
}

/** For prices without tax. */
function addTax(group: RowGroup, results: LineTotals[]): void {
  const { row } = group;
  row.base = group.sum;
  if (row.tax_rate === null || row.tax_rate.units === 0n) return;
  row.tax = roundTotal(row.base, row.tax_rate);
  const shares = percentShares(group, row.tax_rate, row.tax);
  for (let k = 0; k < shares.length; k++) results[group.members[k]!]!.taxes = shares[k]!;
}

/** For prices with tax: rows and lines keep their gross. */
function splitGross(group: RowGroup, results: LineTotals[]): void {
  const { row, members, parts, sum } = group;
  row.base = baseOf(sum, row.tax_rate);
  row.tax = sum - row.base;
  if (row.tax_rate === null || row.tax_rate.units === 0n) return;
  const hundred = powerOfTen(row.tax_rate.scale + 2);
  const bases =
    parts.length === 1 ? [row.base] : apportion(parts, hundred, hundred + row.tax_rate.units, row.base);
  for (let k = 0; k < bases.length; k++) {
    const line = results[members[k]!]!;
    line.subtotal = bases[k]!;
    line.taxes = parts[k]! - line.subtotal;
    // From here on the group shares by base: the surcharge is a percentage of it.
    parts[k] = line.subtotal;
  }
}

/** gross x 100 / (100 + rate) */
function baseOf(gross: Cents, rate: Amount | null): Cents {
  if (rate === null || rate.units === 0n) return gross;
  const hundred = powerOfTen(rate.scale + 2);
  return roundDiv(gross * hundred, hundred + rate.units);
}

function addSurcharge(group: RowGroup, rate: Amount, results: LineTotals[]): void {
  const { row } = group;
  row.surcharge = roundTotal(row.base, rate);
  const shares = percentShares(group, rate, row.surcharge);
  for (let k = 0; k < shares.length; k++) results[group.members[k]!]!.surcharge = shares[k]!;
}

/** A percentage of the base, rounded once per rate of the lines that are rounded together. */
function addRetentions(lines: readonly TotalsLine[], results: LineTotals[]): Cents {
  const groups: RetentionGroup[] = [];
  for (let i = 0; i < lines.length; i++) {
    const rate = nonZeroRate(lines[i]!.retention_rate);
    if (rate === null) continue;
    const { rounded_with } = lines[i]!;
    let group = groups.find((other) => other.rounded_with === rounded_with && sameAmount(other.rate, rate));
    if (!group) {
      group = { rate, rounded_with, members: [], parts: [], sum: 0n };
      groups.push(group);
    }
    const base = results[i]!.subtotal;
    group.members.push(i);
    group.parts.push(base);
    group.sum += base;
  }
  let retention_total = 0n;
  for (const group of groups) {
    const retention = roundTotal(group.sum, group.rate);
    const shares = percentShares(group, group.rate, retention);
    for (let k = 0; k < shares.length; k++) results[group.members[k]!]!.retention = shares[k]!;
    retention_total += retention;
  }
  return retention_total;
}

function percentShares(group: Group, rate: Amount, total: Cents): Cents[] {
  if (group.parts.length === 1) return [total];
  return apportion(group.parts, rate.units, powerOfTen(rate.scale + 2), total);
}
