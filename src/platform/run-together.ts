/**
 * Runs several due jobs of one live company in one go (`TogetherPart`): one call, and one transaction for the ends of all.
 * What fails together runs alone, so a job's fault is its own.
 */
import type { Tx } from '../kernel/operation.ts';
import { loadCompany, type LoadedCompany } from './company-context.ts';
import { findMoreDue, type DueRow } from './due-work.ts';
import { makeTogetherCall } from './job-calls.ts';
import { endedByCall, type JobHandler, type TogetherPart } from './job-handler.ts';
import { endJobs, findHeldJobs, LeaseLost } from './job-row.ts';
import type { Claimed } from './leases.ts';
import { type Attempt, makeContext, type RunParts } from './open-job.ts';
import { inTransaction, logWith, writePatiently } from './run-job.ts';
import { systemCaller } from './system-caller.ts';

/** Jobs that did not run are in neither. */
export type TogetherRun = { over: readonly Claimed[]; alone: readonly Claimed[] };

type Group = {
  loaded: LoadedCompany;
  jobs: readonly Claimed[];
  alone: readonly Claimed[];
  more: readonly DueRow[];
};

/**
 * @param group of one kind and company. What they leave of `max` is filled with others that are due
 * @param win claims them
 */
export async function runTogether(
  parts: RunParts,
  handler: JobHandler,
  group: readonly Claimed[],
  { max, win }: { max: number; win(rows: readonly DueRow[]): Promise<readonly Claimed[]> },
): Promise<TogetherRun> {
  const together = handler.outside?.together;
  const [first] = group;
  if (!together || !first) return { over: [], alone: group };
  const log = logWith(parts.log, { company_id: first.company_id, job_kind: handler.kind });
  let jobs: readonly Claimed[] = [];
  let alone: readonly Claimed[] = group;
  try {
    const opened = await open(parts, group, Math.min(max, together.max));
    alone = opened.alone;
    jobs = opened.jobs;
    if (jobs.length === 0) return { over: [], alone };
    jobs = [...jobs, ...(opened.more.length > 0 ? await win(opened.more) : [])];
    const results = await callFor({ ...parts, log }, together, opened.loaded, jobs, handler.kind);
    const called = jobs.filter(({ id }) => results.has(id));
    const open_still = called.filter(({ id }) => results.get(id) !== endedByCall);
    await writePatiently({ ...parts, log }, () =>
      endAll({ ...parts, log, handler }, together, open_still, results),
    );
    return { over: called, alone: [...alone, ...jobs.filter(({ id }) => !results.has(id))] };
  } catch (error) {
    if (error instanceof LeaseLost) log.warn({}, 'jobs that ran together were taken over');
    else log.warn({ err: error, jobs: jobs.length }, 'jobs that ran together failed, each runs alone');
    return { over: [], alone: [...alone, ...jobs] };
  }
}

/** A job that failed runs alone. One whose worker died runs with half as many each time, since it may be what killed it. */
function open({ db, clock }: RunParts, group: readonly Claimed[], max: number): Promise<Group> {
  const [{ company_id, kind }] = group as [Claimed];
  const read = async (tx: Tx): Promise<Group> => {
    const now_sought = clock.now();
    const findMore = (takeovers_max: number) =>
      findMoreDue(tx, company_id, { kind, now: now_sought, takeovers_max, limit: max });
    // Nearly always no worker died, so the others are looked for at once.
    const [loaded, held, unclaimed] = await Promise.all([
      loadCompany(tx, company_id, clock.now()),
      findHeldJobs(tx, company_id, group),
      max > 1 ? findMore(0) : [],
    ]);
    const { company, now } = loaded;
    const fits = ({ id }: Claimed) => {
      const job = held.get(id);
      const is_due = job !== undefined && job.clock === 'company' && job.run_at <= now;
      return company.environment === 'live' && is_due && job.payload !== null && job.attempts === 0;
    };
    const fitting = group.filter(fits);
    const takeovers_max = Math.max(0, ...fitting.map(({ id }) => held.get(id)?.takeovers ?? 0));
    const room = Math.max(1, Math.floor(max / 2 ** takeovers_max));
    const jobs = fitting.slice(0, room);
    const limit = room - jobs.length;
    const is_sought = jobs.length > 0 && limit > 0;
    const found = is_sought && takeovers_max > 0 ? await findMore(takeovers_max) : unclaimed;
    const more = is_sought ? found.slice(0, limit) : [];
    return { loaded, jobs, alone: group.filter((one) => !fits(one)), more };
  };
  return db.read(company_id, read, 'background');
}

function callFor(
  { ports, runCall, log }: RunParts,
  together: TogetherPart,
  { company, owner_company_id }: LoadedCompany,
  jobs: readonly Claimed[],
  kind: string,
): Promise<ReadonlyMap<string, unknown>> {
  const [{ id }] = jobs as [Claimed];
  const caller = systemCaller({ ...company, owner_company_id }, { id, kind });
  return together.call(
    jobs.map(({ id, lease_id }) => ({ id, lease_id })),
    { ports, log, call: makeTogetherCall(runCall, caller) },
  );
}

/** As `runAndEnd` of a single job. Those that another worker has are left to it. */
function endAll(
  parts: RunParts & { handler: JobHandler },
  together: TogetherPart,
  jobs: readonly Claimed[],
  results: ReadonlyMap<string, unknown>,
): Promise<void> {
  const { db, clock } = parts;
  const [first] = jobs;
  if (!first) return Promise.resolve();
  const { company_id } = first;
  return inTransaction({ db, claimed: first }, async (tx) => {
    const [present, held] = await Promise.all([
      loadCompany(tx, company_id, clock.now()),
      findHeldJobs(tx, company_id, jobs),
    ]);
    // By id, as rows are locked everywhere.
    const mine = jobs.filter(({ id }) => held.has(id)).sort((a, b) => (a.id < b.id ? -1 : 1));
    if (mine.length === 0) return;
    const opened = mine.map((claimed) => {
      const attempt: Attempt = { ...parts, claimed };
      return makeContext(tx, attempt, { job: held.get(claimed.id)!, present, seen: present });
    });
    const again = await together.run(
      opened.map(({ ctx }) => ({ ctx, result: results.get(ctx.job.id) as never })),
    );
    await Promise.all(opened.map(({ flush }) => flush()));
    const ended = mine.map(({ id, lease_id }, at) => ({
      id,
      lease_id,
      next_run_at: again[at]?.next_run_at ?? null,
    }));
    await endJobs(tx, company_id, ended);
  });
}
