/**
 * What is left to pay of an invoice: `amount_due`, with what correctives and substitutions took or added, less
 * the payments in force. A negative amount is owed to the client.
 */
import type { Cents } from '../../../domain/money/amount.ts';
import { printedToCents } from '../../../domain/money/printed.ts';
import type { InvoiceRow } from '../invoices.rows.ts';
import { type InvoiceStatus, invoiceStates } from './states.ts';

type Amounts = Pick<InvoiceRow, 'amount_due' | 'corrected_amount' | 'paid_amount'>;

/** `amount_due` with its corrections, in cents. */
export function dueCents(row: Pick<Amounts, 'amount_due' | 'corrected_amount'>): Cents {
  return printedToCents(row.amount_due) + printedToCents(row.corrected_amount);
}

export function pendingCents(row: Amounts): Cents {
  return dueCents(row) - printedToCents(row.paid_amount);
}

/** The state of an invoice that is open again, by what is left to pay and its due day. */
export function reopened(
  row: Amounts & Pick<InvoiceRow, 'due_on'>,
  open: InvoiceStatus,
  today: string,
): InvoiceStatus {
  if (open !== 'issued' && open !== 'sent') return open;
  if (pendingCents(row) <= 0n && printedToCents(row.paid_amount) > 0n)
    return invoiceStates.next(open, 'pay_all');
  return row.due_on !== null && row.due_on < today && pendingCents(row) > 0n
    ? invoiceStates.next(open, 'become_overdue')
    : open;
}
