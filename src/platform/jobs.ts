/**
 * Jobs are enqueued in the caller's transaction: a row that says what to do, and a row of due work that
 * says when. Due times are company time; the due row holds the real instant, or infinity while a frozen
 * sandbox clock stands before it (decisions, section 7). The loop that runs them is in worker.ts.
 */
import type { JobOptions, Tx } from '../kernel/operation.ts';
import { newId } from '../kernel/uuid7.ts';
import { type CompanyClock, realDueTime } from './clock.ts';
import { type Columns, insertRows } from './rows.ts';

export type NewJob = {
  id: string;
  kind: string;
  payload: Record<string, unknown>;
  clock: 'company' | 'real';
  run_at: Date | null;
  order_key: string | null;
};

const jobColumns: Columns = {
  id: 'uuid', kind: 'text', payload: 'jsonb', clock: 'text', run_at: 'timestamptz', order_key: 'uuid', status: 'text',
  created_at: 'timestamptz',
};

export const dueColumns: Columns = { id: 'uuid', kind: 'text', order_key: 'uuid', due_at: 'timestamptz' };

/** Collects the jobs of one call. */
export class JobBuffer {
  readonly jobs: NewJob[] = [];

  add(kind: string, payload: Record<string, unknown>, options: JobOptions & { clock?: 'company' | 'real' } = {}): void {
    this.jobs.push({
      id: newId(),
      kind,
      payload,
      clock: options.clock ?? 'company',
      run_at: options.run_at ?? null,
      order_key: options.order_key ?? null,
    });
  }
}

export type JobStamp = { company_id: string; clock: CompanyClock; now: Date; real_now: Date };

/** Writes the jobs and their due rows. */
export function insertJobs(tx: Tx, jobs: readonly NewJob[], stamp: JobStamp): Promise<unknown> {
  if (jobs.length === 0) return Promise.resolve();
  const dueAt = (job: NewJob): string => {
    if (job.run_at === null) return stamp.real_now.toISOString();
    if (job.clock === 'real') return job.run_at.toISOString();
    return realDueTime(stamp.clock, job.run_at, stamp.real_now)?.toISOString() ?? 'infinity';
  };
  return Promise.all([
    insertRows(tx, stamp.company_id, 'jobs', jobColumns,
      jobs.map((j) => ({
        ...j,
        run_at: (j.run_at ?? (j.clock === 'real' ? stamp.real_now : stamp.now)).toISOString(),
        status: 'queued',
        created_at: stamp.real_now.toISOString(),
      }))),
    insertRows(tx, stamp.company_id, 'due_work', dueColumns,
      jobs.map((j) => ({ id: j.id, kind: `job:${j.kind}`, order_key: j.order_key, due_at: dueAt(j) }))),
  ]);
}
