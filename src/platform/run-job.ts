/**
 * Runs one claimed job: a transaction as its company holds the handler's effects, its events and jobs, and the
 * end of the job itself. A failure rolls all of it back and a second transaction notes it with the time of the
 * next attempt. Both write under the lease, so that a job taken over meanwhile has its effects once.
 */
import type { Tx } from '../kernel/operation.ts';
import type { Ports } from '../kernel/ports.ts';
import { latestVersion } from '../kernel/versions.ts';
import type { Clock } from './clock.ts';
import { holdClock, type LoadedCompany, loadCompany } from './company-context.ts';
import { constraintOf, type Database, sqlState } from './db.ts';
import { type Claimed, dueInstant } from './due-work.ts';
import { EventBuffer, insertEvents } from './events.ts';
import { defaultRetry, type JobCtx, type JobHandler, type JobLog, type OutsidePart } from './job-handler.ts';
import { insertJobs, JobBuffer } from './jobs.ts';

export type RunParts = { db: Database; clock: Clock; ports: Ports; log: JobLog };

/** `postponed`: not due after all, as the company's clock was changed meanwhile. `lost`: somebody else has it. */
export type Outcome = 'done' | 'again' | 'postponed' | 'failed' | 'failed_permanently' | 'lost';

type HeldJob = {
  payload: Record<string, unknown> | null;
  clock: 'company' | 'real';
  run_at: Date;
  schedule: string | null;
  attempts: number;
  takeovers: number;
};

/** The lease ran out and the row is another worker's: nothing of this run may be kept. */
class LeaseLost extends Error {}

const racesMax = 5;
const errorTextMax = 500;

/** Runs the job. Never throws: what cannot even be noted is left to the lease, which runs out. */
export async function runJob(parts: RunParts, handler: JobHandler, claimed: Claimed): Promise<Outcome> {
  const about = { company_id: claimed.company_id, job_id: claimed.id, job_kind: handler.kind };
  const log = tellAbout(parts.log, about);
  try {
    try {
      const begun = handler.outside ? await begin(parts, handler.outside, claimed, log) : undefined;
      if (begun === 'done' || begun === 'postponed') return begun;
      return await retryLostRace(() =>
        parts.db.transaction(claimed.company_id, (tx) => work(tx, parts, handler, claimed, log, begun)),
      );
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      const outcome = await parts.db.transaction(claimed.company_id, (tx) =>
        noteFailure(tx, parts.clock.now(), handler, claimed, error),
      );
      if (outcome === 'failed_permanently') log.error({ err: error }, 'job failed permanently');
      else log.warn({ err: error }, 'job failed, another attempt follows');
      return outcome;
    }
  } catch (error) {
    if (error instanceof LeaseLost) {
      log.warn({}, 'job was taken over, this run is not kept');
      return 'lost';
    }
    log.error({ err: error }, 'the failure of a job could not be noted');
    return 'failed';
  }
}

/** The job, while its due row is ours. */
async function getHeldJob(tx: Tx, { company_id, id, lease_id }: Claimed): Promise<HeldJob> {
  const [row] = await tx<HeldJob[]>`
    select j.payload, j.clock, j.run_at, j.schedule, j.attempts, d.takeovers
      from due_work d left join jobs j on j.company_id = d.company_id and j.id = d.id
     where d.company_id = ${company_id} and d.id = ${id} and d.lease_id = ${lease_id}`;
  if (!row) throw new LeaseLost();
  return row;
}

/** What a call outside answered; nothing when nobody was called. */
type Begun = { result: unknown };

type Opened = { ctx: JobCtx; job: HeldJob; loaded: LoadedCompany; flush(): Promise<unknown> };

/**
 * Opens the job within a transaction of its company.
 * @param is_going_on its call outside was made: it goes on, whatever the clock says by now
 */
async function open(
  tx: Tx,
  parts: RunParts,
  handler: Pick<JobHandler, 'retry'>,
  claimed: Claimed,
  log: JobLog,
  is_going_on: boolean,
): Promise<Opened | 'done' | 'postponed'> {
  const { company_id, id } = claimed;
  const real_now = parts.clock.now();
  const [loaded, job] = await Promise.all([loadCompany(tx, company_id, real_now), getHeldJob(tx, claimed)]);
  if (job.payload === null) {
    log.warn({}, 'due work without a job was removed');
    await finish(tx, claimed);
    return 'done';
  }
  if (!is_going_on && job.clock === 'company' && job.run_at > loaded.now) {
    const clock = (await holdClock(tx, company_id)) ?? loaded.clock;
    await setDue(tx, claimed, dueInstant(clock, job.run_at, real_now));
    return 'postponed';
  }
  // Whatever kills its worker each time must come to an end as well.
  const attempt = job.attempts + job.takeovers + 1;
  if (job.takeovers > 0 && job.schedule === null && attempt > retryOf(handler).length + 1) {
    throw new Error('Its worker ended in the middle of it, time and again.');
  }
  const events = new EventBuffer(null);
  const jobs = new JobBuffer();
  const ctx: JobCtx = {
    tx,
    company_id,
    company: loaded.company,
    job_id: id,
    payload: job.payload,
    attempt,
    run_at: job.run_at,
    now: loaded.now,
    today: loaded.today,
    is_clock_frozen: loaded.clock.clock_frozen_at !== null,
    real_now,
    ports: parts.ports,
    log,
    emit: (type, aggregate_id, options) => events.add(type, aggregate_id, options),
    enqueue: (kind, payload, options) => jobs.add(kind, payload, options),
  };
  const { company, clock, now } = loaded;
  return {
    ctx,
    job,
    loaded,
    flush: () =>
      Promise.all([
        insertEvents(tx, events.events, { company, version: latestVersion, now }),
        insertJobs(tx, jobs.jobs, { company_id, clock, now, real_now }),
      ]),
  };
}

/** The first half of a job that calls outside: its own transaction, then the call with none open. */
async function begin(
  parts: RunParts,
  outside: OutsidePart,
  claimed: Claimed,
  log: JobLog,
): Promise<Begun | 'done' | 'postponed'> {
  const begun = await retryLostRace(() =>
    parts.db.transaction(claimed.company_id, async (tx) => {
      const opened = await open(tx, parts, {}, claimed, log, false);
      if (typeof opened === 'string') return opened;
      const intent = await outside.begin(opened.ctx);
      await opened.flush();
      return { intent };
    }),
  );
  if (typeof begun === 'string') return begun;
  if (begun.intent === undefined) return { result: undefined };
  return { result: await outside.call(begun.intent as never, { ports: parts.ports, log }) };
}

async function work(
  tx: Tx,
  parts: RunParts,
  handler: JobHandler,
  claimed: Claimed,
  log: JobLog,
  begun: Begun | undefined,
): Promise<Outcome> {
  const opened = await open(tx, parts, handler, claimed, log, begun !== undefined);
  if (typeof opened === 'string') return opened;
  const { ctx, job, loaded } = opened;
  const again = await handler.run(ctx, begun?.result as never);
  await opened.flush();
  await (again ? setNextRun(tx, claimed, job, again.next_run_at, loaded, ctx.real_now) : finish(tx, claimed));
  return again ? 'again' : 'done';
}

function retryOf(handler: Pick<JobHandler, 'retry'>) {
  return handler.retry ?? defaultRetry;
}

/** Removes the job and its due row. The due row decides whether this run counts. */
async function finish(tx: Tx, { company_id, id, lease_id }: Claimed): Promise<void> {
  const [removed] = await Promise.all([
    tx`delete from due_work as d
        where d.company_id = ${company_id} and d.id = ${id} and d.lease_id = ${lease_id} returning d.id`.execute(),
    tx`delete from jobs where company_id = ${company_id} and id = ${id}`.execute(),
  ]);
  if (removed.length === 0) throw new LeaseLost();
}

/** Gives the due row its next time and lets go of it. */
async function setDue(tx: Tx, { company_id, id, lease_id }: Claimed, due_at: string): Promise<void> {
  const kept = await tx`
    update due_work as d set due_at = ${due_at}, lease_until = null, lease_id = null, takeovers = 0
     where d.company_id = ${company_id} and d.id = ${id} and d.lease_id = ${lease_id} returning d.id`.execute();
  if (kept.length === 0) throw new LeaseLost();
}

async function setNextRun(
  tx: Tx,
  claimed: Claimed,
  job: HeldJob,
  next_run_at: Date,
  loaded: LoadedCompany,
  real_now: Date,
): Promise<void> {
  const held = job.clock === 'real' ? undefined : await holdClock(tx, claimed.company_id);
  const clock = held ?? loaded.clock;
  const due_at = job.clock === 'real' ? next_run_at.toISOString() : dueInstant(clock, next_run_at, real_now);
  await Promise.all([
    setDue(tx, claimed, due_at),
    tx`update jobs set run_at = ${next_run_at}, attempts = 0, last_error = null, failed_at = null
        where company_id = ${claimed.company_id} and id = ${claimed.id}`.execute(),
  ]);
}

/** Counts the attempt, and sets the next or gives up. Waits are real time: a sandbox's clock may stand still. */
async function noteFailure(
  tx: Tx,
  real_now: Date,
  handler: JobHandler,
  claimed: Claimed,
  error: unknown,
): Promise<Outcome> {
  const { company_id, id, lease_id } = claimed;
  const job = await getHeldJob(tx, claimed);
  const attempts = job.attempts + job.takeovers + 1;
  const retry = retryOf(handler);
  const wait_seconds =
    retry[attempts - 1] ?? (job.schedule === null ? undefined : (retry.at(-1) ?? defaultRetry.at(-1)));
  const status = wait_seconds === undefined ? 'failed_permanently' : 'queued';
  await tx`update jobs set attempts = ${attempts}, status = ${status}, last_error = ${errorText(error)}, failed_at = ${real_now}
            where company_id = ${company_id} and id = ${id}`;
  if (wait_seconds !== undefined) {
    await setDue(tx, claimed, new Date(real_now.getTime() + wait_seconds * 1000).toISOString());
    return 'failed';
  }
  // The job stays, to be looked at.
  const removed = await tx`
    delete from due_work as d
     where d.company_id = ${company_id} and d.id = ${id} and d.lease_id = ${lease_id} returning d.id`;
  if (removed.length === 0) throw new LeaseLost();
  return 'failed_permanently';
}

/** What is kept of an error: its message alone, without what PostgreSQL could not store. */
function errorText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll('\0', '').slice(0, errorTextMax);
}

/** Two transactions may race for an aggregate's next sequence number, or lock crosswise: the loser runs again. */
async function retryLostRace<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      const is_race =
        constraintOf(error) === 'events_company_id_aggregate_id_sequence_key' || sqlState(error) === '40P01';
      if (!is_race || attempt >= racesMax) throw error;
    }
  }
}

function tellAbout(log: JobLog, about: object): JobLog {
  return {
    info: (details, message) => log.info({ ...about, ...details }, message),
    warn: (details, message) => log.warn({ ...about, ...details }, message),
    error: (details, message) => log.error({ ...about, ...details }, message),
  };
}
