/**
 * A company's daily work starts at midnight of its own clock and time zone. Deletion of old rows follows real
 * time, also while a sandbox clock stands still.
 */
import { addDays, dayStart } from '../../kernel/dates.ts';
import type { Tx } from '../../kernel/operation.ts';
import { holdClock } from '../../platform/company-context.ts';
import { companyDailyKind, ensureSchedule } from '../../platform/jobs.ts';
import type { JobCtx, JobHandler } from '../../platform/worker.ts';
import { deleteExpiredKeys } from '../../platform/idempotency.ts';
import { deleteOldRequestLogs } from '../../platform/request-log.ts';

const realDailyKind = 'company.real_daily';

/**
 * One module's work, in the job's transaction. It may run twice on the same day.
 * All tasks look before the first one works. Only the first task's look may lock rows, so that rows are locked in the order of the tasks.
 * @returns the work, if there is any; undefined on most days
 */
export type DailyTask = (ctx: JobCtx) => Promise<(() => Promise<void>) | undefined>;

/** A task as a job of its own. */
export const lookAndWork = (task: DailyTask) => async (ctx: JobCtx) => void (await (await task(ctx))?.());

type RealTask = (ctx: JobCtx) => Promise<void>;

/** @returns the first day after today for which a task has work by now; null for none */
export type NextWork = (ctx: JobCtx) => Promise<string | null>;

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

type DailyWork = {
  /** By the company's own day. */
  daily_tasks: readonly DailyTask[];
  next_work?: readonly NextWork[];
  /** By real time, as purges are: a sandbox that catches up does them on its last step alone. */
  real_tasks?: readonly RealTask[];
  purges?: readonly Purge[];
  events?: readonly string[];
};
/** A catch-up step is one 31st of what is left, so the last two months go in single days. */
const stepPart = 31;

/**
 * A sandbox whose clock jumped ahead takes longer steps first: a year costs some 120 runs instead of 365. A step ends on a day
 * for which there is work. A daily task does the work of all days since its last run.
 */
async function nextDay(ctx: JobCtx, next_work: readonly NextWork[]): Promise<Date> {
  const { company, now, today, job } = ctx;
  const days_behind = (job.clock_now.getTime() - now.getTime()) / dayMs;
  const step = Math.max(1, Math.floor(days_behind / stepPart));
  const known = step === 1 ? [] : await Promise.all(next_work.map((next) => next(ctx)));
  const days = [addDays(today, step), ...known.filter((day) => day !== null)];
  return dayStart(company.time_zone, days.sort()[0]!);
}

type RealWork = Pick<DailyWork, 'real_tasks' | 'purges'>;

/** Separate jobs delete the rest, so that no transaction grows long. */
async function purge(ctx: JobCtx, { purges = [] }: RealWork): Promise<void> {
  let is_more = false;
  for (const one of [purgeKeysAndLogs, ...purges]) if (await one(ctx, purgeMax)) is_more = true;
  if (is_more) ctx.enqueue(companyDailyKind, { purge_only: true });
}

async function doRealWork(ctx: JobCtx, work: RealWork): Promise<void> {
  for (const task of work.real_tasks ?? []) await task(ctx);
  await purge(ctx, work);
}

export function companyDaily(daily_work: DailyWork): JobHandler {
  const { daily_tasks, next_work = [], events = [] } = daily_work;
  return {
    kind: companyDailyKind,
    events,
    async run(ctx) {
      if (ctx.job.payload.purge_only === true) {
        await purge(ctx, daily_work);
        return undefined;
      }
      // All that a day without work asks goes out at once.
      const [supposed, ...looked] = await Promise.all([
        nextDay(ctx, next_work),
        ...daily_tasks.map((task) => task(ctx)),
      ]);
      const works = looked.filter((work) => work !== undefined);
      for (const work of works) await work();
      const next_run_at = works.length === 0 ? supposed : await nextDay(ctx, next_work);
      if (next_run_at > ctx.job.clock_now) await doRealWork(ctx, daily_work);
      return { next_run_at };
    },
  };
}

/** A clock that stands still has no midnight. Until it runs on, real days do what follows real time. */
export function realDaily(work: RealWork): JobHandler {
  return {
    kind: realDailyKind,
    async run(ctx) {
      if (!(await standsStill(ctx))) return undefined;
      await doRealWork(ctx, work);
      return { next_run_at: realDayAfter(ctx.realNow()) };
    },
  };
}

/** One that runs is held: whoever stops it next finds this job ended, and makes another. */
async function standsStill({ tx, company, job }: JobCtx): Promise<boolean> {
  if (job.is_clock_frozen) return true;
  const clock = await holdClock(tx, company.company_id);
  return clock !== undefined && clock.clock_frozen_at !== null;
}

const realDayAfter = (real_now: Date) => new Date(real_now.getTime() + dayMs);

/** For a sandbox whose clock stands still. */
export function ensureRealDays(tx: Tx, company_id: string, real_now: Date): Promise<void> {
  const next_run_at = realDayAfter(real_now);
  return ensureSchedule(tx, company_id, {
    schedule: realDailyKind,
    kind: realDailyKind,
    clock: 'real',
    next_run_at,
  });
}
