/** One occurrence of a recurrence as a plan: the invoice, the row of its day and the recurrence's new state commit together. */
import { asSent } from '../../domain/sales/merge-lines.ts';
import { addDays } from '../../kernel/dates.ts';
import type { Ctx } from '../../kernel/operation.ts';
import { latestVersion } from '../../kernel/versions.ts';
import { makeGivingWay } from '../../platform/give-way.ts';
import { getIssuer, type Issuer } from '../companies/index.ts';
import {
  type InvoiceInputBody,
  type InvoicePlan,
  prepareCreation,
  readForCreation,
  type Replayed,
} from '../invoices/index.ts';
import { type BundleOf, channelOf, companion, type FactRows } from '../sales/index.ts';
import { recurringInvoices } from './recurring-invoices.family.ts';
import type { RecurringRow } from './recurring-invoices.schema.ts';
import {
  jobEnd,
  newOccurrence,
  newSkipped,
  occurrenceKind,
  skippedKind,
} from './recurring-invoices.store.ts';
import { periodOf, fillTokens } from './rules/calendar.ts';
import { checkDelivery } from './rules/recurring-fields.ts';
import { scheduledAt } from './rules/states.ts';

export type Recurrence = Pick<BundleOf<RecurringRow, object>, 'document' | 'lines'>;
export type Occurrence = { index: number; day: string };

/**
 * The invoice of the day, as a request. One that is or may be issued later says the day as that of the operation. Its texts
 * are not filled yet.
 */
function bodyOf(
  ctx: Ctx,
  { recurrence: { document: row, lines }, occurrence: { day } }: Due,
  is_dry: boolean,
): InvoiceInputBody {
  const terms = row.payment_terms_days;
  return {
    type: row.type,
    client_id: row.client_id,
    series_id: row.series_id,
    description: row.description,
    notes: row.notes,
    prices_include_tax: row.prices_include_tax,
    // The day of issue is that of the commit, which for a draft may be much later (ADR 94).
    ...(day < ctx.today || (day === ctx.today && !row.auto_issue) ? { operation_on: day } : {}),
    ...(terms === null || !row.auto_issue ? {} : { due_on: addDays(ctx.today, terms) }),
    lines: lines.map((line) => {
      // A tax has to be in force on the day; a product may have been archived since.
      const { id: _, stored_tax: __, ...said } = asSent(line);
      return said;
    }) as InvoiceInputBody['lines'],
    metadata: row.metadata,
    tags: row.tags,
    custom_fields: row.custom_fields,
    options: {
      issue: row.auto_issue,
      send_automatically: row.auto_send,
      ...(row.auto_send ? { send_to: row.send_to } : {}),
      ...(is_dry ? { dry_run: true } : {}),
    },
  };
}

function withTexts(
  body: InvoiceInputBody,
  { recurrence: { document: row }, occurrence }: Due,
  language: Issuer['language'],
): InvoiceInputBody {
  const period = periodOf(row, occurrence.index);
  const fill = <T extends string | null | undefined>(text: T) =>
    text ? fillTokens(text, period, language) : text;
  return {
    ...body,
    description: fill(body.description),
    notes: fill(body.notes),
    lines: body.lines.map((line) => ({ ...line, description: fill(line.description) })),
  } as InvoiceInputBody;
}

/**
 * The invoices of recurrences have a default VAT of their own. Whoever emits one gets what the job would make, so the caller's
 * version does not count: the template was accepted, and an older version refuses the tax that it leaves open.
 */
function asTheJob(ctx: Ctx): Ctx {
  const { company } = ctx;
  const default_vat = { ...company.default_vat, invoice: company.default_vat.recurring_invoice };
  return { ...ctx, version: latestVersion, company: { ...company, default_vat } };
}

export type Due = { recurrence: Recurrence; occurrence: Occurrence };
/** With the invoice's request, and what all of them refer to. */
export type Asked = Due & { body: InvoiceInputBody; rows: FactRows };

/** One pipeline for all. The language of their texts comes with the rest. Others have their turn between two. */
export async function readForInvoices(
  ctx: Ctx,
  all: readonly Due[],
  { is_dry = false }: { is_dry?: boolean } = {},
): Promise<Asked[]> {
  const { company_id } = ctx.company;
  const giveWay = makeGivingWay();
  const bodies: InvoiceInputBody[] = [];
  for (const due of all) {
    bodies.push(bodyOf(ctx, due, is_dry));
    await giveWay();
  }
  const { rows } = await readForCreation(ctx.tx, company_id, bodies);
  // Drafts alone need no issuer.
  const { language } = rows.issuer ?? (await getIssuer(ctx.tx, company_id));
  const asked: Asked[] = [];
  for (const [at, due] of all.entries()) {
    asked.push({ ...due, rows, body: withTexts(bodies[at]!, due, language) });
    await giveWay();
  }
  return asked;
}

/** @throws 422 business_rule_violation */
export function checkRecipient({ recurrence: { document: row }, rows }: Asked): void {
  checkDelivery(row, rows.clients.get(row.client_id ?? ''));
}

/** @throws Problem that refuses the invoice; a dry run answers every reason */
export function prepareInvoice(ctx: Ctx, { body, rows }: Asked): Promise<InvoicePlan | Replayed> {
  const reads = { known: undefined, bundle: undefined, rows: () => Promise.resolve(rows) };
  return prepareCreation(asTheJob(ctx), body, reads);
}

/** The due day of a draft is counted from its issue (ADR 94). */
function withTerms(plan: InvoicePlan, { payment_terms_days: terms_days }: RecurringRow): InvoicePlan {
  if (plan.numbering !== null) return plan;
  return { ...plan, bundle: { ...plan.bundle, document: { ...plan.bundle.document, terms_days } } };
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

/** A run; `lease_id`: of its job, which ends with the invoice. */
export type Run = { lease_id?: string };

/** @throws Problem that refuses the invoice */
export async function planInvoice(ctx: Ctx, asked: Asked, run: Run | null): Promise<InvoicePlan> {
  checkRecipient(asked);
  const plan = await prepareInvoice(ctx, asked);
  if (!('bundle' in plan)) throw new Error('An occurrence has no external id.');
  return withOccurrence(ctx, withTerms(plan, asked.recurrence.document), asked, run);
}

/** Events and audit entry are of the call. */
function withOccurrence(
  ctx: Ctx,
  plan: InvoicePlan,
  { recurrence: { document: row }, occurrence }: Due,
  run: Run | null,
): InvoicePlan {
  const invoice_id = plan.bundle.document.id;
  const after = afterOccurrence(ctx, row, occurrence, invoice_id);
  // Made first, so that their ids come before that of this day.
  const skipped = newSkipped(row, occurrence.index, ctx.now);
  const made = newOccurrence(row.id, occurrence.day, ctx.now, { status: 'made', invoice_id });
  ctx.emit('recurring_invoice.executed', row.id, {
    data: { recurring_invoice: { id: row.id }, invoice: { id: invoice_id } },
  });
  if (after.status === 'completed') ctx.emit('recurring_invoice.completed', row.id);
  ctx.audit({
    action: `recurring_invoice.${run ? 'run' : 'emit'}`,
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
      ...skipped.map((days) => ({ kind: skippedKind, stored: null, row: { version: 1, ...days } })),
      { kind: occurrenceKind, stored: null, row: { version: 1, ...made } },
      ...(run?.lease_id === undefined ? [] : [jobEnd(after, run.lease_id)]),
    ],
  };
}
