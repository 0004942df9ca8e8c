/**
 * Turns a document of another family into a draft invoice. It copies what was agreed; the issue checks the rest. The source is a
 * companion, so both change or neither does.
 */
import { checkCurrency } from '../../domain/sales/currency.ts';
import { lineErrors } from '../../domain/sales/lines.errors.ts';
import type { DocumentRow } from '../../domain/sales/rows.ts';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { numberText } from '../../kernel/json.ts';
import { type Ctx, defineOperation, type Operation } from '../../kernel/operation.ts';
import { fail } from '../../kernel/problem.ts';
import { One, Shape, type Static } from '../../kernel/schema.ts';
import { newId } from '../../kernel/uuid7.ts';
import {
  type BundleOf,
  companion,
  contentInput,
  copyLines,
  type Family,
  findBundle,
  idOf,
  idParams,
  loadFacts,
  numberingSeries,
  pathOf,
  type VerbTexts,
  verbTextsOf,
  withClient,
} from '../sales/index.ts';
import { blankOwn, Invoice, invoices } from './invoices.family.ts';
import type { InvoiceBundle, InvoiceRow } from './invoices.rows.ts';
import { invoiceContent, invoiceNames } from './invoices.schema.ts';
import { commitInvoicePlan } from './issuing/commit-plans.ts';
import { draftPlan, type InvoicePlan } from './issuing/plan.ts';
import { blankFields, checkRateDay } from './rules/document-fields.ts';

const { series_id } = contentInput(invoiceNames);
const { issued_on, due_on, exchange_rate, exchange_rate_on } = invoiceContent;
const ConversionInput = Shape({ series_id, issued_on, due_on, exchange_rate, exchange_rate_on });

type Conversion = Static<typeof ConversionInput>;

async function draftFrom(
  ctx: Ctx,
  { document: source, lines, tax_rows }: BundleOf<DocumentRow, object>,
  asked: Conversion,
): Promise<InvoiceBundle> {
  const facts = await loadFacts(ctx, invoices, {
    series_kind: invoices.series({ type: 'F1' }),
    client_id: source.client_id,
    series_id: asked.series_id ?? null,
    lines: [],
    needs_issuer: false,
  });
  const exchange_rate = asked.exchange_rate == null ? null : numberText(asked.exchange_rate);
  const { exchange_rate_on = null } = asked;
  checkCurrency(source.currency, exchange_rate, invoices.one);
  checkRateDay(source.currency, exchange_rate_on);
  const series = numberingSeries(facts);
  const id = newId();
  const now = ctx.now.toISOString();
  const document: InvoiceRow = {
    ...blankFields,
    ...pickShared(source),
    ...blankOwn,
    type: 'F1',
    id,
    version: 1,
    status: 'draft',
    number: null,
    series_id: series.id,
    series_code: series.code,
    series_period: null,
    series_number: null,
    issuer_snapshot: null,
    issued_on: asked.issued_on ?? null,
    operation_on: null,
    due_on: asked.due_on ?? null,
    exchange_rate,
    exchange_rate_on,
    external_id: null,
    external_hash: null,
    sent_at: null,
    link_renewed_at: null,
    created_at: now,
    updated_at: now,
  };
  return {
    document: withClient(document, facts.client ?? undefined),
    ...copyLines({ lines, tax_rows }, id),
    payments: [],
  };
}

function pickShared(row: DocumentRow): DocumentRow {
  const names = Object.keys(invoices.columns).filter(
    (name) => name in row && !(name in invoices.fields.columns),
  );
  return Object.fromEntries(names.map((name) => [name, row[name as keyof DocumentRow]])) as DocumentRow;
}

/** `POST …/convert` of a family with the move `convert`. */
export function convertToInvoice<R extends DocumentRow, E extends object>(
  family: Family<R, E>,
  said: VerbTexts,
): Operation {
  const { object } = family;
  const events = [`${object}.converted`, 'invoice.created'];
  return defineOperation({
    ...verbTextsOf(family, { ...said, events }),
    method: 'POST',
    path: `${pathOf(family)}/convert`,
    transaction: 'issuing',
    mcp: true,
    params: idParams(family),
    body: ConversionInput,
    body_optional: true,
    output: One(Invoice),
    errors: [
      c.resource_not_found,
      c.invalid_status_transition,
      c.missing_required_param,
      c.business_rule_violation,
      lineErrors.amount_reconciliation_failed,
      ...(said.errors ?? []),
    ],

    async handle(ctx, { params, body }): Promise<InvoicePlan> {
      const bundle = await findBundle(ctx.tx, family, ctx.company.company_id, idOf(family, params));
      if (!bundle) throw fail(c.resource_not_found, { param: object });
      const source = bundle.document;
      const status = family.states.next(source.status, 'convert');
      const draft = await draftFrom(ctx, bundle, body ?? {});
      const { id } = draft.document;
      const change = { status, ...family.fields.converted?.({ object: 'invoice', id }) } as Partial<R>;
      ctx.audit({
        action: `${object}.convert`,
        object,
        object_id: source.id,
        details: { from: source.status, to: status, invoice: id },
      });
      ctx.emit('invoice.created', id);
      const data: Record<string, unknown> = { invoice: { id } };
      data[object] = { id: source.id };
      ctx.emit(`${object}.converted`, source.id, { data });
      return { ...draftPlan(ctx, draft), companions: [companion(family, source, change, ctx.now)] };
    },
    commit: commitInvoicePlan,
  });
}
