/** Calls of operations by jobs. The idempotency key makes a repeated run act once (ADR 26). */
import type { Caller, Operation } from '../kernel/operation.ts';
import { latestVersion } from '../kernel/versions.ts';
import type { Answer, Call } from './call.ts';
import type { JobCallInput } from './job-handler.ts';

/** The engine's `runAsSystem`. */
export type CallRunner = (call: Call) => Promise<Answer>;

/** A scheduled job has many runs, and each may act. */
export type CallingRun = {
  caller: Caller;
  job_id: string;
  run_number: number;
  run_at: Date;
  /** The call's company time; null for a job on real time. */
  due_time: Date | null;
};

const noEngine = 'This worker was given no engine: its jobs cannot call operations.';

/** A call for several jobs. What an earlier attempt did is found by the operation. */
export function makeTogetherCall(runCall: CallRunner | undefined, caller: Caller) {
  return (operation: Operation, { params = {}, query = {}, body }: JobCallInput): Promise<Answer> => {
    if (!runCall) throw new Error(noEngine);
    return runCall({
      operation,
      caller,
      input: { params, query, body },
      idempotency_key: null,
      version: latestVersion,
      request_id: caller.principal.id,
    });
  };
}

export function makeJobCalls(
  runCall: CallRunner | undefined,
  { caller, job_id, run_number, run_at, due_time }: CallingRun,
) {
  const names = new Set<string>();
  return async (operation: Operation, input: JobCallInput, name = operation.name): Promise<Answer> => {
    if (!runCall) throw new Error(noEngine);
    if (names.has(name)) throw new Error(`Two calls of one run are named ${name}.`);
    names.add(name);
    return runCall({
      operation,
      caller,
      input: { params: input.params ?? {}, query: input.query ?? {}, body: input.body },
      idempotency_key: `${job_id} ${run_number} ${run_at.getTime()} ${name}`,
      version: latestVersion,
      request_id: job_id,
      ...(due_time ? { due_time } : {}),
    });
  };
}
