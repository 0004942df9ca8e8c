/** One occurrence of a recurrence as a plan: the invoice, the row of its day and the recurrence's new state commit together. */
import { asSent } from '../../domain/sales/merge-lines.ts';
import { addDays } from '../../kernel/dates.ts';
import type { Ctx } from '../../kernel/operation.ts';
import { getIssuer } from '../companies/index.ts';
import { findDocumentParties } from '../contacts/index.ts';
import {
  type InvoiceInputBody,
  type InvoicePlan,
  prepareCreation,
  readForOne,
  type Replayed,
} from '../invoices/index.ts';
import { type BundleOf, channelOf, companion } from '../sales/index.ts';
import { recurringInvoices } from './recurring-invoices.family.ts';
import type { RecurringRow } from './recurring-invoices.schema.ts';
import { newOccurrence, occurrenceKind } from './recurring-invoices.store.ts';
import { periodOf } from './rules/calendar.ts';
import { checkDelivery } from './rules/recurring-fields.ts';
import { scheduledAt } from './rules/schedule.ts';
import { fillTokens } from './rules/tokens.ts';

export type Recurrence = BundleOf<RecurringRow, object>;
export type Occurrence = { index: number; day: string };

/** The invoice of the day, as a request. A late one says its own day as that of the operation. */
async function bodyOf(
  ctx: Ctx,
  { document: row, lines }: Recurrence,
  { index, day }: Occurrence,
): Promise<InvoiceInputBody> {
  const { language } = await getIssuer(ctx.tx, ctx.company.company_id);
  const period = periodOf(row, index);
  const fill = (text: string) => fillTokens(text, period, language);
  const terms = row.payment_terms_days;
  return {
    type: row.type,
    client_id: row.client_id,
    series_id: row.series_id,
    description: row.description === null ? null : fill(row.description),
    notes: row.notes === null ? null : fill(row.notes),
    prices_include_tax: row.prices_include_tax,
    // An issue takes the day on which it commits.
    ...(row.auto_issue ? {} : { issued_on: ctx.today }),
    ...(day < ctx.today ? { operation_on: day } : {}),
    ...(terms === null ? {} : { due_on: addDays(ctx.today, terms) }),
    lines: lines.map((line) => {
      // A tax has to be in force on the day; a product may have been archived since.
      const { id: _, stored_taxes_id: __, ...said } = asSent(line);
      return { ...said, description: fill(line.description) };
    }) as InvoiceInputBody['lines'],
    metadata: row.metadata,
    tags: row.tags,
    custom_fields: row.custom_fields,
    options: {
      issue: row.auto_issue,
      send_automatically: row.auto_send,
      ...(row.auto_send ? { send_to: row.send_to } : {}),
    },
  };
}

/** The invoices of recurrences have a default VAT of their own. */
function withOwnVat(ctx: Ctx): Ctx {
  const { company } = ctx;
  const default_vat = { ...company.default_vat, invoice: company.default_vat.recurring_invoice };
  return { ...ctx, company: { ...company, default_vat } };
}

/** @throws 422 business_rule_violation when nobody is there to send it to */
async function checkGuard(ctx: Ctx, row: RecurringRow): Promise<void> {
  if (!row.auto_send || row.send_to !== null) return;
  const ids = row.client_id === null ? [] : [row.client_id];
  const [client] = await findDocumentParties(ctx.tx, ctx.company.company_id, 'client', ids);
  checkDelivery(row, client);
}

/** @throws Problem that refuses the invoice; a dry run answers every reason */
export async function prepareInvoice(
  ctx: Ctx,
  recurrence: Recurrence,
  occurrence: Occurrence,
  { is_dry = false }: { is_dry?: boolean } = {},
): Promise<InvoicePlan | Replayed> {
  await checkGuard(ctx, recurrence.document);
  const body = await bodyOf(ctx, recurrence, occurrence);
  const asked = is_dry ? { ...body, options: { ...body.options, dry_run: true } } : body;
  const reads = await readForOne(ctx.tx, ctx.company.company_id, asked);
  return prepareCreation(withOwnVat(ctx), asked, reads);
}

/** The recurrence once the invoice is made. */
export function afterOccurrence(
  ctx: Ctx,
  row: RecurringRow,
  { index, day }: Occurrence,
  invoice_id: string,
): RecurringRow {
  const counted: RecurringRow = {
    ...row,
    occurrences_count: row.occurrences_count + 1,
    last_occurrence_on: day,
    last_run_at: ctx.now.toISOString(),
    last_invoice_id: invoice_id,
    last_error: null,
  };
  return { ...counted, ...(scheduledAt(counted, index + 1, ctx.company.time_zone) as RecurringRow) };
}

/** Events and audit entry are of the call. */
export function withOccurrence(
  ctx: Ctx,
  plan: InvoicePlan,
  { document: row }: Recurrence,
  occurrence: Occurrence,
  move: 'run' | 'emit',
): InvoicePlan {
  const invoice_id = plan.bundle.document.id;
  const after = afterOccurrence(ctx, row, occurrence, invoice_id);
  const made = newOccurrence(row.id, occurrence.day, ctx.now, { status: 'made', invoice_id });
  ctx.emit('recurring_invoice.executed', row.id, {
    data: { recurring_invoice: { id: row.id }, invoice: { id: invoice_id } },
  });
  if (after.status === 'completed') ctx.emit('recurring_invoice.completed', row.id);
  ctx.audit({
    action: `recurring_invoice.${move}`,
    object: 'recurring_invoice',
    object_id: row.id,
    details: {
      from: row.status,
      to: after.status,
      channel: channelOf(ctx),
      occurrence_on: occurrence.day,
      invoice: invoice_id,
    },
  });
  return {
    ...plan,
    companions: [
      ...plan.companions,
      companion(recurringInvoices, row, after, ctx.now),
      { kind: occurrenceKind, stored: null, row: { version: 1, ...made } },
    ],
  };
}
