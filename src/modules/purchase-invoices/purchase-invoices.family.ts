/** Purchase invoices as a family of documents (ADR 28, ADR 47): what a supplier invoiced, as its paper says. */
import { dueDay } from '../../domain/sales/due-day.ts';
import type { DocumentRow } from '../../domain/sales/rows.ts';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Ctx, Tx } from '../../kernel/operation.ts';
import { rangeParameters } from '../../kernel/page.ts';
import { fail, type Problem } from '../../kernel/problem.ts';
import { invalidParam } from '../../kernel/resource-input.ts';
import { DayText, Described, Enum, Text, Type, Uuid } from '../../kernel/schema.ts';
import { inBothForms } from '../../platform/page-rows.ts';
import { textForms } from '../../kernel/text-forms.ts';
import { linkScans, requireInUse } from '../purchase-scans/index.ts';
import { defineFamily, type ListCondition, type Warning } from '../sales/index.ts';
import {
  keptOfLine,
  lineInput,
  lineReadOnly,
  lineShown,
  presentLine,
  presentTaxRow,
  taxRowShown,
} from './lines.schema.ts';
import { purchaseInvoicesEvents } from './purchase-invoices.events.ts';
import {
  mutableColumns,
  operations,
  ownColumns,
  ownLineColumns,
  ownTaxColumns,
  type Paid,
  purchaseKinds,
  type PurchaseRow,
} from './purchase-invoices.rows.ts';
import {
  newPurchaseInput,
  presentPurchase,
  purchaseInput,
  purchaseReadOnly,
  purchaseShown,
} from './purchase-invoices.schema.ts';
import {
  findCorrected,
  hasSameNumber,
  isCancelledPurchase,
  isRegistered,
  listPagePurchasePayments,
  listPurchasePayments,
} from './purchase-invoices.store.ts';
import { countPurchase } from './rules/count-purchase.ts';
import { deductionPeriod } from './rules/days.ts';
import {
  checkReceived,
  plainNumber,
  isUntaxedImport,
  purchaseFields,
  type PurchaseSent,
  receivedDays,
} from './rules/purchase-fields.ts';
import { type PurchaseMove, purchaseStates, type Stage, stageOf } from './rules/states.ts';
import { purchaseStatuses, statusOf } from './rules/status.ts';

export const registeredAlready = (): Problem =>
  fail(c.business_rule_violation, {
    param: 'number',
    values: { reason: 'ya hay una factura recibida de este proveedor con este número y esta fecha.' },
  });

/** The paper that a purchase stands for. */
const paperOf = ({ client_id, supplier_number, issued_on }: PurchaseRow) =>
  [client_id, supplier_number?.toLowerCase(), issued_on].join();

const duplicate: Warning = {
  code: 'possible_duplicate',
  text: 'Hay otra factura recibida de este proveedor con el mismo número y otra fecha: puede ser la misma.',
};

const ended: Warning = {
  code: 'deduction_period_ends',
  text: 'Se recibió pasados los cuatro años de la operación: la deducción se imputa al último día en que cabía (LIVA, art. 99).',
};

/**
 * @throws 422 parameter_invalid for a corrected purchase that is not of this supplier, business_rule_violation for a paper that is here
 * under its number in another form
 */
async function weigh(ctx: Ctx, before: PurchaseRow | null, row: PurchaseRow): Promise<Warning[]> {
  const { tx, company } = ctx;
  const corrected = row.corrects?.purchase_invoice_id ?? null;
  const is_received_now = before?.number === null && row.number !== null;
  const is_new_paper = before === null || is_received_now || paperOf(before) !== paperOf(row);
  const has_paper = row.client_id !== null && row.supplier_number !== null;
  // Of one form, the index tells.
  const has_forms = has_paper && textForms(row.supplier_number ?? '').length > 1;
  const [found, is_known, is_here] = await Promise.all([
    corrected === null || corrected === before?.corrects?.purchase_invoice_id
      ? null
      : findCorrected(tx, company.company_id, corrected),
    is_new_paper && has_paper && hasSameNumber(tx, company.company_id, row),
    is_new_paper && has_forms && isRegistered(tx, company.company_id, row),
  ]);
  if (found === undefined || corrected === row.id || (found && found.client_id !== row.client_id))
    throw invalidParam('corrects.purchase_invoice_id', 'No es una factura recibida de este proveedor.');
  if (is_here) throw registeredAlready();
  return is_known ? [duplicate] : [];
}

const isCancelled =
  ({ tx, company }: Pick<Ctx, 'tx' | 'company'>) =>
  (id: string) =>
    isCancelledPurchase(tx, company.company_id, id);

const filterColumns: Readonly<Record<string, string>> = {
  supplier_id: 'client_id',
  number: 'supplier_number',
  reception_number: 'number',
};

function askedOf({ is_overdue, ...query }: Record<string, unknown>, today: string): Record<string, unknown> {
  const both = inBothForms(query, 'number', plainNumber);
  const named = Object.entries(both).map(([key, value]) => {
    const [name = key, rest = ''] = key.split(/(?=\[)/);
    return [`${filterColumns[name] ?? name}${rest}`, value];
  });
  const bound = is_overdue === undefined ? {} : { [is_overdue ? 'overdue_on' : 'not_overdue_on']: today };
  return { ...Object.fromEntries(named), ...bound };
}

/** The supplier owes what is left of a negative one, so it is never overdue: payments have the sign of the amount due. */
function overdueConditions(tx: Tx, query: Record<string, unknown>): ListCondition[] {
  const { overdue_on, not_overdue_on } = query as { overdue_on?: string; not_overdue_on?: string };
  const field = 'payable_until';
  if (overdue_on !== undefined) {
    const sql = tx`and t.payable_until < ${overdue_on} and t.amount_due > 0`;
    return [{ field, day_column: field, sql }];
  }
  if (not_overdue_on === undefined) return [];
  return [{ field, sql: tx`and (t.payable_until >= ${not_overdue_on} or t.amount_due <= 0)` }];
}

const flag = (description: string) => Type.Optional(Type.Boolean({ description }));

export const purchaseInvoices = defineFamily<PurchaseRow, Paid>({
  object: 'purchase_invoice',
  one: 'una factura recibida',
  many: 'las facturas recibidas',
  the: 'la factura recibida',
  collection: 'purchase_invoices',
  tables: {
    documents: 'purchase_invoices',
    lines: 'purchase_invoice_lines',
    taxes: 'purchase_invoice_tax_rows',
    tags: 'purchase_invoice_tags',
    document_id: 'purchase_invoice_id',
    others: ['purchase_invoice_payments'],
  },
  party: 'supplier',
  series: () => 'purchase_invoice',
  without: ['number', 'client', 'client_id', 'public_url', 'pdf', 'email'],
  creation: { move: 'mark_received', leaves: ({ draft }) => draft !== true },
  warning_codes: ['possible_duplicate', 'deduction_period_ends'],
  weigh,
  warn: (row) => (deductionPeriod(row)?.has_ended && !row.is_deduct_on_stated ? [ended] : []),
  fields: {
    columns: ownColumns,
    input: purchaseInput,
    new_input: newPurchaseInput,
    shown: purchaseShown,
    read_only: purchaseReadOnly,
    present: presentPurchase,
    lines: {
      columns: ownLineColumns,
      tax_columns: ownTaxColumns,
      input: lineInput,
      without: ['linked_expense_ids'],
      shown: lineShown,
      tax_shown: taxRowShown,
      read_only: lineReadOnly,
      present: presentLine,
      presentTax: presentTaxRow,
      kept: keptOfLine,
      paper: (row) => ({
        tax_kind: row.kind === 'agricultural_receipt' ? 'compensation' : 'vat',
        is_untaxed: isUntaxedImport(row),
        // What the company charges itself is VAT.
        takes_default_kind: row.kind !== 'agricultural_receipt' && row.operation === 'domestic',
      }),
      count: countPurchase,
    },
    read: (stored, sent, { today, is_new, is_numbered, reasons }) =>
      purchaseFields(stored, sent as PurchaseSent, {
        today,
        is_received: is_new ? is_numbered : stored?.number !== null,
        reasons,
      }),
    finish(row, _keys, sent, { stored, client, reasons }) {
      const is_first = stored === null || stored.issued_on === null || stored.client_id === null;
      const terms = (sent as PurchaseSent).due_on === undefined && is_first;
      const terms_days = terms ? (client?.payment_preferences?.terms_days ?? null) : null;
      if (row.issued_on === null) return {};
      const { issued_on, due_on } = row;
      return { due_on: reasons.attempt(() => dueDay(due_on, issued_on, terms_days)) ?? null };
    },
    ratesDay: ({ operation_on = null, issued_on }) => operation_on ?? issued_on,
    deciding: ['kind', 'operation', 'has_recipient_data', 'tax_breakdown', 'expected_total'],
    telling: {
      client_id: 'client_id',
      number: 'supplier_number',
      kind: 'kind',
      operation: 'operation',
      issued_on: 'issued_on',
      operation_on: 'operation_on',
      currency: 'currency',
      has_recipient_data: 'has_recipient_data',
      cash_accounting: 'cash_accounting',
      retention_kind: 'retention_kind',
      corrects: 'corrects',
    },
    numbering: {
      check: checkReceived,
      day: ({ received_on }, today) => received_on ?? today,
      day_param: 'received_on',
    },
    duplicate: () => ({
      supplier_number: null,
      operation_on: null,
      received_on: null,
      due_on: null,
      deduct_on: null,
      is_deduct_on_stated: false,
      corrects: null,
      scan_ids: [],
      paid_amount: '0.00',
      accounted_at: null,
      cancelled_at: null,
    }),
    moving(move, row, _sent, { now, today }) {
      if (move === 'mark_accounted') return { accounted_at: now };
      if (move === 'cancel') return { cancelled_at: now };
      return row.accounted_at === null ? receivedDays(row, today) : { accounted_at: null };
    },
  },
  mutable: mutableColumns,
  silent: ['deleted', 'number_assigned'],
  states: {
    statuses: purchaseStatuses,
    events: {},
    derive: (row: DocumentRow) => statusOf(row as PurchaseRow),
    peek: (from, move) => purchaseStates.peek(from as Stage, move as PurchaseMove),
    next: (from, move, details) => purchaseStates.next(from as Stage, move as PurchaseMove, details),
  },
  statusOn: stageOf,
  moved(move, before, after) {
    const named: Record<string, string> = {
      mark_received: 'purchase_invoice.updated',
      mark_accounted: 'purchase_invoice.updated',
      reverse_payment: 'purchase_invoice.updated',
      cancel: 'purchase_invoice.cancelled',
    };
    const own = named[move];
    const is_paid = before.status !== 'paid' && after.status === 'paid';
    return [...(own ? [{ type: own }] : []), ...(is_paid ? [{ type: 'purchase_invoice.paid' }] : [])];
  },
  async checkMove(ctx, before, after) {
    if (before.number === null && after.number !== null) await requireInUse(ctx, after.scan_ids);
  },
  async written(ctx, before, after) {
    const { emit } = ctx;
    await linkScans(ctx, {
      purchase_invoice_id: after.id,
      before: before?.scan_ids ?? [],
      after: after.scan_ids,
      isCancelled: isCancelled(ctx),
    });
    // An edit may leave nothing to pay.
    if (before !== null && before.status !== 'paid' && after.status === 'paid')
      emit('purchase_invoice.paid', after.id);
  },
  deleting: (ctx, { id, scan_ids }) =>
    linkScans(ctx, {
      purchase_invoice_id: id,
      before: scan_ids,
      after: [],
      isCancelled: isCancelled(ctx),
    }),
  events: purchaseInvoicesEvents,
  list: {
    query: {
      q: Type.Optional(
        Text(100, {
          minLength: 3,
          description:
            'Texto libre en los dos números y en el nombre y el NIF del proveedor; 3 caracteres o más, sin distinguir mayúsculas ni acentos',
        }),
      ),
      supplier_id: Type.Optional(Described(Uuid, 'Id del proveedor')),
      number: Type.Optional(Text(60, { description: 'Número que le dio el proveedor' })),
      reception_number: Type.Optional(Text(60, { description: 'Número de recepción, con su serie' })),
      kind: Type.Optional(Enum(purchaseKinds, { description: 'Clase de factura' })),
      operation: Type.Optional(Enum(operations, { description: 'Operación' })),
      is_investment_good: flag('Alguna de sus líneas es un bien de inversión'),
      is_overdue: flag('Ha vencido y queda algo por pagar'),
      ...rangeParameters('due_on', DayText, 'Vencimiento'),
      ...rangeParameters('received_on', DayText, 'Día en que se recibió'),
      ...rangeParameters('deduct_on', DayText, 'Día al que se imputa la deducción'),
    },
    streams: [
      'client_id',
      'supplier_number',
      'kind',
      'operation',
      'series_id',
      'is_investment_good',
      'status',
    ],
    days: ['issued_on', 'due_on', 'received_on', 'deduct_on'],
    conditions: overdueConditions,
    asked: askedOf,
    shared_sorts: ['total'],
    sorts: {
      issued_on: { ascending: 't.issued_on_up', descending: 't.issued_on_down' },
      due_on: { ascending: 't.due_on_up', descending: 't.due_on_down' },
    },
  },
  parts: {
    async read(tx, company_id, ids) {
      const of = Map.groupBy(
        await listPurchasePayments(tx, company_id, ids),
        ({ purchase_invoice_id }) => purchase_invoice_id,
      );
      return (id) => ({ payments: of.get(id) ?? [] });
    },
    async readPage(tx, company_id, ids) {
      const { payments, whole } = await listPagePurchasePayments(tx, company_id, ids);
      const of = Map.groupBy(payments, ({ purchase_invoice_id }) => purchase_invoice_id);
      return { of: (id) => ({ payments: of.get(id) ?? [] }), whole };
    },
    none: () => ({ payments: [] }),
  },
  paper: null,
  mail: null,
  unique: {
    number: ['purchase_invoices_number', 'purchase_invoices_series_number'],
    external_id: 'purchase_invoices_external_id',
    others: {
      purchase_invoices_paper: registeredAlready,
    },
  },
});
