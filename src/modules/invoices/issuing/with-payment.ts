/** Adds the payment of a checkout to a plan: all that is to pay. */
import { fixedText } from '../../../domain/money/amount.ts';
import { printedToCents } from '../../../domain/money/printed.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { dayIn, isCalendarDay } from '../../../kernel/dates.ts';
import type { Ctx } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { newPaid, type PaymentMethod, type PaymentRow } from '../../payments/index.ts';
import { pendingCents } from '../rules/pending.ts';
import { invoiceStates } from '../rules/states.ts';
import type { InvoicePlan } from './plan.ts';

export type CheckoutPayment = {
  method: PaymentMethod;
  paid_at?: string | null;
  reference?: string | null;
  notes?: string | null;
  metadata?: Record<string, string> | null;
};

/**
 * What was paid of the invoices in whose place it is counts for it: where nothing is left by that, nothing is registered.
 * @throws 422 business_rule_violation when nothing is to pay or the payment is in the future; 409 by the state table
 */
export function withPayment(ctx: Ctx, plan: InvoicePlan, payment: CheckoutPayment): InvoicePlan {
  const { document: invoice } = plan.bundle;
  const pending = pendingCents(invoice);
  if (pending <= 0n && printedToCents(invoice.carried_amount) > 0n) return plan;
  const refuse = (param: string, reason: string) =>
    fail(c.business_rule_violation, { param, values: { reason } });
  const status = invoiceStates.next(invoice.status, 'pay_all', { param: 'payment' });
  const { paid_at } = payment;
  const day = paid_at
    ? isCalendarDay(paid_at)
      ? paid_at
      : dayIn(ctx.company.time_zone, new Date(paid_at))
    : ctx.today;
  if (day > ctx.today) throw refuse('payment.paid_at', 'la fecha del cobro no puede ser futura.');
  // When a dry run refuses the lines, the amount to pay is unknown.
  const is_known = plan.bundle.lines.length > 0;
  if (is_known && pending <= 0n) throw refuse('payment', 'la factura no tiene nada pendiente de cobro.');
  const said = { ...payment, payment_method: payment.method };
  const row: PaymentRow = {
    ...newPaid(said, { amount: fixedText(pending, 2), payment_date: day, now: ctx.now }),
    invoice_id: invoice.id,
    client_id: invoice.client_id,
  };
  ctx.emit('payment.received', row.id, { data: { payment: { id: row.id }, invoice: { id: invoice.id } } });
  ctx.emit('invoice.paid', invoice.id);
  const paid_amount = fixedText(printedToCents(invoice.paid_amount) + pending, 2);
  const bundle = {
    ...plan.bundle,
    document: { ...invoice, status, paid_amount },
    payments: [...plan.bundle.payments, row],
  };
  return { ...plan, bundle, new_payments: [row] };
}
