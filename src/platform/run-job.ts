/**
 * One transaction holds a job's end and all that it writes. A failure rolls it back, and a second one notes it. Both
 * write under the lease, so a job that was taken over has its effects once.
 */
import { setTimeout as wait } from 'node:timers/promises';
import type { Tx } from '../kernel/operation.ts';
import { sqlStates } from '../kernel/sql-states.ts';
import { type OpenSpan, traced } from '../kernel/tracing.ts';
import { isOutOfUse, ShareSpent, sqlState } from './db.ts';
import { type CallingRun, makeJobCalls } from './job-calls.ts';
import {
  defaultRetry,
  type JobHandler,
  type JobLog,
  type OutsidePart,
  type RetryTable,
} from './job-handler.ts';
import { finishJob, LeaseLost, setNextRun, writeFailure } from './job-row.ts';
import type { Claimed } from './leases.ts';
import { isLostRace } from './lost-races.ts';
import { type Attempt, type Opened, openJob, openTaken, refuseDeadly, type RunParts } from './open-job.ts';

/** `postponed`: the company's clock changed, and the job is not due. `lost`: another worker has it. */
export type Outcome = 'done' | 'again' | 'postponed' | 'failed' | 'failed_permanently' | 'lost';

const racesMax = 5;

/** Between attempts to write down what a call outside answered. */
const answerPausesMs = [100, 400, 1500, 4000, 8000];

/** Never throws: if the failure cannot be noted, the lease runs out. */
export function runJob(parts: RunParts, handler: JobHandler, claimed: Claimed): Promise<Outcome> {
  const work = async (span: OpenSpan | null): Promise<Outcome> => {
    const outcome = await runAttempt(parts, handler, claimed);
    span?.add({ 'folio.outcome': outcome });
    return outcome;
  };
  return traced(`job ${handler.kind}`, 'consumer', {}, work, claimed.traceparent);
}

async function runAttempt(parts: RunParts, handler: JobHandler, claimed: Claimed): Promise<Outcome> {
  const about = { company_id: claimed.company_id, job_id: claimed.id, job_kind: handler.kind };
  const log = logWith(parts.log, about);
  const attempt: Attempt = { ...parts, log, handler, claimed };
  try {
    try {
      return await runParts(attempt);
    } catch (error) {
      if (error instanceof LeaseLost) throw error;
      return await noteFailure(attempt, error);
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

async function runParts(attempt: Attempt): Promise<Outcome> {
  const { handler } = attempt;
  const begun = handler.outside ? await beginAndCall(attempt, handler.outside) : undefined;
  if (begun === 'done' || begun === 'postponed') return begun;
  const end = () => inTransaction(attempt, (tx) => runAndEnd(tx, attempt, begun));
  if (!begun?.is_called) return end();
  try {
    return await writePatiently(attempt, end);
  } catch (error) {
    const late = handler.outside?.late;
    if (error instanceof LeaseLost && late)
      await writePatiently(attempt, () => inTransaction(attempt, (tx) => takeLate(tx, attempt, late, begun)));
    throw error;
  }
}

/**
 * An answer is not thrown away because the database was away or busy for a moment: asking again may give another one.
 */
export async function writePatiently<T>(
  { log, answer_pauses_ms }: Pick<Attempt, 'log' | 'answer_pauses_ms'>,
  write: () => Promise<T>,
): Promise<T> {
  for (const pause_ms of answer_pauses_ms ?? answerPausesMs) {
    try {
      return await write();
    } catch (error) {
      if (!isPassing(error)) throw error;
      log.warn({ err: error }, 'what a job learned is not written down yet');
      await wait(pause_ms);
    }
  }
  return write();
}

/** The service is ending: its connections do not come back. */
const closedCodes: ReadonlySet<unknown> = new Set(['CONNECTION_ENDED', 'CONNECTION_DESTROYED']);

function isPassing(error: unknown): boolean {
  if (closedCodes.has((error as { code?: unknown } | null)?.code)) return false;
  return error instanceof ShareSpent || isOutOfUse(error) || sqlState(error) === sqlStates.lock_not_available;
}

async function takeLate(
  tx: Tx,
  attempt: Attempt,
  late: NonNullable<OutsidePart['late']>,
  { result }: Begun,
): Promise<void> {
  const opened = await openTaken(tx, attempt);
  if (!opened) return;
  await late(opened.ctx, result as never);
  await opened.flush();
}

export function inTransaction<T>(
  { db, claimed }: Pick<Attempt, 'db' | 'claimed'>,
  run: (tx: Tx) => Promise<T>,
): Promise<T> {
  return retryAtOnce(() => db.transaction(claimed.company_id, run, 'background'));
}

type Begun = { result: unknown; is_called: boolean };

/** `begin` in its own transaction, then the call with none open. */
async function beginAndCall(attempt: Attempt, outside: OutsidePart): Promise<Begun | 'done' | 'postponed'> {
  const begun = await inTransaction(attempt, async (tx) => {
    const opened = await openJob(tx, attempt, false);
    if (typeof opened === 'string') return opened;
    refuseDeadly(opened.job, defaultRetry);
    const intent = await outside.begin(opened.ctx);
    await opened.flush();
    return { intent, run: callingRun(opened) };
  });
  if (typeof begun === 'string') return begun;
  const { intent, run } = begun;
  if (intent === undefined) return { result: undefined, is_called: false };
  const { ports, log, runCall } = attempt;
  const call = makeJobCalls(runCall, run);
  return { result: await outside.call(intent as never, { ports, log, call }), is_called: true };
}

function callingRun({ ctx, job, seen }: Opened): CallingRun {
  const { run_at, run_number } = job;
  return { caller: ctx.caller, job_id: ctx.job.id, run_at, run_number, due_time: seen.due_time };
}

async function runAndEnd(tx: Tx, attempt: Attempt, begun: Begun | undefined): Promise<Outcome> {
  const opened = await openJob(tx, attempt, begun !== undefined);
  if (typeof opened === 'string') return opened;
  const { handler, claimed, clock } = attempt;
  refuseDeadly(opened.job, retryOf(handler));
  const again = await handler.run(opened.ctx, begun?.result as never);
  await opened.flush();
  if (!again) {
    await finishJob(tx, claimed);
    return 'done';
  }
  await setNextRun(tx, claimed, opened.job, opened.present.clock, again.next_run_at, clock.now());
  return 'again';
}

function retryOf({ retry }: JobHandler): RetryTable {
  return retry ?? defaultRetry;
}

async function noteFailure(attempt: Attempt, error: unknown): Promise<Outcome> {
  const { db, clock, handler, claimed, log } = attempt;
  const write = (tx: Tx) => writeFailure(tx, claimed, retryOf(handler), error, clock.now());
  const outcome = await writePatiently(attempt, () =>
    db.transaction(claimed.company_id, write, 'background'),
  );
  if (outcome === 'failed_permanently') log.error({ err: error }, 'job failed permanently');
  else log.warn({ err: error }, 'job failed, another attempt follows');
  return outcome;
}

/** A job that loses all of these is tried again later, so there is no pause between them. */
async function retryAtOnce<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run();
    } catch (error) {
      if (!isLostRace(error) || attempt >= racesMax) throw error;
    }
  }
}

export function logWith(log: JobLog, about: object): JobLog {
  return {
    info: (details, message) => log.info({ ...about, ...details }, message),
    warn: (details, message) => log.warn({ ...about, ...details }, message),
    error: (details, message) => log.error({ ...about, ...details }, message),
  };
}
