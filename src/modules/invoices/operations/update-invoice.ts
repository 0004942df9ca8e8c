/**
 * Changes an invoice: all of a draft, and only metadata, tags and custom fields once it is issued (decisions,
 * section 3). Absent keys stay, null clears; `lines`, when sent, is the new list, in which a line with a known
 * id keeps its absent keys. References already stored are not checked again (rule 6).
 */
import { isDeepStrictEqual } from 'node:util';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Reasons } from '../../../kernel/reasons.ts';
import { refuseReadOnlyChanges } from '../../../kernel/read-only.ts';
import { One, Shape, Uuid } from '../../../kernel/schema.ts';
import { lineErrors } from '../../../domain/sales/lines.errors.ts';
import { sqlState } from '../../../platform/db.ts';
import { PlanStale } from '../../../platform/issuing-call.ts';
import { invoiceErrors as e } from '../invoices.errors.ts';
import type { InvoiceBundle, InvoiceRow } from '../invoices.rows.ts';
import {
  Invoice,
  invoiceReadOnly,
  InvoiceUpdate,
  type InvoiceUpdateBody,
  labelKeys,
  present,
} from '../invoices.schema.ts';
import {
  findBundle,
  lockInvoice,
  replaceDrafts,
  replaceTags,
  updateInvoices,
  withClient,
} from '../invoices.store.ts';
import { loadFacts } from '../issuing/facts.ts';
import { amountColumns, buildInvoiceLines, declaredKeys } from '../rules/build-invoice.ts';
import { checkOperationDate } from '../rules/dates.ts';
import { documentFields } from '../rules/document-fields.ts';
import { isCorrective } from '../rules/invoice-types.ts';
import { mergeLines } from '../rules/merge-lines.ts';
import { invoiceStates } from '../rules/states.ts';
import type { Ctx } from '../../../kernel/operation.ts';

const foreignKeyViolation = '23503';

export const updateInvoice = defineOperation({
  name: 'update_invoice',
  method: 'PUT',
  path: '/v1/invoices/:invoice',
  scope: 'invoices:write',
  tag: 'invoices',
  summary: 'Modifica una factura en borrador, o las etiquetas de una emitida.',
  transaction: 'own',
  mcp: true,
  params: Shape({ invoice: Uuid }),
  body: InvoiceUpdate,
  output: One(Invoice),
  errors: [
    c.resource_not_found,
    c.invalid_status_transition,
    c.missing_required_param,
    c.business_rule_violation,
    lineErrors.amount_reconciliation_failed,
    e.operation_date_after_issue_date,
  ],
  events: ['invoice.metadata_changed', 'invoice.updated'],
  examples: [{ title: 'Vencimiento y etiqueta', body: { due_on: '2027-01-31', tags: ['proyecto-7'] } }],

  async handle(ctx, { params, body }) {
    const { tx, caller, emit } = ctx;
    const locked = await lockInvoice(tx, caller.company_id, params.invoice);
    const bundle = locked && (await findBundle(tx, caller.company_id, params.invoice));
    if (!bundle) throw fail(c.resource_not_found, { param: 'invoice' });
    const shown = present(bundle, ctx);
    const next =
      bundle.invoice.status === 'draft'
        ? await editDraft(ctx, bundle, body, shown)
        : editLabels(bundle, body, shown);
    const { invoice } = next;
    const after = present(next, ctx);
    const changed = Object.keys(after).filter((key) => !isDeepStrictEqual(after[key], shown[key]));
    if (changed.length === 0) return { data: shown };
    const row = { ...invoice, version: invoice.version + 1, updated_at: ctx.now };
    const writes = Promise.all(
      bundle.invoice.status === 'draft'
        ? replaceDrafts(tx, caller.company_id, [bundle.invoice], [{ ...next, invoice: row }])
        : [
            updateInvoices(tx, caller.company_id, [row]),
            ...(changed.includes('tags') ? replaceTags(tx, caller.company_id, bundle.invoice, row.tags) : []),
          ],
    );
    await writes.catch((error: unknown) => {
      // The client or the series was deleted meanwhile: read again, it is refused by name.
      throw sqlState(error) === foreignKeyViolation
        ? new PlanStale('What the draft refers to is gone.')
        : error;
    });
    if (changed.includes('metadata')) emit('invoice.metadata_changed', row.id);
    if (changed.some((key) => key !== 'metadata')) emit('invoice.updated', row.id);
    return { data: present({ ...next, invoice: row }, ctx) };
  },
});

function withLabels(invoice: InvoiceRow, body: InvoiceUpdateBody): InvoiceRow {
  return {
    ...invoice,
    metadata: body.metadata === undefined ? invoice.metadata : (body.metadata ?? {}),
    tags: body.tags === undefined ? invoice.tags : (body.tags ?? []),
    custom_fields: body.custom_fields === undefined ? invoice.custom_fields : (body.custom_fields ?? []),
  };
}

/** An issued invoice: any other key that says something new is refused by name, a read-only one alike. */
function editLabels(
  bundle: InvoiceBundle,
  body: InvoiceUpdateBody,
  shown: Record<string, unknown>,
): InvoiceBundle {
  const known: Record<string, unknown> = {
    ...shown,
    client_id: bundle.invoice.client_id,
    series_id: bundle.invoice.series_id,
  };
  const changed = Object.keys(body).find(
    (key) =>
      !(labelKeys as readonly string[]).includes(key) &&
      !isDeepStrictEqual(body[key as keyof InvoiceUpdateBody], known[key]),
  );
  if (changed !== undefined) invoiceStates.next(bundle.invoice.status, 'edit_content', { param: changed });
  invoiceStates.next(bundle.invoice.status, 'edit_labels');
  return { ...bundle, invoice: withLabels(bundle.invoice, body) };
}

/** A draft is built again from what is stored and what was sent. */
async function editDraft(
  ctx: Ctx,
  bundle: InvoiceBundle,
  body: InvoiceUpdateBody,
  shown: Record<string, unknown>,
): Promise<InvoiceBundle> {
  const { invoice } = bundle;
  refuseReadOnlyChanges(body, shown, invoiceReadOnly);
  const type = body.type ?? invoice.type;
  if (isCorrective(type) !== isCorrective(invoice.type)) {
    const reason = 'una factura no puede pasar a ser rectificativa, ni al revés.';
    throw fail(c.business_rule_violation, { param: 'type', values: { reason } });
  }
  const kept = <K extends keyof InvoiceUpdateBody & keyof InvoiceRow>(key: K) =>
    (body[key] === undefined ? invoice[key] : body[key]) as InvoiceRow[K];
  const client_id = kept('client_id');
  const lines = mergeLines(bundle.lines, body.lines, shown.lines as Record<string, unknown>[]);
  const series_id =
    body.series_id === undefined && type === invoice.type ? invoice.series_id : (body.series_id ?? null);
  const facts = await loadFacts(ctx, {
    type,
    client_id,
    series_id,
    lines,
    needs_issuer: false,
    stored: { client_id: invoice.client_id, series_id: invoice.series_id },
  });
  const [issued_on, operation_on] = [kept('issued_on'), kept('operation_on')];
  const fields = documentFields(invoice, body, { type, client_id }, new Reasons());
  const prices_include_tax = kept('prices_include_tax');
  const built = buildInvoiceLines(
    invoice.id,
    lines,
    facts.lineFacts(operation_on ?? issued_on ?? ctx.today),
    { prices_include_tax },
  );
  if (issued_on !== null) checkOperationDate(operation_on, issued_on, declaredKeys(built.lines));
  const row: InvoiceRow = {
    ...withLabels(invoice, body),
    type,
    client_id,
    client_name: null,
    client_tax_id: null,
    client_snapshot: null,
    series_id: facts.series.id,
    series_code: facts.series.code,
    description: kept('description'),
    issued_on,
    operation_on,
    due_on: kept('due_on'),
    ...fields,
    prices_include_tax,
    notes: kept('notes'),
    ...amountColumns(built.totals),
  };
  return {
    invoice: withClient(row, facts.client ?? undefined),
    lines: built.lines,
    tax_rows: built.tax_rows,
    payments: bundle.payments,
  };
}
