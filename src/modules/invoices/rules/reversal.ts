/** Reverses payments. A paid invoice becomes `sent`, or `overdue` after its due day. */
import { fixedText } from '../../../domain/money/amount.ts';
import { printedToCents } from '../../../domain/money/printed.ts';
import { type PaymentRow, reversedPayment, type ReversalReason } from '../../payments/index.ts';
import type { InvoiceRow } from '../invoices.rows.ts';
import { statusByPending } from './pending.ts';
import { invoiceStates } from './states.ts';

export type Reversal = { reason: ReversalReason; note: string | null; now: Date; today: string };

export function reversed(payments: readonly PaymentRow[], reversal: Reversal): PaymentRow[] {
  return payments.map((payment) => reversedPayment(payment, reversal));
}

/** @throws 409 for a state in which no payment is reversed */
export function withoutPayments(
  invoice: InvoiceRow,
  payments: readonly PaymentRow[],
  today: string,
): InvoiceRow {
  const left = payments.reduce(
    (sum, payment) => sum - printedToCents(payment.amount),
    printedToCents(invoice.paid_amount),
  );
  const status = invoiceStates.next(invoice.status, 'reverse_payment');
  const row = { ...invoice, status, paid_amount: fixedText(left, 2) };
  return { ...row, status: statusByPending(row, today) };
}
