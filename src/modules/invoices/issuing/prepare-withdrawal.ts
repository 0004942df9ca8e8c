/** Prepares the withdrawal of an issued invoice, with the reversal of its payments where that was asked for. */
import type { Ctx } from '../../../kernel/operation.ts';
import { presentPayment } from '../../payments/index.ts';
import type { InvoiceBundle } from '../invoices.rows.ts';
import { livePayments, withdrawalFaults } from '../rules/annulment.ts';
import { reversed, withoutPayments } from '../rules/reversal.ts';
import { invoiceStates } from '../rules/states.ts';
import { changePlan, type InvoicePlan } from './plan.ts';

/** @throws 409 invalid_status_transition */
export function prepareWithdrawal(ctx: Ctx, bundle: InvoiceBundle, move: 'annul' | 'void', revert_collections: boolean): InvoicePlan {
  const { invoice, payments } = bundle;
  const [fault] = withdrawalFaults(invoice, payments, move, revert_collections);
  if (fault) throw fault;
  const live = livePayments(payments);
  const reason = 'issued_in_error' as const;
  const voided = reversed(live, { reason, note: null, now: ctx.now, today: ctx.today });
  const status = invoiceStates.next(invoice.status, move);
  const row = live.length === 0 ? invoice : withoutPayments(invoice, live, ctx.today);
  for (const payment of voided) {
    ctx.emit('payment.reversed', payment.id, { data: { type: 'payment', object: presentPayment(payment), reversal: { reason, origin: 'manual' } } });
  }
  ctx.emit(move === 'annul' ? 'invoice.annulled' : 'invoice.cancelled', invoice.id);
  const byId = new Map(voided.map((payment) => [payment.id, payment]));
  const plan = changePlan(ctx, invoice, {
    ...bundle, invoice: { ...row, status }, payments: payments.map((payment) => byId.get(payment.id) ?? payment),
  });
  return { ...plan, reversed_payments: voided };
}
