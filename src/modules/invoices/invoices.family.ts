/** Invoices as a family of sales documents (ADR 28). */
import { declaredKeys } from '../../domain/sales/build-rows.ts';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { CompanyContext } from '../../kernel/operation.ts';
import { fail } from '../../kernel/problem.ts';
import { DayText, Enum, Type } from '../../kernel/schema.ts';
import { rangeParameters } from '../../kernel/page.ts';
import { listPagePayments, listPaymentsOf, type PaymentRow } from '../payments/index.ts';
import {
  AmountText,
  defineFamily,
  documentOutput,
  type FieldsOf,
  presentDocument,
  type SentContent,
  type Showing,
} from '../sales/index.ts';
import { summaryOf } from '../verifactu/index.ts';
import { invoiceErrors as e } from './invoices.errors.ts';
import { invoicesEvents } from './invoices.events.ts';
import { type InvoiceBundle, type InvoiceRow, mutableColumns, ownColumns } from './invoices.rows.ts';
import {
  type InvoiceInputBody,
  invoiceContent,
  invoiceNames,
  invoiceReadOnly,
  invoiceShown,
  presentOwn,
  recordAsRead,
} from './invoices.schema.ts';
import { setSent } from './invoices.store.ts';
import { invoiceWords } from './invoices.words.ts';
import { checkOperationDate } from './rules/dates.ts';
import { blankFields, documentFields } from './rules/document-fields.ts';
import { type InvoiceType, invoiceTypes, isCorrective, seriesKindOf } from './rules/invoice-types.ts';
import { pendingCents } from './rules/pending.ts';
import { invoiceTitle, printInvoice } from './rules/printed-invoice.ts';
import { noReferences, statedReferences } from './rules/references.ts';
import { isRemindable } from './rules/reminder-stages.ts';
import { requestHash } from './rules/request-hash.ts';
import { standingOf, transferOf } from './rules/standing.ts';
import { type InvoiceMove, type InvoiceStatus, invoiceStates, invoiceStatuses } from './rules/states.ts';

type Sent = Partial<InvoiceInputBody>;

/** @throws 422 simplified_invoices_disabled */
export function checkSimplified(
  type: InvoiceType,
  { simplified_invoices_enabled }: Pick<CompanyContext, 'simplified_invoices_enabled'>,
): void {
  if (type === 'F2' && !simplified_invoices_enabled)
    throw fail(e.simplified_invoices_disabled, { param: 'type' });
}

function readOwn(
  stored: InvoiceRow | null,
  sent: SentContent,
  { client_id, company, reasons }: FieldsOf,
): Partial<InvoiceRow> {
  const body = sent as Sent;
  const type = body.type ?? stored?.type ?? 'F1';
  if (type !== stored?.type) reasons.attempt(() => checkSimplified(type, company));
  const sentOrStored = (key: 'operation_on' | 'due_on') =>
    body[key] === undefined ? (stored?.[key] ?? null) : body[key];
  const days = { type, operation_on: sentOrStored('operation_on'), due_on: sentOrStored('due_on') };
  const fields = documentFields(stored ?? blankFields, body, { type, client_id }, reasons);
  return stored === null ? { ...blankOwn, ...days, ...fields } : { ...days, ...fields };
}

export const blankOwn = {
  terms_days: null,
  paid_amount: '0.00',
  ...noReferences,
  external_type: null,
  external_total: null,
  issued_at: null,
  has_record: false,
} as const;

type Payments = { payments: readonly PaymentRow[] };

export const invoices = defineFamily<InvoiceRow, Payments>({
  ...invoiceNames,
  collection: 'invoices',
  tables: {
    documents: 'invoices',
    lines: 'invoice_lines',
    taxes: 'invoice_tax_rows',
    tags: 'invoice_tags',
    document_id: 'invoice_id',
  },
  party: 'client',
  series: ({ type = 'F1' }) => seriesKindOf(type),
  fields: {
    columns: ownColumns,
    input: invoiceContent,
    shown: invoiceShown,
    read_only: invoiceReadOnly,
    present: presentOwn,
    read: readOwn,
    finish(row, declared_keys, sent, { is_new, is_numbered, today, reasons, stored, before }) {
      const body = sent as Sent;
      const refers = is_new
        ? (reasons.attempt(() => statedReferences(row.type, body as InvoiceInputBody, today)) ?? noReferences)
        : {};
      // A conversion may date a draft before its operation. What does not change them is not refused for it: the issue is.
      const has_same_days =
        stored !== null &&
        stored.issued_on === row.issued_on &&
        stored.operation_on === row.operation_on &&
        declaredKeys(before?.lines ?? [])[0] === declared_keys[0];
      // An issue checks the operation day against its own day.
      if (row.issued_on !== null && !is_numbered && !has_same_days)
        reasons.attempt(() => checkOperationDate(row.operation_on, row.issued_on ?? '', declared_keys));
      if (!is_new || row.external_id === null) return refers;
      return {
        ...refers,
        external_type: row.type,
        external_hash: requestHash(body as InvoiceInputBody),
      };
    },
    asRead: recordAsRead,
    withoutSources: ({ sources }, lost) => ({ sources: sources.filter(({ id }) => !lost.includes(id)) }),
    checkEdit(stored, { type = stored.type }) {
      if (isCorrective(type as InvoiceType) === isCorrective(stored.type)) return;
      const reason = 'una factura no puede pasar a ser rectificativa, ni al revés.';
      throw fail(c.business_rule_violation, { param: 'type', values: { reason } });
    },
    leavesSeries: (stored, { type = stored.type }) => type !== stored.type,
    ratesDay: ({ operation_on = null, issued_on }) => operation_on ?? issued_on,
    duplicate({ document: { type } }) {
      if (isCorrective(type)) {
        const reason = 'una rectificativa no se duplica: rectifique la factura original.';
        throw fail(c.business_rule_violation, { param: 'invoice', values: { reason } });
      }
      return { ...blankOwn, type: type === 'F3' ? 'F1' : type, operation_on: null, due_on: null };
    },
  },
  mutable: mutableColumns,
  events: invoicesEvents,
  states: {
    statuses: invoiceStatuses,
    // Plans write the moves of invoices and name their events.
    events: {},
    peek: (from, move) => invoiceStates.peek(from as InvoiceStatus, move as InvoiceMove),
    next: (from, move, details) => invoiceStates.next(from as InvoiceStatus, move as InvoiceMove, details),
  },
  list: {
    query: {
      type: Type.Optional(Enum(invoiceTypes, { description: 'Tipo de factura' })),
      ...rangeParameters('due_on', DayText, 'Vencimiento'),
      ...rangeParameters('operation_on', DayText, 'Fecha de la operación'),
      ...rangeParameters('pending_amount', AmountText, 'Lo que queda por cobrar'),
    },
    streams: ['client_id', 'series_id', 'type', 'status'],
    days: ['issued_on', 'due_on', 'operation_on'],
    cents: { pending_amount: 't.pending_cents' },
    sorts: {},
  },
  parts: {
    columns: (tx, company_id) =>
      tx`case when t.has_record then ${summaryOf(tx, company_id, 't.id')} end as record`,
    async read(tx, company_id, ids) {
      const payments: Iterable<PaymentRow> = await listPaymentsOf(tx, company_id, ids);
      const of = Map.groupBy(payments, ({ invoice_id }) => invoice_id);
      return (id) => ({ payments: of.get(id) ?? [] });
    },
    async readPage(tx, company_id, ids) {
      const { payments, whole } = await listPagePayments(tx, company_id, ids);
      const of = Map.groupBy(payments, ({ invoice_id }) => invoice_id);
      return { of: (id) => ({ payments: of.get(id) ?? [] }), whole };
    },
    none: () => ({ payments: [] }),
  },
  paper: {
    print: (source) => printInvoice({ ...source, record: source.bundle.document.record ?? null }),
    title: ({ type }, language) => invoiceTitle(type, language),
    isWithdrawn: ({ status }) => status === 'annulled' || status === 'voided',
    standing: standingOf,
    transfer: ({ document }, issuer) => transferOf(document, issuer),
  },
  mail: {
    purpose: 'invoice',
    words: invoiceWords,
    toPay(row) {
      const cents = pendingCents(row);
      return cents > 0n ? { cents, due_on: row.due_on } : null;
    },
    wants: (row) => isRemindable(row),
    sentEvents: { payment_reminder: 'invoice.payment_reminder_sent' },
    // The first e-mail marks it as sent, unless it was withdrawn or paid meanwhile.
    onSentEvents: ['invoice.sent'],
    async onSent({ tx, company: { company_id }, now, emit }, row) {
      const status = invoiceStates.peek(row.status, 'send');
      if (row.sent_at !== null || typeof status !== 'string') return;
      await setSent(tx, company_id, row.id, status, now);
      emit('invoice.sent', row.id);
    },
  },
  unique: { number: ['invoices_number', 'invoices_series_number'], external_id: 'invoices_external_id' },
});

export const Invoice = documentOutput(invoices);

export function present(bundle: InvoiceBundle, showing: Showing): Record<string, unknown> {
  return presentDocument(invoices, bundle, showing);
}
