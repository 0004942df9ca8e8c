/** What a module declares to have work done in the background, and what its handler is given. */
import type { Log } from '../kernel/log.ts';
import type { CompanyContext, EmitOptions, Tx } from '../kernel/operation.ts';
import type { Ports } from '../kernel/ports.ts';
import type { EnqueueOptions } from './jobs.ts';

export type JobLog = Log;

/** Seconds to wait after attempt 1, 2, …; after one more failure the job has failed permanently. */
export type RetryTable = readonly number[];

export const defaultRetry: RetryTable = [5, 30, 300, 1800, 3600];

export type JobCtx = {
  /** The transaction in which the job is run and done: its effects are kept with its end, or none is. */
  tx: Tx;
  company_id: string;
  company: CompanyContext;
  job_id: string;
  payload: Record<string, unknown>;
  /** 1 for the first. A run that died with its worker counts. */
  attempt: number;
  /** When it was to run; company time, or real time for a job on that clock. */
  run_at: Date;
  /** The company's time: a sandbox may have moved its clock. */
  now: Date;
  /** The day it is for the company. */
  today: string;
  /** Its sandbox clock stands still: what waits for it is not waited for. */
  is_clock_frozen: boolean;
  /** For what runs on real time: limits, idempotency, links, logs. */
  real_now: Date;
  ports: Ports;
  /** Records an event, in this transaction. The aggregate's row must be locked or new. */
  emit(type: string, aggregate_id: string, options?: EmitOptions): void;
  enqueue(kind: string, payload: Record<string, unknown>, options?: EnqueueOptions): void;
  log: JobLog;
};

/** Keeps the job and runs it again at that time, on the job's own clock. */
type RunAgain = { next_run_at: Date };

/** What a call outside may use: no transaction is open and no connection is held. */
export type OutsideCtx = { ports: Ports; log: JobLog };

/**
 * The part of a job that calls somebody outside. `begin` reads and writes, in a transaction of its own, what the call
 * needs; when it answers nothing, nobody is called. What `call` answers is handed to `run`. A worker that dies in
 * between has begun and never run: the next attempt begins again, and must find what the one before left.
 */
export type OutsidePart = {
  /**
   * Jobs of one lane have its places among them, and wait for no job of another. A party that may be slow for all at
   * once, as a mail server may, has one of its own; `outside` when left out.
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
