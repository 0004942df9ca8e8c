/**
 * An active recurrence has one job, with its id (ADR 44). Each run makes one occurrence and waits for the next; jobs of a company run
 * together. The calendar of the recurrence decides what is due, never the job: one that comes too early waits, one without work ends.
 */
import { addDays, dayIn } from '../../kernel/dates.ts';
import { problemMessage } from '../../kernel/problem.ts';
import { newId } from '../../kernel/uuid7.ts';
import { endedByCall, type HeldLease } from '../../platform/job-handler.ts';
import type { JobCtx, JobHandler, TogetherCtx } from '../../platform/worker.ts';
import { findDocument, lockDocuments, updateDocuments } from '../sales/index.ts';
import { recurringErrors as e } from './recurring-invoices.errors.ts';
import { recurringInvoices as family } from './recurring-invoices.family.ts';
import type { RecurringRow } from './recurring-invoices.schema.ts';
import {
  findNextRun,
  newOccurrence,
  rezoneRuns,
  runKind,
  writeOccurrences,
} from './recurring-invoices.store.ts';
import { runTime } from './rules/calendar.ts';
import { attemptsMax, hasMissedTooMany, isDue } from './rules/states.ts';
import { type Refusal, runRecurringInvoices, type RunResult, runsMax } from './run-occurrences.ts';

/**
 * The occurrence failed today. It is tried again tomorrow, unless this was the last time.
 * @param correlation_id of the run: its events share it, as those of a call do
 */
async function noteRefusal(
  ctx: JobCtx,
  row: RecurringRow,
  { refused, correlation_id, is_last }: { refused: Refusal; correlation_id: string; is_last: boolean },
): Promise<RecurringRow> {
  const { tx, company, now, today, emit, audit } = ctx;
  const { company_id, time_zone } = company;
  const occurrence_on = row.next_occurrence_on ?? today;
  const earlier = row.last_error?.occurrence_on === occurrence_on ? row.last_error : null;
  const is_same_day = earlier !== null && dayIn(time_zone, new Date(earlier.at)) === today;
  const attempts = (earlier?.attempts ?? 0) + (is_same_day ? 0 : 1);
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
  // Too many missed days are reported, even if the first of them failed before.
  if (earlier === null || is_last)
    emit('recurring_invoice.failed', row.id, {
      data: { recurring_invoice: { id: row.id }, occurrence_on, error: { code, param } },
      correlation_id,
    });
  if (!is_paused) return next;
  emit('recurring_invoice.paused', row.id, { correlation_id });
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

async function runAll(
  { call }: Pick<TogetherCtx, 'call'>,
  jobs: readonly (Pick<HeldLease, 'id'> & Partial<HeldLease>)[],
): Promise<ReadonlyMap<string, RunResult | typeof endedByCall>> {
  const { body } = await call(runRecurringInvoices, { body: { jobs } });
  const { data } = body as { data: Record<string, RunResult | 'ended'> };
  return new Map(Object.entries(data).map(([id, result]) => [id, result === 'ended' ? endedByCall : result]));
}

export const runRecurrence: JobHandler = {
  kind: runKind,
  events: ['recurring_invoice.failed', 'recurring_invoice.paused'],
  outside: {
    lane: 'recurring',
    async begin(ctx): Promise<string | undefined> {
      const row = await findDocument(ctx.tx, family, ctx.company.company_id, ctx.job.id);
      return row && isDue(row, ctx.now) && !hasMissedTooMany(row, ctx.today) ? row.id : undefined;
    },
    call: async (id: string, ctx) => (await runAll(ctx, [{ id }])).get(id),
    together: { max: runsMax, call: (jobs, ctx) => runAll(ctx, jobs), run: settleAll },
  },
  run: async (ctx, result?: RunResult) => (await settleAll([{ ctx, result }]))[0],
};

/** Of one company. */
async function settleAll(
  jobs: readonly { ctx: JobCtx; result: RunResult | undefined }[],
): Promise<({ next_run_at: Date } | undefined)[]> {
  const [{ ctx }] = jobs as [(typeof jobs)[number]];
  const ids = jobs.map((one) => one.ctx.job.id);
  const rows = await lockDocuments(ctx.tx, family, ctx.company.company_id, ids);
  return Promise.all(
    jobs.map(async ({ ctx, result }) => {
      const row = rows.get(ctx.job.id);
      const next = row && (await settle(ctx, row, result));
      if (!next?.next_run_at) return undefined;
      // A run of a sandbox sees its due time, and time does not go back.
      const due = new Date(next.next_run_at);
      return { next_run_at: due < ctx.now ? ctx.now : due };
    }),
  );
}

/** Writes what the call does not: refusals, and more missed days than are made. */
async function settle(ctx: JobCtx, row: RecurringRow, result: RunResult | undefined): Promise<RecurringRow> {
  if (!isDue(row, ctx.now)) return row;
  if (result && result.occurrence_on === row.next_occurrence_on)
    return noteRefusal(ctx, row, { ...result, correlation_id: result.run_id, is_last: false });
  if (!hasMissedTooMany(row, ctx.today)) return row;
  return noteRefusal(ctx, row, { refused: tooMany, correlation_id: newId(), is_last: true });
}

/** @returns the next day on which an invoice that does not exist yet may be overdue, or reminded of */
export async function nextAfterRun({ tx, company, now }: JobCtx): Promise<string | null> {
  const run_at = await findNextRun(tx, company.company_id, now);
  return run_at && addDays(dayIn(company.time_zone, run_at), 1);
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
