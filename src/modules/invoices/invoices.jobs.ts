/** Marks invoices past their due day as overdue, by the company's own calendar. */
import { addDays, dayIn } from '../../kernel/dates.ts';
import type { JobCtx } from '../../platform/worker.ts';
import { findNextDue, lockDue, setOverdue } from './invoices.store.ts';
import { invoiceStates } from './rules/states.ts';

const batchMax = 500;

export const markOverdueEvents = ['invoice.overdue'];

/** Marks a bounded batch and enqueues the rest. It may run twice. */
export async function markOverdue({ tx, company, now, emit, enqueue }: JobCtx) {
  const { company_id, time_zone } = company;
  const rows = await lockDue(tx, company_id, dayIn(time_zone, now), batchMax);
  if (rows.length === 0) return undefined;
  return async (): Promise<void> => {
    for (const row of rows) {
      invoiceStates.next(row.status, 'become_overdue');
      emit('invoice.overdue', row.id);
    }
    await setOverdue(
      tx,
      company_id,
      rows.map((row) => row.id),
      now,
    );
    if (rows.length === batchMax) enqueue(markOverdueKind, {});
  };
}

export const markOverdueKind = 'invoices.mark_overdue';

/** @returns the next day on which an invoice becomes overdue */
export async function nextOverdue({ tx, company, today }: JobCtx): Promise<string | null> {
  const due_on = await findNextDue(tx, company.company_id, today);
  return due_on === null ? null : addDays(due_on, 1);
}
