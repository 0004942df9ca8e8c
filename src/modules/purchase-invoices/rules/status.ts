/** The status follows from the row. The generated column of migration 0041 says the same. */
import { printedToCents } from '../../../domain/money/printed.ts';
import type { PurchaseRow } from '../purchase-invoices.rows.ts';

export const purchaseStatuses = ['draft', 'received', 'accounted', 'paid', 'cancelled'] as const;
export type PurchaseStatus = (typeof purchaseStatuses)[number];

export type Standing = Pick<
  PurchaseRow,
  'number' | 'amount_due' | 'paid_amount' | 'accounted_at' | 'cancelled_at'
>;

/** In cents; negative when the supplier owes it. Nothing is left of a cancelled one. */
export function pendingCents(row: Pick<Standing, 'amount_due' | 'paid_amount' | 'cancelled_at'>): bigint {
  return row.cancelled_at === null ? printedToCents(row.amount_due) - printedToCents(row.paid_amount) : 0n;
}

export function statusOf(row: Standing): PurchaseStatus {
  if (row.cancelled_at !== null) return 'cancelled';
  if (row.number === null) return 'draft';
  if (pendingCents(row) === 0n) return 'paid';
  return row.accounted_at === null ? 'received' : 'accounted';
}

/** All payments have the sign of the amount due, so their sum is zero only when none is in force. */
export function hasLivePayment({ paid_amount }: Pick<Standing, 'paid_amount'>): boolean {
  return printedToCents(paid_amount) !== 0n;
}
