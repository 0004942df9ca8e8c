/**
 * Lines are rounded together by row of `tax_breakdown`, as the authority's record groups them. Lines that were rounded apart
 * before, as those of several tickets, stay so.
 */
import {
  type Amount,
  type Cents,
  powerOfTen,
  roundDiv,
  roundLine,
  roundTotal,
  sameAmount,
} from '../money/amount.ts';
import type { BreakdownRow, LineTotals, TotalsLine } from './totals-shapes.ts';

/** In document order. `parts` is what each line adds to the sum. */
export type Group = { readonly members: number[]; readonly parts: Cents[]; sum: Cents };
export type RowGroup = Group & {
  readonly row: BreakdownRow;
  readonly rounded_with: string | undefined;
  undiscounted: Cents;
  /** The sums of lines whose price includes tax, in a document whose prices do not. Such lines are no members. */
  within: Within | null;
};

type Within = { base: Cents; tax: Cents; surcharge: Cents; discount: Cents };

/** A line's rounded subtotal is its gross when prices include tax. */
export function groupLines(
  lines: readonly TotalsLine[],
  results: LineTotals[],
  prices_include_tax: boolean,
): RowGroup[] {
  const groups: RowGroup[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const net = roundLine(line.quantity, line.unit_price, line.discount_percent);
    results[i] = { subtotal: net, taxes: 0n, surcharge: 0n, retention: 0n, total: net };
    const group = rowOf(groups, line);
    if (line.price_includes_tax && !prices_include_tax) {
      results[i] = addWithin(group, line, net);
      continue;
    }
    group.members.push(i);
    group.parts.push(net);
    group.sum += net;
    group.undiscounted +=
      line.discount_percent === null ? net : roundLine(line.quantity, line.unit_price, null);
  }
  return groups;
}

/** The line keeps its gross: tax is what base and surcharge leave of it. */
function addWithin(group: RowGroup, line: TotalsLine, gross: Cents): LineTotals {
  const { row } = group;
  const split = splitWithin(gross, row);
  const whole = line.discount_percent === null ? gross : roundLine(line.quantity, line.unit_price, null);
  group.within ??= { base: 0n, tax: 0n, surcharge: 0n, discount: 0n };
  group.within.base += split.base;
  group.within.tax += split.tax;
  group.within.surcharge += split.surcharge;
  group.within.discount += splitWithin(whole, row).base - split.base;
  return { subtotal: split.base, taxes: split.tax, surcharge: split.surcharge, retention: 0n, total: gross };
}

const none: Amount = { units: 0n, scale: 0 };

/** base = gross x 100 / (100 + rate + surcharge rate) */
function splitWithin(gross: Cents, { tax_rate, surcharge_rate }: BreakdownRow) {
  const [rate, more] = [tax_rate ?? none, surcharge_rate ?? none];
  const scale = Math.max(rate.scale, more.scale);
  const hundred = powerOfTen(scale + 2);
  const rates = rate.units * powerOfTen(scale - rate.scale) + more.units * powerOfTen(scale - more.scale);
  const base = roundDiv(gross * hundred, hundred + rates);
  const surcharge = roundTotal(base, more);
  return { base, surcharge, tax: gross - base - surcharge };
}

/** A scan is enough: documents have a handful of rows (the authority takes 12). */
function rowOf(groups: RowGroup[], line: TotalsLine): RowGroup {
  const { rounded_with } = line;
  const surcharge_rate = line.tax_rate === null ? null : nonZeroRate(line.surcharge_rate);
  for (const group of groups) {
    if (group.rounded_with === rounded_with && isRowOf(group.row, line, surcharge_rate)) return group;
  }
  const row: BreakdownRow = {
    tax_kind: line.tax_kind,
    regime_key: line.regime_key,
    qualification: line.qualification,
    exemption_reason: line.exemption_reason,
    tax_rate: line.tax_rate,
    surcharge_rate,
    base: 0n,
    tax: 0n,
    surcharge: 0n,
  };
  const group: RowGroup = {
    row,
    rounded_with,
    members: [],
    parts: [],
    sum: 0n,
    undiscounted: 0n,
    within: null,
  };
  groups.push(group);
  return group;
}

type RowKeys = Pick<
  BreakdownRow,
  'tax_kind' | 'regime_key' | 'qualification' | 'exemption_reason' | 'tax_rate'
>;

function isRowOf(row: BreakdownRow, keys: RowKeys, surcharge_rate: Amount | null): boolean {
  return (
    row.tax_kind === keys.tax_kind &&
    row.regime_key === keys.regime_key &&
    row.qualification === keys.qualification &&
    row.exemption_reason === keys.exemption_reason &&
    sameRate(row.tax_rate, keys.tax_rate) &&
    sameRate(row.surcharge_rate, surcharge_rate)
  );
}

export function isLineOf(row: BreakdownRow, line: TotalsLine): boolean {
  return isRowOf(row, line, line.tax_rate === null ? null : nonZeroRate(line.surcharge_rate));
}

/** Groups that are rounded apart may be of one row, which has their sums. */
export function addToBreakdown(rows: BreakdownRow[], row: BreakdownRow): void {
  const same = rows.find((one) => isRowOf(one, row, row.surcharge_rate));
  if (!same) {
    rows.push(row);
    return;
  }
  same.base += row.base;
  same.tax += row.tax;
  same.surcharge += row.surcharge;
}

/** For surcharge and retention, 0 is none. */
export function nonZeroRate(rate: Amount | null): Amount | null {
  return rate === null || rate.units === 0n ? null : rate;
}

function sameRate(a: Amount | null, b: Amount | null): boolean {
  return a === b || (a !== null && b !== null && sameAmount(a, b));
}
