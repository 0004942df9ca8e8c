/** How a module declares background work, and what its handler gets. */
import type { Log } from '../kernel/log.ts';
import type { Ctx, Operation } from '../kernel/operation.ts';
import type { Ports } from '../kernel/ports.ts';
import type { Answer } from './call.ts';

export type JobLog = Log;

/** Seconds to wait after attempt 1, 2, …; one more failure is for good. */
export type RetryTable = readonly number[];

export const defaultRetry: RetryTable = [5, 30, 300, 1800, 3600];

export type JobRun = {
  id: string;
  kind: string;
  payload: Record<string, unknown>;
  /** From 1. A run that died with its worker counts. */
  attempt: number;
  /** Company time, or real time for a job on that clock. */
  run_at: Date;
  /** Later than `now` while a sandbox catches up with a move of its clock. */
  clock_now: Date;
  /** If so, do not wait for the clock. */
  is_clock_frozen: boolean;
};

/** The caller is the system. The job's effects and its end commit together, in `tx`. */
export type JobCtx = Ctx & { job: JobRun };

/** When a job that only looks for work runs again. Time that the sandbox clock jumped over is not looked through. */
export function lookAgainIn({ now, job }: JobCtx, wait_ms: number): Date {
  return new Date(Math.max(now.getTime(), job.clock_now.getTime()) + wait_ms);
}

/** On the job's own clock. */
type RunAgain = { next_run_at: Date };

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
   * Calls an operation as the system. The run is its idempotency key: over all attempts it acts once and answers the
   * same (ADR 26), unless its time is brought forward between them (`bringForward`).
   * @param name tells several calls of one operation apart; the same at every attempt
   * @throws Problem for a refusal, which is not stored: the next attempt asks again
   */
  call(operation: Operation, input: JobCallInput, name?: string): Promise<Answer>;
};

/** As `OutsideCtx`. Its call has no idempotency key. */
export type TogetherCtx = Omit<OutsideCtx, 'call'> & {
  call(operation: Operation, input: JobCallInput): Promise<Answer>;
};

/** A job under its lease. A transaction that makes what the job is for may end it (`sendEnds`). */
export type HeldLease = { id: string; lease_id: string };

/** The result of a job that its call has ended. */
export const endedByCall = Symbol('ended by its call');

/**
 * Several due jobs of one live company in one go, instead of `begin`, `call` and `run` of each. The operation finds
 * by itself what an earlier attempt did. In a sandbox, and after a failure, each job runs alone.
 */
export type TogetherPart = {
  /** Jobs of one call. */
  max: number;
  /**
   * @param jobs all on the company's clock, and due
   * @returns by id, the result for `run`, or `endedByCall`; jobs that are left out run alone
   */
  call(jobs: readonly HeldLease[], ctx: TogetherCtx): Promise<ReadonlyMap<string, unknown>>;
  /** `run` of each that the call has not ended, in one transaction; in the order given. */
  run(jobs: readonly { ctx: JobCtx; result: never }[]): Promise<readonly (RunAgain | undefined)[]>;
};

/**
 * Calls somebody outside, or an operation. `begin` reads and writes what the call needs, in its own transaction. If
 * it answers nothing, nobody is called. `run` gets the call's answer. If the worker dies in between, the next attempt
 * begins again and must find what the last one left.
 */
export type OutsidePart = {
  /**
   * Lanes do not wait for each other. A kind that may be slow for all its jobs at once, such as a mail server's, gets
   * its own. `outside` when left out.
   */
  lane?: string;
  begin(ctx: JobCtx): Promise<unknown>;
  call(intent: never, ctx: OutsideCtx): Promise<unknown>;
  /**
   * Runs when the lease ended during the call and another run has begun. It keeps the part of the answer that nobody
   * can ask for again, in a transaction of its own, before or after the other run's end. It does not end the job.
   */
  late?(ctx: JobCtx, result: never): Promise<unknown>;
  together?: TogetherPart;
};

export type JobHandler = {
  kind: string;
  /** The harness fails a test that sees another event. */
  events?: readonly string[];
  outside?: OutsidePart;
  /** `defaultRetry` when left out. A scheduled job repeats the last wait for ever. */
  retry?: RetryTable;
  /**
   * Answering nothing ends the job; throwing fails the attempt.
   * @param result of the call outside, if it was made
   */
  run(ctx: JobCtx, result?: never): Promise<void> | Promise<RunAgain | undefined>;
};
