import type { Tx } from '../kernel/operation.ts';
import type { CompanyClock } from './clock.ts';
import { holdClock } from './company-context.ts';
import { dueInstant } from './due-work.ts';
import { defaultRetry, type HeldLease, type RetryTable } from './job-handler.ts';
import { type Claimed, endDue, type Release, releaseLeases } from './leases.ts';

export type HeldJob = {
  payload: Record<string, unknown> | null;
  clock: 'company' | 'real';
  run_at: Date;
  schedule: string | null;
  attempts: number;
  takeovers: number;
  run_number: number;
};

/** Another worker has the row: nothing of this run may be kept. */
export class LeaseLost extends Error {}

const errorTextMax = 500;

/** @throws LeaseLost */
export async function getHeldJob(tx: Tx, { company_id, id, lease_id }: Claimed): Promise<HeldJob> {
  const [row] = await tx<HeldJob[]>`
    select j.payload, j.clock, j.run_at, j.schedule, j.attempts, d.takeovers, d.revision as run_number
      from due_work d left join jobs j on j.company_id = d.company_id and j.id = d.id
     where d.company_id = ${company_id} and d.id = ${id} and d.lease_id = ${lease_id}`;
  if (!row) throw new LeaseLost();
  return row;
}

/** Of one company; by id. Those that another worker has are left out. */
export async function findHeldJobs(
  tx: Tx,
  company_id: string,
  claimed: readonly Claimed[],
): Promise<Map<string, HeldJob>> {
  const held = JSON.stringify(claimed.map(({ id, lease_id }) => ({ id, lease_id })));
  const rows = await tx<(HeldJob & { id: string })[]>`
    select d.id, j.payload, j.clock, j.run_at, j.schedule, j.attempts, d.takeovers, d.revision as run_number
      from json_to_recordset(${held}::text::json) as c(id uuid, lease_id uuid)
      join due_work d on d.company_id = ${company_id} and d.id = c.id and d.lease_id = c.lease_id
      left join jobs j on j.company_id = ${company_id} and j.id = d.id`;
  return new Map(rows.map(({ id, ...job }) => [id, job]));
}

/** Whoever holds it. */
export async function findJob(tx: Tx, company_id: string, id: string): Promise<HeldJob | undefined> {
  const [row] = await tx<HeldJob[]>`
    select j.payload, j.clock, j.run_at, j.schedule, j.attempts, d.takeovers, d.revision as run_number
      from due_work d join jobs j on j.company_id = ${company_id} and j.id = d.id
     where d.company_id = ${company_id} and d.id = ${id}`;
  return row;
}

/** Runs that died with their worker count. */
export function attemptOf({ attempts, takeovers }: HeldJob): number {
  return attempts + takeovers + 1;
}

export type JobEnd = HeldLease & { next_run_at: Date | string | null };

/** As `sendEnds`. @throws LeaseLost when one of them is no longer ours */
export async function endJobs(tx: Tx, company_id: string, ended: readonly JobEnd[]): Promise<void> {
  if (!(await sendEnds(tx, company_id, ended))) throw new LeaseLost();
}

/**
 * Ends jobs of a live company, or gives them their next time. Sends at once.
 * @returns whether all were still ours. Another worker's run finds nothing to do, and ends the job
 */
export async function sendEnds(tx: Tx, company_id: string, ended: readonly JobEnd[]): Promise<boolean> {
  const again = ended.flatMap((one) =>
    one.next_run_at ? [{ ...one, next_run_at: new Date(one.next_run_at) }] : [],
  );
  const over = ended.filter(({ next_run_at }) => next_run_at === null);
  const next = JSON.stringify(again.map(({ id, next_run_at }) => ({ id, run_at: next_run_at })));
  const releases = again.map(({ id, lease_id, next_run_at }) => ({
    company_id,
    id,
    lease_id,
    due_at: next_run_at.toISOString(),
    is_next_run: true,
  }));
  const [released, ...finished] = await Promise.all([
    releaseLeases(tx, releases),
    ...over.map(({ id, lease_id }) => endDue(tx, { company_id, id, lease_id })),
    again.length === 0
      ? true
      : tx`
    update jobs as j set run_at = x.run_at, attempts = 0, last_error = null, failed_at = null
      from json_to_recordset(${next}::text::json) as x(id uuid, run_at timestamptz)
     where j.company_id = ${company_id} and j.id = x.id`.execute(),
    over.length === 0
      ? true
      : tx`delete from jobs where company_id = ${company_id} and id = any(${over.map(({ id }) => id)}::uuid[])`.execute(),
  ]);
  return released.size === again.length && !finished.includes(false);
}

/** @throws LeaseLost */
export async function finishJob(tx: Tx, claimed: Claimed): Promise<void> {
  const { company_id, id } = claimed;
  const [is_ours] = await Promise.all([
    endDue(tx, claimed),
    tx`delete from jobs where company_id = ${company_id} and id = ${id}`.execute(),
  ]);
  if (!is_ours) throw new LeaseLost();
}

/** @throws LeaseLost */
export async function releaseJob(tx: Tx, row: Release): Promise<void> {
  const released = await releaseLeases(tx, [row]);
  if (released.size === 0) throw new LeaseLost();
}

/** On the job's own clock. */
export async function setNextRun(
  tx: Tx,
  claimed: Claimed,
  job: HeldJob,
  present_clock: CompanyClock,
  next_run_at: Date,
  real_now: Date,
): Promise<void> {
  const { company_id, id } = claimed;
  const held = job.clock === 'real' ? undefined : await holdClock(tx, company_id);
  const clock = held ?? present_clock;
  const due_at = job.clock === 'real' ? next_run_at.toISOString() : dueInstant(clock, next_run_at, real_now);
  await Promise.all([
    releaseJob(tx, { ...claimed, due_at, is_next_run: true }),
    tx`update jobs set run_at = ${next_run_at}, attempts = 0, last_error = null, failed_at = null
        where company_id = ${company_id} and id = ${id}`.execute(),
  ]);
}

/** Waits between attempts are real time: a sandbox's clock may be frozen. */
export async function writeFailure(
  tx: Tx,
  claimed: Claimed,
  retry: RetryTable,
  error: unknown,
  real_now: Date,
): Promise<'failed' | 'failed_permanently'> {
  const { company_id, id } = claimed;
  const job = await getHeldJob(tx, claimed);
  const attempts = attemptOf(job);
  const wait_seconds =
    retry[attempts - 1] ?? (job.schedule === null ? undefined : (retry.at(-1) ?? defaultRetry.at(-1)));
  const status = wait_seconds === undefined ? 'failed_permanently' : 'queued';
  await tx`update jobs set attempts = ${attempts}, status = ${status}, last_error = ${errorText(error)}, failed_at = ${real_now}
            where company_id = ${company_id} and id = ${id}`;
  if (wait_seconds !== undefined) {
    const due_at = new Date(real_now.getTime() + wait_seconds * 1000).toISOString();
    await releaseJob(tx, { ...claimed, due_at });
    return 'failed';
  }
  // The job stays, for somebody to look at.
  if (!(await endDue(tx, claimed))) throw new LeaseLost();
  return 'failed_permanently';
}

/** Without what PostgreSQL cannot store. */
function errorText(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replaceAll('\0', '').slice(0, errorTextMax);
}
