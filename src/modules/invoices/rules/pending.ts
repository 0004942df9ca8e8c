/**
 * What is left to pay. Nothing is left of a withdrawn invoice, nor of one settled in another (ADR 14), so no sum is due twice. A
 * negative amount is owed to the client.
 */
import type { Cents } from '../../../domain/money/amount.ts';
import { printedToCents } from '../../../domain/money/printed.ts';
import type { InvoiceRow } from '../invoices.rows.ts';
import { type InvoiceStatus, invoiceStates } from './states.ts';

type Amounts = Pick<
  InvoiceRow,
  'status' | 'amount_due' | 'corrected_amount' | 'paid_amount' | 'carried_amount' | 'settled_in_id'
>;

/** With its correctives by differences. */
export function dueCents(row: Pick<Amounts, 'amount_due' | 'corrected_amount'>): Cents {
  return printedToCents(row.amount_due) + printedToCents(row.corrected_amount);
}

/** Includes payments of the invoices that it replaced. */
export function receivedCents(row: Pick<Amounts, 'paid_amount' | 'carried_amount'>): Cents {
  return printedToCents(row.paid_amount) + printedToCents(row.carried_amount);
}

export function isWithdrawn({ status }: Pick<Amounts, 'status'>): boolean {
  return status === 'voided' || status === 'annulled';
}

export function pendingCents(row: Amounts): Cents {
  return row.settled_in_id !== null || isWithdrawn(row) ? 0n : dueCents(row) - receivedCents(row);
}

/**
 * An issued invoice is paid when nothing is left and something was paid or given back, open again when something is left, overdue
 * after its due day. Other states stay.
 */
export function statusByPending(row: Amounts & Pick<InvoiceRow, 'due_on'>, today: string): InvoiceStatus {
  const { status } = row;
  const follows = status === 'issued' || status === 'sent' || status === 'overdue' || status === 'paid';
  if (!follows || row.settled_in_id !== null) return status;
  const pending = pendingCents(row);
  const received = receivedCents(row);
  // A negative invoice is settled when all that it owes was given back.
  if (received > 0n ? pending <= 0n : received < 0n && pending === 0n)
    return status === 'paid' ? status : invoiceStates.next(status, 'pay_all');
  const is_wrong = status === 'paid' || (status === 'overdue' && pending <= 0n);
  const open = is_wrong ? invoiceStates.next(status, 'reopen') : status;
  const is_late = row.due_on !== null && row.due_on < today && pending > 0n;
  return is_late && open !== 'overdue' ? invoiceStates.next(open, 'become_overdue') : open;
}
