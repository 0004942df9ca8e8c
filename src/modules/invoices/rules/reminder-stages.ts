/**
 * When the schedule reminds of an invoice. A stage is a number of days after the due day. Each day is handled once, so a stage
 * missed on its day (invoice paid then, no address) is not made up for.
 */
import { addDays } from '../../../kernel/dates.ts';
import type { InvoiceRow } from '../invoices.rows.ts';
import { pendingCents } from './pending.ts';
import { invoiceStates } from './states.ts';

export function isRemindable(invoice: Parameters<typeof pendingCents>[0]): boolean {
  const { status } = invoice;
  // More was given back of a rectified invoice than it owes now: the client pays that again (ADR 14).
  const may_be_open = status === 'rectified' || typeof invoiceStates.peek(status, 'remind') === 'string';
  return may_be_open && pendingCents(invoice) > 0n;
}

/** `through` is inclusive. */
export type DayRange = { after: string; through: string };

/**
 * The newest stage on these days. One on or before the day of issue does not count: nobody is reminded of what was just asked
 * for.
 * @param stages in any order
 * @param days those not handled yet; the last is today
 */
export function stageOf(
  { due_on, issued_on }: Pick<InvoiceRow, 'due_on' | 'issued_on'>,
  stages: readonly number[],
  { after, through }: DayRange,
): number | null {
  if (due_on === null || issued_on === null) return null;
  const dayOf = (stage: number) => addDays(due_on, stage);
  const newest = stages.filter((stage) => dayOf(stage) <= through).sort((a, b) => b - a)[0];
  if (newest === undefined) return null;
  const day = dayOf(newest);
  return day > after && day > issued_on ? newest : null;
}

/** Disjoint ranges in order. */
export function dueDays(stages: readonly number[], { after, through }: DayRange): DayRange[] {
  if (after >= through) return [];
  const ranges: DayRange[] = [];
  for (const stage of [...stages].sort((a, b) => b - a)) {
    const next = { after: addDays(after, -stage), through: addDays(through, -stage) };
    const last = ranges.at(-1);
    if (last && next.after <= last.through) last.through = next.through;
    else ranges.push(next);
  }
  return ranges;
}
