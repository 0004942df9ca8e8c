/** Opens a job within a transaction of its company. */
import type { AuditEntry, Tx } from '../kernel/operation.ts';
import type { Ports } from '../kernel/ports.ts';
import { latestVersion } from '../kernel/versions.ts';
import { insertAudit, jobActor } from './audit.ts';
import type { Clock } from './clock.ts';
import { atDueTime, holdClock, type LoadedCompany, loadCompany } from './company-context.ts';
import type { Database } from './db.ts';
import { dueInstant } from './due-work.ts';
import { EventBuffer, insertEvents } from './events.ts';
import type { CallRunner } from './job-calls.ts';
import type { JobCtx, JobHandler, JobLog, RetryTable } from './job-handler.ts';
import { attemptOf, findJob, finishJob, getHeldJob, type HeldJob, releaseJob } from './job-row.ts';
import { insertJobs, JobBuffer } from './jobs.ts';
import type { Claimed } from './leases.ts';
import { systemCaller } from './system-caller.ts';

export type RunParts = {
  db: Database;
  clock: Clock;
  ports: Ports;
  log: JobLog;
  /** Without it, jobs can call no operations. */
  runCall?: CallRunner | undefined;
  /** How long to wait each time before an answer from outside is written down again. */
  answer_pauses_ms?: readonly number[];
};

/** Its log names the job. */
export type Attempt = RunParts & { handler: JobHandler; claimed: Claimed };

export type Opened = {
  ctx: JobCtx;
  job: HeldJob;
  /** The company as it is; `seen` is as the job sees it. */
  present: LoadedCompany;
  seen: LoadedCompany;
  flush(): Promise<unknown>;
};

/** @param is_going_on its call outside was made: it runs whatever the clock says */
export async function openJob(
  tx: Tx,
  attempt: Attempt,
  is_going_on: boolean,
): Promise<Opened | 'done' | 'postponed'> {
  const { claimed, clock, log } = attempt;
  const { company_id } = claimed;
  const real_now = clock.now();
  const [present, job] = await Promise.all([loadCompany(tx, company_id, real_now), getHeldJob(tx, claimed)]);
  if (job.payload === null) {
    log.warn({}, 'due work without a job was removed');
    await finishJob(tx, claimed);
    return 'done';
  }
  if (!is_going_on && job.clock === 'company' && job.run_at > present.now) {
    const company_clock = (await holdClock(tx, company_id)) ?? present.clock;
    await releaseJob(tx, { ...claimed, due_at: dueInstant(company_clock, job.run_at, real_now) });
    return 'postponed';
  }
  const seen = job.clock === 'company' ? atDueTime(present, job.run_at) : present;
  return { job, present, seen, ...makeContext(tx, attempt, { job, present, seen }) };
}

/** Opens a job that another worker has taken over, for the answer of this one's call. Undefined when it is over. */
export async function openTaken(
  tx: Tx,
  attempt: Attempt,
): Promise<Pick<Opened, 'ctx' | 'flush'> | undefined> {
  const { company_id, id } = attempt.claimed;
  const [present, job] = await Promise.all([
    loadCompany(tx, company_id, attempt.clock.now()),
    findJob(tx, company_id, id),
  ]);
  return job && makeContext(tx, attempt, { job, present, seen: present });
}

export function makeContext(
  tx: Tx,
  { claimed, handler, clock, ports, log }: Attempt,
  { job, present, seen }: Pick<Opened, 'job' | 'present' | 'seen'>,
): { ctx: JobCtx; flush(): Promise<unknown> } {
  const { company_id, id } = claimed;
  const { company, now, today } = seen;
  const events = new EventBuffer(null);
  const jobs = new JobBuffer();
  const audits: AuditEntry[] = [];
  const caller = systemCaller(
    { ...company, owner_company_id: seen.owner_company_id },
    { id, kind: handler.kind },
  );
  const ctx: JobCtx = {
    tx,
    caller,
    company,
    now,
    today,
    realNow: () => clock.now(),
    version: latestVersion,
    request_id: id,
    ports,
    log,
    emit: (type, aggregate_id, options) => events.add(type, aggregate_id, options),
    enqueue: (kind, payload, options) => jobs.add(kind, payload, options),
    audit: (entry) => audits.push(entry),
    job: {
      id,
      kind: handler.kind,
      payload: job.payload ?? {},
      attempt: attemptOf(job),
      run_at: job.run_at,
      clock_now: present.now,
      is_clock_frozen: present.clock.clock_frozen_at !== null,
    },
  };
  const flush = () =>
    Promise.all([
      insertEvents(tx, events.events, { company, version: latestVersion, now }),
      insertJobs(tx, jobs.jobs, { company_id, clock: present.clock, now, real_now: clock.now() }),
      insertAudit(tx, company_id, jobActor(id, handler.kind), audits, clock.now()),
    ]);
  return { ctx, flush };
}

/** Ends even a job that kills its worker each time. */
export function refuseDeadly(job: HeldJob, retry: RetryTable): void {
  if (job.takeovers > 0 && job.schedule === null && attemptOf(job) > retry.length + 1)
    throw new Error('Its worker ended in the middle of it, time and again.');
}
