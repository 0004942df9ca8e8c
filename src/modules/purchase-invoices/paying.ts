/** Payments of a purchase: made, and taken back. The caller's transaction keeps purchase and payment together. */
import { type Cents, fixedText } from '../../domain/money/amount.ts';
import { printedToCents } from '../../domain/money/printed.ts';
import { centsText } from '../../domain/printing/numbers.ts';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Ctx } from '../../kernel/operation.ts';
import { fail } from '../../kernel/problem.ts';
import { brokenRule } from '../../kernel/resource-input.ts';
import { PlanStale } from '../../platform/issuing-call.ts';
import { newPaid, type PaymentMethod, refuseMorePayments, reversedPayment } from '../payments/index.ts';
import { lockDocument, tellMove, updateDocuments, withStatus } from '../sales/index.ts';
import { purchaseInvoices } from './purchase-invoices.family.ts';
import type { PurchasePaymentRow, PurchaseRow } from './purchase-invoices.rows.ts';
import {
  countPurchasePayments,
  insertPurchasePayment,
  isTakenPaymentId,
  reversePurchasePayment,
} from './purchase-invoices.store.ts';
import { purchaseStates, stageOf } from './rules/states.ts';
import { pendingCents } from './rules/status.ts';

/** @throws 404 resource_not_found */
export async function lockPurchase({ tx, company }: Ctx, id: string): Promise<PurchaseRow> {
  const row = await lockDocument(tx, purchaseInvoices, company.company_id, id);
  if (!row) throw fail(c.resource_not_found, { param: 'purchase_invoice' });
  return row;
}

export type Asked = {
  payment_date?: string | null | undefined;
  payment_method: PaymentMethod;
  reference?: string | null | undefined;
  notes?: string | null | undefined;
  external_id?: string | null | undefined;
  metadata?: Record<string, string> | null | undefined;
};

/** In cents. `amount` null: all that is pending. */
type Amounts = { amount: Cents | null; settled?: Cents | null };

/** @throws 409 invalid_status_transition, 422 business_rule_violation */
function payableCents(row: PurchaseRow, { amount, settled = null }: Amounts): Cents {
  purchaseStates.next(stageOf(row), 'pay');
  const pending = pendingCents(row);
  if (amount === null && pending === 0n)
    throw fail(c.invalid_status_transition, { values: { reason: 'no queda nada por pagar.' } });
  const paid = amount ?? pending;
  // What the supplier gives back of a corrective is negative.
  if (pending >= 0n ? paid > pending || paid < 0n : paid < pending || paid > 0n)
    throw brokenRule('amount', `el pago supera lo pendiente de la factura: ${centsText(pending, 'es')}.`);
  if (settled !== null && row.currency === 'EUR')
    throw brokenRule('settled_amount', 'una factura en euros no lleva lo que costó en euros.');
  if (settled !== null && (settled === 0n || settled > 0n !== paid > 0n))
    throw brokenRule('settled_amount', 'lo que costó en euros tiene el signo del pago.');
  return paid;
}

/** @throws what `payableCents` throws; 422 business_rule_violation for a day to come, or one payment too many */
export async function pay(
  ctx: Ctx,
  before: PurchaseRow,
  amounts: Amounts,
  asked: Asked,
  move: 'mark_paid' | 'register_payment',
): Promise<{ purchase: PurchaseRow; payment: PurchasePaymentRow }> {
  const { tx, company, now, today } = ctx;
  const amount = payableCents(before, amounts);
  const payment_date = asked.payment_date ?? today;
  if (payment_date > today) throw brokenRule('payment_date', 'la fecha del pago no puede ser futura.');
  const payment: PurchasePaymentRow = {
    ...newPaid(asked, { amount: fixedText(amount, 2), payment_date, now }),
    purchase_invoice_id: before.id,
    settled_amount: amounts.settled == null ? null : fixedText(amounts.settled, 2),
  };
  const purchase = withPaid(ctx, before, amount);
  const [count] = await Promise.all([
    countPurchasePayments(tx, company.company_id, before.id),
    insertPurchasePayment(tx, company.company_id, payment),
    updateDocuments(tx, purchaseInvoices, company.company_id, [purchase]),
  ]).catch((error: unknown) => {
    throw isTakenPaymentId(error) ? new PlanStale('The external id was taken meanwhile.') : error;
  });
  refuseMorePayments(count);
  const data = { purchase_invoice: { id: before.id }, payment: { id: payment.id } };
  ctx.emit('purchase_invoice.payment_registered', before.id, { data });
  tellMove(ctx, purchaseInvoices, { move, before, after: purchase, details: { payment_id: payment.id } });
  return { purchase, payment };
}

function withPaid({ now }: Pick<Ctx, 'now'>, row: PurchaseRow, amount: Cents): PurchaseRow {
  const paid_amount = fixedText(printedToCents(row.paid_amount) + amount, 2);
  return withStatus(purchaseInvoices, { ...row, paid_amount, version: row.version + 1, updated_at: now });
}

/** The purchase goes back to what it was without the payment. @throws 409 for a payment that is reversed */
export async function reverse(
  ctx: Ctx,
  before: PurchaseRow,
  payment: PurchasePaymentRow,
  { reason, note }: { reason: NonNullable<PurchasePaymentRow['reversal_reason']>; note: string | null },
): Promise<PurchasePaymentRow> {
  const { tx, company, now } = ctx;
  if (payment.is_reversed) {
    const values = { reason: 'el pago ya está anulado.' };
    throw fail(c.invalid_status_transition, { param: 'payment', values });
  }
  const reversed: PurchasePaymentRow = reversedPayment(payment, { reason, note, now });
  const after = withPaid(ctx, before, -printedToCents(payment.amount));
  await Promise.all([
    reversePurchasePayment(tx, company.company_id, reversed),
    updateDocuments(tx, purchaseInvoices, company.company_id, [after]),
  ]);
  const details = { payment_id: payment.id, reversal_reason: reason };
  tellMove(ctx, purchaseInvoices, { move: 'reverse_payment', before, after, details });
  return reversed;
}
