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
  const keeps_rounding = tickets.length > 1 && canBeAdded(tickets.flatMap(({ tax_rows }) => tax_rows));
  return tickets.flatMap(({ document: { id }, lines }) =>
    lines.map(takenOver).map((line) => (keeps_rounding ? roundedWith(id, line) : line)),
  );
}

function roundedWith(id: string, line: LineInput): LineInput {
  const { stored_details } = line;
  // A ticket made of a copy of a full invoice has such lines itself.
  const own = stored_details?.rounded_with;
  const rounded_with = own === undefined ? id : `${id}/${own}`;
  return { ...line, stored_details: { ...stored_details, rounded_with } };
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
