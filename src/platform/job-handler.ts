/** How a module declares background work, and what its handler gets. */
import type { Log } from '../kernel/log.ts';
import type { Ctx, Operation } from '../kernel/operation.ts';
import type { Ports } from '../kernel/ports.ts';
import type { Answer } from './call.ts';

export type JobLog = Log;

/** Seconds to wait after attempt 1, 2, …; after one more failure the job has failed for good. */
export type RetryTable = readonly number[];

export const defaultRetry: RetryTable = [5, 30, 300, 1800, 3600];

/** What `job` adds to every `Ctx`. */
export type JobRun = {
  id: string;
  kind: string;
  payload: Record<string, unknown>;
  /** 1 for the first. A run that died with its worker counts. */
  attempt: number;
  /** Company time, or real time for a job on that clock. */
  run_at: Date;
  /** Later than `now` while a sandbox catches up with a move of its clock. */
  clock_now: Date;
  /** The sandbox clock is frozen, so do not wait for it. */
  is_clock_frozen: boolean;
};

/** Its caller is the system. The job's end commits with `tx`, so its effects are kept with its end or not at all. */
export type JobCtx = Ctx & { job: JobRun };

/** When a job that only looks for work looks again: never within the time that its clock jumped over. */
export function lookAgainIn({ now, job }: JobCtx, wait_ms: number): Date {
  return new Date(Math.max(now.getTime(), job.clock_now.getTime()) + wait_ms);
}

/** The next run, on the job's own clock. */
type RunAgain = { next_run_at: Date };

/** Leave out the parts that the operation does not have. */
export type JobCallInput = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
};

/** No transaction is open, no connection is held. */
export type OutsideCtx = {
  ports: Ports;
  log: JobLog;
  /**
   * Calls an operation as the system, in the job's company. The run is its idempotency key: however often it is
   * tried, the operation acts once and answers the same (ADR 26).
   * @param name distinguishes several calls of one operation; every attempt must name a call alike
   * @throws Problem for a refusal, which is not stored: the next attempt asks again
   */
  call(operation: Operation, input: JobCallInput, name?: string): Promise<Answer>;
};

/**
 * Calls somebody outside, or an operation. `begin` reads and writes what the call needs, in its own transaction; if
 * it answers nothing, nobody is called. `run` gets the answer of `call`. If the worker dies in between, the next
 * attempt begins again and must find what the last one left.
 */
export type OutsidePart = {
  /**
   * Jobs of one lane wait for no other lane. Somebody who may be slow for all jobs at once, such as a mail server,
   * gets a lane of its own. `outside` when left out.
   */
  lane?: string;
  begin(ctx: JobCtx): Promise<unknown>;
  call(intent: never, ctx: OutsideCtx): Promise<unknown>;
};

export type JobHandler = {
  kind: string;
  /** The harness fails a test that sees another event of the job. */
  events?: readonly string[];
  outside?: OutsidePart;
  /** `defaultRetry` when left out. A scheduled job never fails for good: it repeats the last wait. */
  retry?: RetryTable;
  /**
   * Does the work. Answering nothing ends the job; throwing fails the attempt.
   * @param result the answer of the call outside; undefined when nobody was called
   */
  run(ctx: JobCtx, result?: never): Promise<void> | Promise<RunAgain | undefined>;
};
