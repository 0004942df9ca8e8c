/**
 * How correctives and replacements move what is left to pay (ADR 14). A corrective by differences changes the amount due of its
 * original. A replacement takes over what the replaced invoices have left.
 */
import { type Cents, fixedText } from '../../../domain/money/amount.ts';
import { printedToCents } from '../../../domain/money/printed.ts';
import type { InvoiceRow } from '../invoices.rows.ts';
import { dueCents, statusByPending } from './pending.ts';
import { invoiceStates } from './states.ts';

/** By a full invoice or a corrective by substitution. */
export function isReplaced(
  row: Pick<InvoiceRow, 'settled_in_id' | 'substituted_by_id' | 'corrective_ids'>,
): boolean {
  const { settled_in_id, substituted_by_id, corrective_ids } = row;
  return settled_in_id !== null && (substituted_by_id !== null || corrective_ids.includes(settled_in_id));
}

/**
 * What a full invoice (F3) may replace: a simplified invoice, or the R5 that took its place. An R5 by differences stays with its
 * original, and one whose money is in an invoice above is part of that one. Of a replaced one its state tells.
 */
export function isTicket(row: InvoiceRow): boolean {
  if (row.type === 'F2') return true;
  const has_money = row.settled_in_id === null || isReplaced(row);
  return row.type === 'R5' && row.correction_type === 'substitution' && has_money;
}

/**
 * Adds `cents`, which may be negative, to the amount due. At zero the invoice becomes rectified; else its state follows from what
 * is left. A replaced invoice keeps its state, because its replacement states the whole amount.
 * @param is_corrected false when its last corrective was withdrawn: then one of nothing is not rectified
 * @throws 409 for an invoice that is not in force
 */
export function withMoreDue(row: InvoiceRow, cents: Cents, today: string, is_corrected = true): InvoiceRow {
  const next = { ...row, corrected_amount: fixedText(printedToCents(row.corrected_amount) + cents, 2) };
  if (isReplaced(row)) return next;
  const is_whole = is_corrected && dueCents(next) === 0n;
  if (row.status === 'rectified')
    return is_whole ? next : inForceAgain(next, 'uncorrect', today, is_corrected);
  const status = invoiceStates.next(row.status, is_whole ? 'correct_all' : 'correct_part');
  return { ...next, status: statusByPending({ ...next, status }, today) };
}

/**
 * After what corrected or replaced it was withdrawn. It stays rectified if its other correctives leave nothing.
 * @param is_corrected whether it has others. A full invoice counts those of its tickets, and is not rectified by them
 */
export function inForceAgain(
  row: InvoiceRow,
  move: 'uncorrect' | 'unsubstitute',
  today: string,
  is_corrected = true,
): InvoiceRow {
  const is_nothing = move === 'uncorrect' && is_corrected && dueCents(row) === 0n;
  if (is_nothing) return row;
  const status = invoiceStates.next(row.status, move);
  return { ...row, status: statusByPending({ ...row, status }, today) };
}

/** The replacement, after a payment of the replaced invoice was reversed. */
export function withLessCarried(row: InvoiceRow, cents: Cents, today: string): InvoiceRow {
  const status = invoiceStates.next(row.status, 'reverse_payment');
  const carried_amount = fixedText(printedToCents(row.carried_amount) - cents, 2);
  return { ...row, carried_amount, status: statusByPending({ ...row, status, carried_amount }, today) };
}

export function eventsOfStatus(
  before: Pick<InvoiceRow, 'status'>,
  after: Pick<InvoiceRow, 'status'>,
): ('invoice.paid' | 'invoice.overdue')[] {
  if (before.status === after.status) return [];
  if (after.status === 'paid') return ['invoice.paid'];
  return after.status === 'overdue' ? ['invoice.overdue'] : [];
}
