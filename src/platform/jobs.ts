/** Jobs are enqueued in the caller's transaction. `jobs` says what to do, `due_work` when, in real time. */
import type { JobOptions, Tx } from '../kernel/operation.ts';
import { currentTraceparent } from '../kernel/tracing.ts';
import { newId } from '../kernel/uuid7.ts';
import type { CompanyClock } from './clock.ts';
import { holdClock } from './company-context.ts';
import { bringForward, dueInstant } from './due-work.ts';
import { type Columns, insertRows } from './rows.ts';

export type NewJob = {
  id: string;
  kind: string;
  payload: Record<string, unknown>;
  clock: 'company' | 'real';
  run_at: Date | null;
  order_key: string | null;
  /** Of the call or job that enqueued it. */
  traceparent: string | null;
};

const jobColumns: Columns = {
  id: 'uuid',
  kind: 'text',
  payload: 'jsonb',
  clock: 'text',
  run_at: 'timestamptz',
  order_key: 'uuid',
  schedule: 'text',
  status: 'text',
};

const dueColumns: Columns = {
  id: 'uuid',
  kind: 'text',
  order_key: 'uuid',
  due_at: 'timestamptz',
  traceparent: 'text',
};

/** The daily work of each company (modules/companies): a healthy clock plans it for its next midnight. */
export const companyDailyKind = 'company.daily';

export function dueKind(job_kind: string): string {
  return `job:${job_kind}`;
}

export class JobBuffer {
  readonly jobs: NewJob[] = [];

  add(kind: string, payload: Record<string, unknown>, options: JobOptions = {}): void {
    this.jobs.push({
      id: newId(),
      kind,
      payload,
      clock: options.clock ?? 'company',
      run_at: options.run_at ?? null,
      order_key: options.order_key ?? null,
      traceparent: currentTraceparent(),
    });
  }
}

export type JobStamp = { company_id: string; clock: CompanyClock; now: Date; real_now: Date };

/** Whether their insert reads the stored clock first. */
export function areByClock(jobs: readonly NewJob[]): boolean {
  return jobs.some(({ run_at, clock }) => run_at !== null && clock === 'company');
}

/**
 * A job for later is due by the stored clock, so its insert waits while the clock moves. A job for now is due at the
 * call's company time. So what a sandbox's job enqueues while it catches up comes before jobs that were due later.
 */
export async function insertJobs(tx: Tx, jobs: readonly NewJob[], stamp: JobStamp): Promise<void> {
  if (jobs.length === 0) return;
  const clock = (areByClock(jobs) ? await holdClock(tx, stamp.company_id) : undefined) ?? stamp.clock;
  const is_sandbox_time = stamp.clock.clock_frozen_at !== null || stamp.clock.clock_offset_ms !== 0;
  const dueAt = (job: NewJob): string => {
    if (job.run_at === null) {
      if (job.clock === 'real' || !is_sandbox_time) return stamp.real_now.toISOString();
      return dueInstant(stamp.clock, stamp.now, stamp.real_now);
    }
    return job.clock === 'real' ? job.run_at.toISOString() : dueInstant(clock, job.run_at, stamp.real_now);
  };
  await Promise.all([
    insertRows(
      tx,
      stamp.company_id,
      'jobs',
      jobColumns,
      jobs.map((j) => ({
        ...j,
        run_at: (j.run_at ?? (j.clock === 'real' ? stamp.real_now : stamp.now)).toISOString(),
        schedule: null,
        status: 'queued',
      })),
    ),
    insertRows(
      tx,
      stamp.company_id,
      'due_work',
      dueColumns,
      jobs.map((j) => ({
        id: j.id,
        kind: dueKind(j.kind),
        order_key: j.order_key,
        due_at: dueAt(j),
        traceparent: j.traceparent,
      })),
    ),
  ]);
}

const realClock: CompanyClock = { clock_offset_ms: 0, clock_frozen_at: null };

/** For what is no call's and no job's transaction. @returns its id */
export async function insertRealJob(
  tx: Tx,
  company_id: string,
  { kind, payload, run_at }: { kind: string; payload: Record<string, unknown>; run_at: Date },
): Promise<string> {
  const buffer = new JobBuffer();
  buffer.add(kind, payload, { clock: 'real', run_at });
  await insertJobs(tx, buffer.jobs, { company_id, clock: realClock, now: run_at, real_now: run_at });
  return buffer.jobs[0]!.id;
}

/**
 * A worker that claims the job at this moment waits for this transaction, or is waited for.
 * @returns false when a run of the job has begun, or is over
 */
export async function callOffJob(tx: Tx, company_id: string, id: string): Promise<boolean> {
  const called_off = await tx`
    delete from due_work as d using jobs j
     where d.company_id = ${company_id} and d.id = ${id} and d.lease_id is null
       and j.company_id = ${company_id} and j.id = d.id and j.attempts = 0
    returning d.id`;
  if (called_off.length === 0) return false;
  await tx`delete from jobs where company_id = ${company_id} and id = ${id}`;
  return true;
}

export type Schedule = {
  /** A company has one of each name. */
  schedule: string;
  kind: string;
  /** On the job's clock. The handler answers the later runs. */
  next_run_at: Date;
  /** The company's when left out. */
  clock?: 'company' | 'real';
  /** Given when others have to find the job. */
  id?: string;
};

type ClockRow = { clock_offset_ms: string; clock_frozen_at: Date | null };

const scheduledJob = (id: string, { kind, next_run_at, schedule, clock = 'company' }: Schedule) => ({
  id,
  kind,
  payload: {},
  clock,
  run_at: next_run_at.toISOString(),
  order_key: null,
  schedule,
  status: 'queued',
});

const insertScheduledDue = (tx: Tx, company_id: string, id: string, kind: string, due_at: string) =>
  insertRows(tx, company_id, 'due_work', dueColumns, [
    { id, kind: dueKind(kind), order_key: null, due_at, traceparent: null },
  ]);

/** Does nothing when the company has the job. The transaction runs as that company. */
export async function ensureSchedule(tx: Tx, company_id: string, wanted: Schedule): Promise<void> {
  const { kind, next_run_at } = wanted;
  const { id = newId() } = wanted;
  const [made, clocks] = await Promise.all([
    insertRows(
      tx,
      company_id,
      'jobs',
      jobColumns,
      [scheduledJob(id, wanted)],
      'on conflict (company_id, schedule) where schedule is not null do nothing returning t.id',
    ),
    tx<
      ClockRow[]
    >`select clock_offset_ms, clock_frozen_at from companies where company_id = ${company_id}`.execute(),
  ]);
  const [row] = clocks;
  if (made.length === 0 || row === undefined) return;
  const clock: CompanyClock =
    wanted.clock === 'real'
      ? realClock
      : { clock_offset_ms: Number(row.clock_offset_ms), clock_frozen_at: row.clock_frozen_at };
  // Real time matters only for times that a frozen clock has passed: any past instant will do.
  await insertScheduledDue(tx, company_id, id, kind, dueInstant(clock, next_run_at, new Date(0)));
}

/** As `ensureSchedule`, for a company that this transaction inserts: it has no job, and its clock is the real one. */
export async function insertSchedule(tx: Tx, company_id: string, wanted: Schedule): Promise<void> {
  const { kind, next_run_at } = wanted;
  const { id = newId() } = wanted;
  await Promise.all([
    insertRows(tx, company_id, 'jobs', jobColumns, [scheduledJob(id, wanted)]),
    insertScheduledDue(tx, company_id, id, kind, next_run_at.toISOString()),
  ]);
}

/** As `ensureSchedule`, for a job with an id of its own. One that is due later is brought forward. */
export async function scheduleBy(
  tx: Tx,
  company_id: string,
  wanted: Schedule & { id: string },
  real_now: Date,
): Promise<void> {
  const { id, next_run_at } = wanted;
  await ensureSchedule(tx, company_id, wanted);
  const clock = (await holdClock(tx, company_id)) ?? realClock;
  await Promise.all(bringForward(tx, company_id, id, next_run_at, dueInstant(clock, next_run_at, real_now)));
}
