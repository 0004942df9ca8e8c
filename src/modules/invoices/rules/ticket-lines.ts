/**
 * The lines of the full invoice in place of tickets (ADR 14). Those of several tickets are rounded as they were, so that the invoice
 * is the sum of what was charged.
 */
import { countedLine } from '../../../domain/sales/build-rows.ts';
import type { LineInput } from '../../../domain/sales/line-input.ts';
import { takenOver } from '../../../domain/sales/merge-lines.ts';
import type { LineRow } from '../../../domain/sales/rows.ts';
import { computeTotals, type Totals } from '../../../domain/sales/totals.ts';
import type { InvoiceBundle } from '../invoices.rows.ts';

type Ticket = Pick<InvoiceBundle, 'document' | 'lines'>;

export function linesOfTickets(tickets: readonly Ticket[]): LineInput[] {
  const lines = tickets.flatMap((ticket) => ticket.lines);
  return (tickets.length > 1 ? (markedLines(tickets) ?? lines.map(withoutMark)) : lines).map(takenOver);
}

/** Undefined where what was rounded cannot be added. */
function markedLines(tickets: readonly Ticket[]): LineRow[] | undefined {
  const marks = new Map<string, string>();
  const marked = tickets.flatMap(({ document: { id }, lines }) =>
    lines.map((line) => ({ ...line, details: { ...line.details, rounded_with: markOf(marks, id, line) } })),
  );
  const { tax_breakdown } = computeTotals(marked.map(countedLine), tickets[0]!.document);
  return tax_breakdown.every(hasSignOfBase) ? marked : undefined;
}

/** Short, whatever was replaced before: a ticket made of a copy of a full invoice has lines with marks itself. */
function markOf(marks: Map<string, string>, id: string, { details }: LineRow): string {
  const name = `${id} ${details?.rounded_with ?? ''}`;
  const mark = marks.get(name) ?? String(marks.size + 1);
  marks.set(name, mark);
  return mark;
}

function withoutMark(line: LineRow): LineRow {
  if (line.details?.rounded_with === undefined) return line;
  const { rounded_with: _, ...details } = line.details;
  return { ...line, details };
}

const signOf = (cents: bigint) => (cents > 0n ? 1 : cents < 0n ? -1 : 0);

/** The authority refuses any other tax (1143). What was rounded on returns among tickets may leave such cents. */
function hasSignOfBase({ base, tax, surcharge }: Totals['tax_breakdown'][number]): boolean {
  return [tax, surcharge].every((cents) => cents === 0n || signOf(cents) === signOf(base));
}
