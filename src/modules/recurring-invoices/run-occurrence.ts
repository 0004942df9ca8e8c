/**
 * The operation that the job calls: the due occurrence of an active recurrence, through the one function that issues. It is no part of
 * the API. A repeated call finds that the occurrence is made, and does nothing.
 */
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { DayText, One, Shape, Type, Uuid } from '../../kernel/schema.ts';
import {
  commitInvoicePlan,
  Invoice,
  invoiceErrors as e,
  type InvoicePlan,
  type Replayed,
} from '../invoices/index.ts';
import { findBundle } from '../sales/index.ts';
import { nextStatus } from './moves.ts';
import { prepareInvoice, withOccurrence } from './occurrences.ts';
import { emitRecurringInvoice } from './operations/emit-recurring-invoice.ts';
import { recurringInvoices as family } from './recurring-invoices.family.ts';

const nothing: Replayed = { ready: { status: 200, body: { data: {} } } };

export const runRecurringInvoice = defineOperation({
  name: 'run_recurring_invoice',
  method: 'POST',
  path: '/internal/recurring_invoices/run',
  scope: 'recurring_invoices:transition',
  tag: family.collection,
  summary: 'Hace la factura del día.',
  transaction: 'issuing',
  mcp: false,
  body: Shape({ recurring_invoice: Uuid, occurrence_on: DayText }),
  status: 201,
  other_statuses: [{ status: 200, when: 'Ya estaba hecha.', output: One(Type.Object({})) }],
  output: One(Invoice),
  errors: [c.missing_required_param, c.business_rule_violation, e.verifactu_not_eligible],
  events: emitRecurringInvoice.events,

  async handle(ctx, { body }): Promise<InvoicePlan | Replayed> {
    const bundle = await findBundle(ctx.tx, family, ctx.company.company_id, body.recurring_invoice);
    const row = bundle?.document;
    if (!bundle || row?.status !== 'active' || row.next_occurrence_on !== body.occurrence_on) return nothing;
    nextStatus(row, 'run');
    const occurrence = { index: row.next_index, day: body.occurrence_on };
    const plan = await prepareInvoice(ctx, bundle, occurrence);
    if (!('bundle' in plan)) throw new Error('An occurrence has no external id.');
    return withOccurrence(ctx, plan, bundle, occurrence, 'run');
  },
  commit: commitInvoicePlan,
});
