/**
 * An active recurrence has one job, with its id (ADR 44). Each run makes one occurrence and waits for the next. The calendar of the
 * recurrence decides what is due, never the job: one that comes too early waits, one without work ends.
 */
import { addDays } from '../../kernel/dates.ts';
import { Problem, problemMessage } from '../../kernel/problem.ts';
import type { JobCtx, JobHandler } from '../../platform/worker.ts';
import { findDocument, lockDocument, updateDocuments } from '../sales/index.ts';
import { recurringErrors as e } from './recurring-invoices.errors.ts';
import { recurringInvoices as family } from './recurring-invoices.family.ts';
import type { RecurringRow } from './recurring-invoices.schema.ts';
import { newOccurrence, rezoneRuns, runKind, writeOccurrences } from './recurring-invoices.store.ts';
import { runTime } from './rules/calendar.ts';
import { attemptsMax, hasMissedTooMany } from './rules/schedule.ts';
import { runRecurringInvoice } from './run-occurrence.ts';

type Intent = { recurring_invoice: string; occurrence_on: string };
type Refusal = { code: string; message: string; param: string | null };
type Result = { refused: Refusal; occurrence_on: string } | undefined;

const isDue = ({ now }: JobCtx, { status, next_run_at }: RecurringRow) =>
  status === 'active' && next_run_at !== null && new Date(next_run_at) <= now;

/** A lock, a full share and a fault of ours are no reason to pause a recurrence: the job is tried again. */
const isRefusal = (error: unknown): error is Problem => error instanceof Problem && error.def.status === 422;

/** The occurrence failed on this day. It is tried again tomorrow, and after the last time no more. */
async function noteRefusal(
  ctx: JobCtx,
  row: RecurringRow,
  refused: Refusal,
  is_last: boolean,
): Promise<RecurringRow> {
  const { tx, company, now, today, emit, audit } = ctx;
  const { company_id, time_zone } = company;
  const occurrence_on = row.next_occurrence_on ?? today;
  const attempts = (row.last_error?.occurrence_on === occurrence_on ? row.last_error.attempts : 0) + 1;
  const is_paused = is_last || attempts >= attemptsMax;
  const next: RecurringRow = {
    ...row,
    version: row.version + 1,
    updated_at: now,
    last_error: { ...refused, occurrence_on, at: now.toISOString(), attempts },
    ...(is_paused
      ? { status: 'paused', next_occurrence_on: null, next_run_at: null }
      : { next_run_at: runTime(time_zone, addDays(today, 1)).toISOString() }),
  };
  await Promise.all([
    updateDocuments(tx, family, company_id, [next]),
    writeOccurrences(tx, company_id, [
      newOccurrence(row.id, occurrence_on, now, { status: 'failed', error: refused }),
    ]),
  ]);
  const { code, param } = refused;
  if (attempts === 1)
    emit('recurring_invoice.failed', row.id, {
      data: { recurring_invoice: { id: row.id }, occurrence_on, error: { code, param } },
    });
  if (!is_paused) return next;
  emit('recurring_invoice.paused', row.id);
  audit({
    action: 'recurring_invoice.pause',
    object: family.object,
    object_id: row.id,
    details: { from: row.status, to: next.status, channel: 'job', code },
  });
  return next;
}

const tooMany: Refusal = {
  code: e.too_many_missed_occurrences.code,
  message: problemMessage(e.too_many_missed_occurrences),
  param: null,
};

export const runRecurrence: JobHandler = {
  kind: runKind,
  events: ['recurring_invoice.failed', 'recurring_invoice.paused'],
  outside: {
    lane: 'recurring',
    async begin(ctx): Promise<Intent | undefined> {
      const row = await findDocument(ctx.tx, family, ctx.company.company_id, ctx.job.id);
      if (!row || !isDue(ctx, row) || hasMissedTooMany(row, ctx.today)) return undefined;
      return { recurring_invoice: row.id, occurrence_on: row.next_occurrence_on! };
    },
    async call(intent: Intent, { call }): Promise<Result> {
      try {
        await call(runRecurringInvoice, { body: intent });
        return undefined;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        const { def, details } = error;
        const message = details.errors?.[0]?.message ?? problemMessage(def, details.values);
        const refused = { code: def.code, message, param: details.param ?? null };
        return { refused, occurrence_on: intent.occurrence_on };
      }
    },
  },
  async run(ctx, result?: Result) {
    const row = await lockDocument(ctx.tx, family, ctx.company.company_id, ctx.job.id);
    if (!row) return undefined;
    const next = await settle(ctx, row, result);
    return next.next_run_at === null ? undefined : { next_run_at: new Date(next.next_run_at) };
  },
};

/** Writes what the call does not: refusals, and more missed days than are made. */
async function settle(ctx: JobCtx, row: RecurringRow, result: Result): Promise<RecurringRow> {
  if (!isDue(ctx, row)) return row;
  if (result && result.occurrence_on === row.next_occurrence_on)
    return noteRefusal(ctx, row, result.refused, false);
  return hasMissedTooMany(row, ctx.today) ? noteRefusal(ctx, row, tooMany, true) : row;
}

export const rezoneKind = 'recurring_invoices.rezone';
const firstId = '00000000-0000-0000-0000-000000000000';

/** The company moved to another zone: its recurrences run at that zone's hour. */
export const rezoneRecurrences: JobHandler = {
  kind: rezoneKind,
  async run({ tx, company: { company_id, time_zone }, job, enqueue }) {
    const after = typeof job.payload.after === 'string' ? job.payload.after : firstId;
    const last = await rezoneRuns(tx, company_id, after, (day) => runTime(time_zone, day));
    if (last !== undefined) enqueue(rezoneKind, { after: last });
  },
};
