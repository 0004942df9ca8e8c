/**
 * The lines of several invoices in one: of tickets in their full invoice, of an invoice and its correctives in what undoes them (ADR 14).
 * They are rounded as they were, so that the one is the sum of the others.
 */
import { countedLine } from '../../../domain/sales/build-rows.ts';
import { hasSignOfBase } from '../../../domain/sales/euro-rows.ts';
import type { LineDetails, LineRow } from '../../../domain/sales/rows.ts';
import { computeTotals } from '../../../domain/sales/totals.ts';
import { isLineOf } from '../../../domain/sales/totals-rows.ts';
import type { InvoiceBundle } from '../invoices.rows.ts';

type WithLines = Pick<InvoiceBundle, 'document' | 'lines'>;

/** In the order given. Those of one invoice alone stay as they are. */
export function roundedTogether(invoices: readonly WithLines[]): LineRow[] {
  return invoices.length > 1 ? markedLines(invoices) : invoices.flatMap(({ lines }) => lines);
}

/** Without a mark in the rows where what was rounded cannot be added. */
function markedLines(invoices: readonly WithLines[]): LineRow[] {
  const marks = new Map<string, string>();
  // All are in the currency of the first.
  const in_euros: LineDetails =
    invoices[0]!.document.exchange_rate === null ? {} : { is_rounded_in_euros: true };
  const marked = invoices.flatMap(({ document: { id }, lines }) =>
    lines.map((line) => ({
      ...line,
      details: { ...line.details, rounded_with: markOf(marks, id, line), ...in_euros },
    })),
  );
  const counted = marked.map(countedLine);
  const { tax_breakdown } = computeTotals(counted, invoices[0]!.document);
  const refused = tax_breakdown.filter((row) => !hasSignOfBase(row));
  return marked.map((line, k) =>
    refused.some((row) => isLineOf(row, counted[k]!)) ? withoutMark(line) : line,
  );
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
  const { rounded_with: _, is_rounded_in_euros: __, ...details } = line.details;
  return { ...line, details };
}
