/**
 * Prepares what an issue or a creation will commit: defaults, totals, every check that can refuse, the
 * snapshots of issuer, client and texts (decisions, section 3). Reads only; locks nothing.
 */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import type { Ctx } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Reasons } from '../../../kernel/reasons.ts';
import { newId } from '../../../kernel/uuid7.ts';
import { periodKey } from '../../../domain/series-format.ts';
import type { LineInput } from '../../../domain/sales/lines.ts';
import { amountColumns, declaredKeys, tryInvoiceLines } from '../../../domain/sales/build-rows.ts';
import { clientSnapshot } from '../../../domain/sales/client-snapshot.ts';
import { checkOperationDate, dueDay, issueDay } from '../rules/dates.ts';
import { blankFields, documentFields } from '../rules/document-fields.ts';
import { checkIssue, checkRatesOfDay } from '../rules/issue-rules.ts';
import { needsRecipient } from '../rules/invoice-types.ts';
import { statusByPending } from '../rules/pending.ts';
import { noReferences, statedReferences } from '../rules/references.ts';
import { issuerKey } from '../rules/series-by-issuer.ts';
import { invoiceStates } from '../rules/states.ts';
import type { InvoiceBundle, InvoiceRow, LineRow } from '../invoices.rows.ts';
import type { InvoiceInputBody } from '../invoices.schema.ts';
import { requestHash } from '../rules/request-hash.ts';
import { type FactRows, factsOf, type InvoiceFacts, loadFacts, seriesRefusal, type Wanted } from './facts.ts';
import type { InvoicePlan } from './plan.ts';
import { checkSigning, isRegistering, planRecord } from './record-plan.ts';

/** @throws 422 for a line that names an id on a document that has none yet */
export function refuseLineIds(lines: readonly LineInput[]): void {
  const index = lines.findIndex((line) => line.id !== undefined);
  if (index < 0) return;
  const param = `lines.${index}.id`;
  const errors = [
    { param, code: 'parameter_invalid', message: 'La factura no tiene ninguna línea con este id.' },
  ];
  throw fail(c.parameter_invalid, { param, line_index: index, errors });
}

/** What a request refers to. */
export function wantedBy(body: InvoiceInputBody, needs_issuer: boolean): Wanted {
  return {
    type: body.type ?? 'F1',
    client_id: body.client_id ?? null,
    series_id: body.series_id ?? null,
    lines: body.lines as LineInput[],
    needs_issuer,
  };
}

/**
 * Builds a new invoice from a request; a draft, which `prepareIssue` may then issue in the same plan. When a dry
 * run gathered refusals, it is only good for finding more of them.
 */
export async function prepareDraft(
  ctx: Ctx,
  body: InvoiceInputBody,
  is_issued: boolean,
  reasons = new Reasons(),
  rows?: FactRows,
): Promise<{ bundle: InvoiceBundle; facts: InvoiceFacts; regime_keys: readonly string[] }> {
  const lines = body.lines as LineInput[];
  reasons.attempt(() => refuseLineIds(lines));
  const type = body.type ?? 'F1';
  const wanted = wantedBy(body, is_issued);
  const facts = rows ? factsOf(ctx, wanted, rows, reasons) : await loadFacts(ctx, wanted, reasons);
  const id = newId();
  const prices_include_tax = body.prices_include_tax ?? false;
  const issued_on = body.issued_on ?? null;
  const operation_on = body.operation_on ?? null;
  const fields = documentFields(blankFields, body, { type, client_id: wanted.client_id }, reasons);
  const on_date = operation_on ?? issued_on ?? ctx.today;
  const built = tryInvoiceLines(id, lines, facts.lineFacts(on_date), { prices_include_tax }, reasons);
  const refers = reasons.attempt(() => statedReferences(type, body, ctx.today)) ?? noReferences;
  // A dry run whose lines are refused goes on with what they say themselves.
  const regime_keys = built ? declaredKeys(built.lines) : lines.flatMap((line) => line.regime_key ?? []);
  // An issue checks the operation day itself, against the day it takes.
  if (issued_on !== null && !is_issued)
    reasons.attempt(() => checkOperationDate(operation_on, issued_on, regime_keys));
  const { client, series } = facts;
  const now = ctx.now.toISOString();
  const amounts = amountColumns(built?.totals ?? noTotals);
  const invoice: InvoiceRow = {
    id,
    version: 1,
    type,
    status: 'draft',
    number: null,
    series_id: series.id,
    series_code: series.code,
    series_period: null,
    series_number: null,
    client_id: client?.id ?? null,
    client_name: client?.name ?? null,
    client_tax_id: client?.tax_id ?? null,
    client_snapshot: client && clientSnapshot(client),
    issuer_snapshot: null,
    description: body.description ?? null,
    issued_on,
    operation_on,
    due_on: body.due_on ?? null,
    prices_include_tax,
    ...fields,
    ...amounts,
    paid_amount: '0.00',
    ...refers,
    notes: body.notes ?? null,
    external_id: body.external_id ?? null,
    external_type: body.external_id ? type : null,
    external_total: body.external_id ? amounts.total : null,
    external_hash: body.external_id ? requestHash(body) : null,
    metadata: body.metadata ?? {},
    tags: body.tags ?? [],
    custom_fields: body.custom_fields ?? [],
    issued_at: null,
    sent_at: null,
    has_record: false,
    created_at: now,
    updated_at: now,
  };
  return {
    bundle: { invoice, lines: built?.lines ?? [], tax_rows: built?.tax_rows ?? [], payments: [] },
    facts,
    regime_keys,
  };
}

/** In place of totals that a dry run could not compute; never stored. */
const noTotals = {
  subtotal: 0n,
  discount_total: 0n,
  taxes_total: 0n,
  surcharge_total: 0n,
  retention_total: 0n,
  total: 0n,
  amount_due: 0n,
};

/** A full invoice needs a recipient (RD 1619/2012, art. 6). @throws 422 business_rule_violation */
function checkRecipient(invoice: InvoiceRow, facts: InvoiceFacts): void {
  if (facts.client || facts.has_client_fault || !needsRecipient(invoice.type)) return;
  throw fail(c.business_rule_violation, {
    param: 'client_id',
    values: { reason: 'una factura completa necesita un cliente.' },
  });
}

/** What of the issuer an issued document keeps. @throws 422 business_rule_violation for a company without a name */
function issuerSnapshot(facts: InvoiceFacts): Record<string, unknown> {
  const { issuer } = facts;
  if (!issuer?.name) {
    throw fail(c.business_rule_violation, {
      param: 'company_name',
      values: { reason: 'la empresa no tiene nombre.' },
    });
  }
  return { ...issuer };
}

/** Lines with the texts of their products and taxes as they are at the issue. */
function refreshTexts(lines: readonly LineRow[], facts: InvoiceFacts): LineRow[] {
  const { products, taxes } = facts.lineFacts('2000-01-01');
  return lines.map((line) => ({
    ...line,
    product_name: products.get(line.product_id ?? '')?.name ?? line.product_name,
    tax_name: taxes.get(line.taxes_id ?? '')?.name ?? line.tax_name,
  }));
}

/**
 * Turns a draft into a plan that issues it: state, recipient, dates, series, snapshots. The number itself is
 * taken when the plan commits.
 * @param regime_keys of the lines that declare one, in order
 */
export function prepareIssue(
  ctx: Ctx,
  bundle: InvoiceBundle,
  facts: InvoiceFacts,
  options: {
    stored: boolean;
    mark_sent: boolean;
    regime_keys: readonly string[];
    status: 200 | 201;
    reasons?: Reasons;
  },
): InvoicePlan {
  const { invoice } = bundle;
  const { reasons = new Reasons() } = options;
  const issued = reasons.attempt(() => invoiceStates.next(invoice.status, 'issue')) ?? 'issued';
  const status = options.mark_sent ? invoiceStates.next(issued, 'mark_sent') : issued;
  const is_registered = isRegistering(ctx);
  if (!is_registered) reasons.attempt(() => checkRecipient(invoice, facts));
  const issuer_snapshot = reasons.attempt(() => issuerSnapshot(facts)) ?? null;
  const issued_on = reasons.attempt(() => issueDay(invoice.issued_on, ctx.today)) ?? ctx.today;
  reasons.attempt(() => checkOperationDate(invoice.operation_on, issued_on, options.regime_keys));
  const due_on =
    reasons.attempt(() =>
      dueDay(invoice.due_on, issued_on, facts.client?.payment_preferences?.terms_days ?? null),
    ) ?? null;
  const { client, series } = facts;
  if (series.is_archived) reasons.refuse(seriesRefusal('la serie está archivada.'));
  if (options.stored) reasons.attempt(() => checkRatesOfDay(bundle, invoice.operation_on ?? issued_on));
  checkIssue(
    { ...bundle, issued_on, client, issuer_tax_id: facts.issuer?.tax_id ?? null, is_registered },
    reasons,
  );
  const now = ctx.now.toISOString();
  const row: InvoiceRow = {
    ...invoice,
    version: options.stored ? invoice.version + 1 : 1,
    status,
    series_id: series.id,
    series_code: series.code,
    client_name: client?.name ?? null,
    client_tax_id: client?.tax_id ?? null,
    client_snapshot: client && clientSnapshot(client),
    issuer_snapshot,
    issued_on,
    due_on,
    sent_at: options.mark_sent ? now : null,
    updated_at: now,
  };
  // Issued after its due day, a day that was named: it is overdue from the start.
  row.status = statusByPending(row, ctx.today);
  ctx.emit('invoice.number_assigned', row.id);
  if (row.type === 'F2') ctx.emit('invoice.simplified_created', row.id);
  if (options.mark_sent) ctx.emit('invoice.sent', row.id);
  if (row.status === 'overdue') ctx.emit('invoice.overdue', row.id);
  return {
    bundle: { ...bundle, invoice: row, lines: refreshTexts(bundle.lines, facts) },
    stored: options.stored ? { id: invoice.id, version: invoice.version } : null,
    also: [],
    new_payments: [],
    reversed_payments: [],
    numbering: {
      series,
      issued_by: issuerKey(row),
      period: periodKey(series.reset, issued_on),
      issued_on,
      is_day_asked: invoice.issued_on !== null,
    },
    record: planRecord(ctx, { ...bundle, invoice: row }, reasons),
    email: null,
    wants_record_block: false,
    settings_version: ctx.company.settings_version,
    external:
      row.external_id === null || options.stored
        ? null
        : { external_id: row.external_id, type: row.type, total: row.external_total ?? '' },
    blocks: {},
    headers: {},
    status: options.status,
  };
}

/** Loads what a stored draft refers to and prepares its issue. */
export async function prepareStoredIssue(
  ctx: Ctx,
  bundle: InvoiceBundle,
  options: { mark_sent: boolean; reasons?: Reasons },
): Promise<InvoicePlan> {
  const { invoice, lines } = bundle;
  const refers = lines.map((line) => ({ product_id: line.product_id, taxes_id: line.taxes_id }));
  const facts = await loadFacts(
    ctx,
    {
      type: invoice.type,
      client_id: invoice.client_id,
      series_id: invoice.series_id,
      lines: refers,
      needs_issuer: true,
      stored: { client_id: invoice.client_id, series_id: invoice.series_id },
    },
    options.reasons,
  );
  const regime_keys = declaredKeys(lines);
  await checkSigning(ctx, options.reasons ?? new Reasons());
  return prepareIssue(ctx, bundle, facts, { stored: true, regime_keys, status: 200, ...options });
}
