/**
 * The lines of the full invoice in place of tickets (ADR 14). Those of several tickets are rounded as they were, so that the invoice
 * is the sum of what was charged.
 */
import type { LineInput } from '../../../domain/sales/lines.ts';
import { takenOver } from '../../../domain/sales/merge-lines.ts';
import { printedToCents } from '../../../domain/money/printed.ts';
import type { TaxRow } from '../../../domain/sales/rows.ts';
import type { InvoiceBundle } from '../invoices.rows.ts';

type Ticket = Pick<InvoiceBundle, 'document' | 'lines' | 'tax_rows'>;

export function linesOfTickets(tickets: readonly Ticket[]): LineInput[] {
  if (tickets.length === 1) return tickets[0]!.lines.map(takenOver);
  const keeps_rounding = canBeAdded(tickets.flatMap(({ tax_rows }) => tax_rows));
  const marks = new Map<string, string>();
  return tickets.flatMap(({ document: { id }, lines }) =>
    lines
      .map(takenOver)
      .map((line) => roundedWith(keeps_rounding ? markOf(marks, id, line) : undefined, line)),
  );
}

/** Short, whatever was replaced before: a ticket made of a copy of a full invoice has lines with marks itself. */
function markOf(marks: Map<string, string>, id: string, { stored_details }: LineInput): string {
  const name = `${id} ${stored_details?.rounded_with ?? ''}`;
  const mark = marks.get(name) ?? String(marks.size + 1);
  marks.set(name, mark);
  return mark;
}

function roundedWith(mark: string | undefined, line: LineInput): LineInput {
  const { rounded_with: _, ...details } = line.stored_details ?? {};
  if (mark !== undefined) return { ...line, stored_details: { ...details, rounded_with: mark } };
  return line.stored_details?.rounded_with === undefined ? line : { ...line, stored_details: details };
}

const signOf = (cents: bigint) => (cents > 0n ? 1 : cents < 0n ? -1 : 0);

/** A tax whose sign is not that of its base is refused by the authority (1143): returns among tickets may leave such cents. */
function canBeAdded(rows: readonly TaxRow[]): boolean {
  const keyOf = (row: TaxRow) =>
    JSON.stringify([
      row.tax_kind,
      row.regime_key,
      row.qualification,
      row.exemption_reason,
      row.tax_rate === null ? null : Number(row.tax_rate),
      Number(row.surcharge_rate ?? 0),
    ]);
  return [...Map.groupBy(rows, keyOf).values()].every((same) => {
    const sum = (name: 'base' | 'tax' | 'surcharge') =>
      same.reduce((all, row) => all + printedToCents(row[name]), 0n);
    const base = signOf(sum('base'));
    return [sum('tax'), sum('surcharge')].every((tax) => tax === 0n || signOf(tax) === base);
  });
}
