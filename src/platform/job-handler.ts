/** What a module declares to have work done in the background, and what its handler is given. */
import type { Log } from '../kernel/log.ts';
import type { Ctx, Operation } from '../kernel/operation.ts';
import type { Ports } from '../kernel/ports.ts';
import type { Answer } from './call.ts';

export type JobLog = Log;

/** Seconds to wait after attempt 1, 2, …; after one more failure the job has failed permanently. */
export type RetryTable = readonly number[];

export const defaultRetry: RetryTable = [5, 30, 300, 1800, 3600];

/** What is known of the run, besides what every `Ctx` has. */
export type JobRun = {
  id: string;
  kind: string;
  payload: Record<string, unknown>;
  /** 1 for the first. A run that died with its worker counts. */
  attempt: number;
  /** When it was to run; company time, or real time for a job on that clock. */
  run_at: Date;
  /** What the company's clock shows. Later than `now` while a sandbox catches up with a move of its clock. */
  clock_now: Date;
  /** The sandbox clock stands still: what waits for it is not waited for. */
  is_clock_frozen: boolean;
};

/**
 * The context of an operation, for a job: its caller is the system. `tx` is the transaction in which the job is run
 * and done: its effects are kept with its end, or none is.
 */
export type JobCtx = Ctx & { job: JobRun };

/** When a job that only looks whether there is work looks again: never in the time that its clock has jumped over. */
export function lookAgainIn({ now, job }: JobCtx, wait_ms: number): Date {
  return new Date(Math.max(now.getTime(), job.clock_now.getTime()) + wait_ms);
}

/** Keeps the job and runs it again at that time, on the job's own clock. */
type RunAgain = { next_run_at: Date };

/** The input of a call; a part that the operation does not have is left out. */
export type JobCallInput = {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
  body?: unknown;
};

/** What a call outside may use: no transaction is open and no connection is held. */
export type OutsideCtx = {
  ports: Ports;
  log: JobLog;
  /**
   * Calls an operation as the system, in the job's company. The run of the job is its idempotency key: however often
   * the run is attempted, the operation acts once, and gives each attempt the same answer (ADR 26).
   * @param name tells apart several calls of one operation; each attempt has to give the same name to the same call
   * @throws Problem for a refusal, which is no answer: the next attempt asks again
   */
  call(operation: Operation, input: JobCallInput, name?: string): Promise<Answer>;
};

/**
 * The part of a job that calls somebody outside, or an operation. `begin` reads and writes what the call needs, in a
 * transaction of its own; when it answers nothing, nobody is called. `run` is given what `call` answers. A worker may
 * die in between: the next attempt begins again, and must find what the one before left.
 */
export type OutsidePart = {
  /**
   * The jobs of one lane share its places and wait for no job of another lane. A party that may be slow for all at
   * once, as a mail server may, has a lane of its own; `outside` when left out.
   */
  lane?: string;
  begin(ctx: JobCtx): Promise<unknown>;
  call(intent: never, ctx: OutsideCtx): Promise<unknown>;
};

export type JobHandler = {
  kind: string;
  /** The events that the job itself may emit. The harness fails a test that sees another one. */
  events?: readonly string[];
  outside?: OutsidePart;
  /** `defaultRetry` when left out. A scheduled job never fails permanently: it repeats the last wait. */
  retry?: RetryTable;
  /**
   * Does the work. A job that answers nothing is done; what it throws counts as a failed attempt.
   * @param result what the call outside answered; undefined where nobody was called
   */
  run(ctx: JobCtx, result?: never): Promise<void> | Promise<RunAgain | undefined>;
};
