/**
 * A company's daily work starts at midnight of its own clock and time zone. Deletion of old rows follows real
 * time.
 */
import { nextLocalMidnight } from '../../kernel/dates.ts';
import type { JobCtx, JobHandler } from '../../platform/worker.ts';
import { deleteExpiredKeys } from '../../platform/idempotency.ts';
import { deleteOldRequestLogs } from '../../platform/request-log.ts';

export const companyDailyKind = 'company.daily';

/** One module's work, in the job's transaction. It may run twice on the same day. */
export type DailyTask = (ctx: JobCtx) => Promise<void>;

/** Deletes `max` old rows at most. @returns whether more may be left */
export type Purge = (ctx: JobCtx, max: number) => Promise<boolean>;

const dayMs = 24 * 3_600_000;
const logsKeptMs = 30 * dayMs;
const purgeMax = 5000;

const purgeKeysAndLogs: Purge = async ({ tx, company: { company_id }, realNow }, max) => {
  const real_now = realNow();
  const keys = await deleteExpiredKeys(tx, company_id, real_now, max);
  const logs = await deleteOldRequestLogs(tx, company_id, new Date(real_now.getTime() - logsKeptMs), max);
  return keys === max || logs === max;
};

type DailyWork = { daily_tasks: readonly DailyTask[]; purges?: readonly Purge[]; events?: readonly string[] };
/** A catch-up step is one 31st of what is left, so the last two months go in single days. */
const stepPart = 31;

/**
 * A sandbox whose clock jumped ahead takes longer steps first: a year costs some 120 runs instead of 365. A
 * daily task does the work of all days since its last run.
 */
function nextDay({ company, now, job }: JobCtx): Date {
  const days_behind = (job.clock_now.getTime() - now.getTime()) / dayMs;
  const step = Math.max(1, Math.floor(days_behind / stepPart));
  return nextLocalMidnight(company.time_zone, new Date(now.getTime() + (step - 1) * dayMs));
}

export function companyDaily({ daily_tasks, purges = [], events = [] }: DailyWork): JobHandler {
  return {
    kind: companyDailyKind,
    events,
    async run(ctx) {
      const is_rest = ctx.job.payload.purge_only === true;
      if (!is_rest) for (const task of daily_tasks) await task(ctx);
      // Separate jobs delete the rest, so that no transaction grows long.
      let is_more = false;
      for (const purge of [purgeKeysAndLogs, ...purges]) if (await purge(ctx, purgeMax)) is_more = true;
      if (is_more) ctx.enqueue(companyDailyKind, { purge_only: true });
      return is_rest ? undefined : { next_run_at: nextDay(ctx) };
    },
  };
}
