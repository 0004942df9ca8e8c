/**
 * A company's daily work, at the beginning of its day by its own clock: what other modules have to do each day,
 * and the deletion of what is kept for a time only. Keys and logs run on real time.
 */
import { nextLocalMidnight } from '../../kernel/dates.ts';
import type { JobCtx, JobHandler } from '../../platform/worker.ts';
import { deleteExpiredKeys } from '../../platform/idempotency.ts';
import { deleteOldRequestLogs } from '../../platform/request-log.ts';

export const companyDailyKind = 'company.daily';

/** One module's daily work, in the transaction of the job. It may run again on the same day. */
export type DailyTask = (ctx: JobCtx) => Promise<void>;

const dayMs = 24 * 3_600_000;
const logsKeptMs = 30 * dayMs;
const purgeMax = 5000;

/** Deletes a bounded part of what is past its time. @returns whether there may be more */
async function purge({ tx, company: { company_id }, realNow }: JobCtx): Promise<boolean> {
  const real_now = realNow();
  const keys = await deleteExpiredKeys(tx, company_id, real_now, purgeMax);
  const logs = await deleteOldRequestLogs(
    tx,
    company_id,
    new Date(real_now.getTime() - logsKeptMs),
    purgeMax,
  );
  return keys === purgeMax || logs === purgeMax;
}

/** What is done each day, and the events that it may emit. */
type DailyWork = { daily_tasks: readonly DailyTask[]; events?: readonly string[] };
/** A sandbox that catches up with a move of its clock takes such a part of what is left: single days for two months. */
const stepPart = 31;

/**
 * The next day that is worked for. A sandbox whose clock has jumped far ahead takes longer steps at first, so that a year
 * costs some 120 runs and not 365: a daily task does the work of all days since the last.
 */
function nextDay({ company, now, job }: JobCtx): Date {
  const days_behind = (job.clock_now.getTime() - now.getTime()) / dayMs;
  const step = Math.max(1, Math.floor(days_behind / stepPart));
  return nextLocalMidnight(company.time_zone, new Date(now.getTime() + (step - 1) * dayMs));
}

/** The scheduled job; main says what else is daily. */
export function companyDaily({ daily_tasks, events = [] }: DailyWork): JobHandler {
  return {
    kind: companyDailyKind,
    events,
    async run(ctx) {
      const is_rest = ctx.job.payload.purge_only === true;
      if (!is_rest) for (const task of daily_tasks) await task(ctx);
      // What is left over is deleted by jobs of their own, so that no transaction grows long.
      if (await purge(ctx)) ctx.enqueue(companyDailyKind, { purge_only: true });
      return is_rest ? undefined : { next_run_at: nextDay(ctx) };
    },
  };
}
