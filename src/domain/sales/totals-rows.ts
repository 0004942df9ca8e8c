/** Lines are rounded together by row of `tax_breakdown`, as the authority's record groups them. */
import { type Amount, type Cents, roundLine, sameAmount } from '../money/amount.ts';
import type { BreakdownRow, LineTotals, TotalsLine } from './totals-shapes.ts';

/** In document order. `parts` is what each line adds to the sum. */
export type Group = { readonly members: number[]; readonly parts: Cents[]; sum: Cents };
export type RowGroup = Group & { readonly row: BreakdownRow; undiscounted: Cents };

/** A line's rounded subtotal is its gross when prices include tax. */
export function groupLines(lines: readonly TotalsLine[], results: LineTotals[]): RowGroup[] {
  const groups: RowGroup[] = [];
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const net = roundLine(line.quantity, line.unit_price, line.discount_percent);
    results[i] = { subtotal: net, taxes: 0n, surcharge: 0n, retention: 0n, total: net };
    const group = rowOf(groups, line);
    group.members.push(i);
    group.parts.push(net);
    group.sum += net;
    group.undiscounted +=
      line.discount_percent === null ? net : roundLine(line.quantity, line.unit_price, null);
  }
  return groups;
}

/** A scan is enough: documents have a handful of rows (the authority takes 12). */
function rowOf(groups: RowGroup[], line: TotalsLine): RowGroup {
  const surcharge_rate = line.tax_rate === null ? null : nonZeroRate(line.surcharge_rate);
  for (const group of groups) {
    const { row } = group;
    if (
      row.tax_kind === line.tax_kind &&
      row.regime_key === line.regime_key &&
      row.qualification === line.qualification &&
      row.exemption_reason === line.exemption_reason &&
      sameRate(row.tax_rate, line.tax_rate) &&
      sameRate(row.surcharge_rate, surcharge_rate)
    ) {
      return group;
    }
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
  const group: RowGroup = { row, members: [], parts: [], sum: 0n, undiscounted: 0n };
  groups.push(group);
  return group;
}

/** For surcharge and retention, 0 is none. */
export function nonZeroRate(rate: Amount | null): Amount | null {
  return rate === null || rate.units === 0n ? null : rate;
}

function sameRate(a: Amount | null, b: Amount | null): boolean {
  return a === b || (a !== null && b !== null && sameAmount(a, b));
}
