/** The states of a recurrence, and when an active one makes its next invoice. Days are of the company's zone. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineStates } from '../../../kernel/states.ts';
import { recurringErrors as e } from '../recurring-invoices.errors.ts';
import { addDays } from '../../../kernel/dates.ts';
import { type Calendar, dayWithin, firstIndexFrom, type Limits, runTime } from './calendar.ts';

export const recurringStatuses = ['active', 'paused', 'completed', 'cancelled'] as const;
export type RecurringStatus = (typeof recurringStatuses)[number];

export type RecurringMove =
  | 'edit_content'
  | 'edit_labels'
  | 'delete'
  | 'pause'
  | 'resume'
  | 'cancel'
  | 'emit'
  | 'run';

const no = c.invalid_status_transition;
const rule = c.business_rule_violation;

/** Each cell is the next state, or the error that refuses the move. A recurrence with nothing left after a run is `completed`. */
export const recurringStates = defineStates<RecurringStatus, RecurringMove>({
  active: {
    edit_content: 'active',
    edit_labels: 'active',
    delete: 'active',
    pause: 'paused',
    resume: e.recurring_invoice_already_active,
    cancel: 'cancelled',
    emit: 'active',
    run: 'active',
  },
  paused: {
    edit_content: 'paused',
    edit_labels: 'paused',
    delete: 'paused',
    pause: e.recurring_invoice_already_paused,
    resume: 'active',
    cancel: 'cancelled',
    emit: 'paused',
    run: no,
  },
  completed: {
    edit_content: no,
    edit_labels: 'completed',
    delete: 'completed',
    pause: rule,
    resume: e.recurring_invoice_completed_cannot_resume,
    cancel: no,
    emit: rule,
    run: no,
  },
  cancelled: {
    edit_content: no,
    edit_labels: 'cancelled',
    delete: 'cancelled',
    pause: rule,
    resume: e.recurring_invoice_cancelled_cannot_resume,
    cancel: no,
    emit: rule,
    run: no,
  },
});

export type Scheduled = Calendar &
  Limits & {
    status: string;
    next_index: number;
    next_occurrence_on: string | null;
    next_run_at: Date | string | null;
    occurrences_count: number;
    last_occurrence_on: string | null;
  };

type Next = Pick<Scheduled, 'status' | 'next_index' | 'next_occurrence_on' | 'next_run_at'>;

/** Beyond this, none is made. */
export const missedMax = 12;
/** Days on which a refused occurrence is tried. */
export const attemptsMax = 5;

/** With nothing left, it is completed. Only an active one has a next day. */
export function scheduledAt(row: Scheduled, index: number, time_zone: string): Next {
  const day = dayWithin(row, row, index, row.occurrences_count);
  const is_open = row.status === 'active' || row.status === 'paused';
  const status = day === null && is_open ? 'completed' : row.status;
  const next_occurrence_on = status === 'active' ? day : null;
  return {
    status,
    next_index: index,
    next_occurrence_on,
    next_run_at: next_occurrence_on === null ? null : runTime(time_zone, next_occurrence_on).toISOString(),
  };
}

/** The first day of a new calendar. It is not before today, and after the last day for which an invoice was made. */
export function firstIndexOf(row: Calendar & Pick<Scheduled, 'last_occurrence_on'>, today: string): number {
  const after = row.last_occurrence_on === null ? today : addDays(row.last_occurrence_on, 1);
  return firstIndexFrom(row, after > today ? after : today);
}

/** For one that was paused: what passed meanwhile is skipped. */
export function indexFromToday(row: Scheduled, today: string): number {
  return Math.max(row.next_index, firstIndexFrom(row, today));
}

/** The occurrence that a run or an emission makes; null when nothing is left. */
export function nextOccurrence(row: Scheduled, today: string): { index: number; day: string } | null {
  const index = row.status === 'active' ? row.next_index : indexFromToday(row, today);
  const day = dayWithin(row, row, index, row.occurrences_count);
  return day === null ? null : { index, day };
}

export function isDue({ status, next_run_at }: Scheduled, now: Date): boolean {
  return status === 'active' && next_run_at !== null && new Date(next_run_at) <= now;
}

/** Whether more days have passed than are made late. */
export function hasMissedTooMany(row: Scheduled, today: string): boolean {
  const day = dayWithin(row, row, row.next_index + missedMax, row.occurrences_count + missedMax);
  return day !== null && day <= today;
}

/** The index after all passed days of a calendar that an edit ends. */
export function indexAfterPassed(row: Scheduled, today: string): number {
  const index = indexFromToday(row, today);
  const { ends_on } = row;
  return ends_on === null || ends_on >= today
    ? index
    : Math.min(index, firstIndexFrom(row, addDays(ends_on, 1)));
}

const skippedMax = 500;

/** The indexes that a pause skipped, the last ones of very many. `until` is the one after them. */
export function skippedDays(row: Scheduled, until: number): { first: number; until: number } {
  return { first: Math.max(row.next_index, until - skippedMax), until };
}
