/** What a handler gets and gathers, and its answer. */
import type { Ctx, Handled, Operation, Tx } from '../kernel/operation.ts';
import { actorOf, insertAudit } from './audit.ts';
import { type Answer, type Call, companyOf, type RunParts } from './call.ts';
import { type LoadedCompany, loadCompany } from './company-context.ts';
import { setCompanyText } from './db.ts';
import type { EarlyCall } from './early-call.ts';
import { EventBuffer, insertEvents } from './events.ts';
import type { Gathered } from './issuing-call.ts';
import { insertJobs, JobBuffer } from './jobs.ts';

export function newGathered({ request_id }: Call): Gathered {
  return { events: new EventBuffer(request_id), jobs: new JobBuffer(), audits: [] };
}

export function makeCtx(
  { clock, ports, log }: RunParts,
  tx: Tx,
  call: Call,
  loaded: LoadedCompany,
  gathered: Gathered,
): Ctx {
  return {
    tx,
    caller: call.caller,
    company: loaded.company,
    now: loaded.now,
    today: loaded.today,
    realNow: () => clock.now(),
    version: call.version,
    request_id: call.request_id,
    ports,
    ...gathering(gathered),
    log,
  };
}

/** For one of several things that a call does, each with events, jobs and audit entries of its own. */
export function withOwnGathered(ctx: Ctx, request_id: string): { ctx: Ctx; gathered: Gathered } {
  const gathered: Gathered = { events: new EventBuffer(request_id), jobs: new JobBuffer(), audits: [] };
  return { ctx: { ...ctx, request_id, ...gathering(gathered) }, gathered };
}

function gathering({ events, jobs, audits }: Gathered): Pick<Ctx, 'emit' | 'enqueue' | 'audit'> {
  return {
    emit: (type, aggregate_id, options) => events.add(type, aggregate_id, options),
    enqueue: (kind, payload, options) => jobs.add(kind, payload, options),
    audit: (entry) => audits.push(entry),
  };
}

/**
 * The call's early beginning, if it is for its company and was not used before.
 * @returns undefined where the call begins a transaction of its own
 */
export function takeEarly(call: Call): EarlyCall | undefined {
  const { early } = call;
  if (early?.company_id === companyOf(call) && early.isOpen()) return early;
  early?.release();
  return undefined;
}

/** Reads both in one pipeline. */
export function readFirst(
  { clock }: RunParts,
  tx: Tx,
  company_id: string,
  { operation, input, due_time }: Call,
): Promise<[LoadedCompany, unknown]> {
  const loading = loadCompany(tx, company_id, clock.now(), due_time);
  return Promise.all([loading, operation.prefetch?.(tx, company_id, input, loading)]);
}

/** Writes all in one pipeline. */
export function writeGathered(
  { clock }: RunParts,
  tx: Tx,
  call: Call,
  loaded: LoadedCompany,
  gathered: Gathered,
): Promise<unknown>[] {
  const { company, now } = loaded;
  const { company_id } = company;
  const real_now = clock.now();
  return [
    insertEvents(tx, gathered.events.events, { company, version: call.version, now }),
    insertJobs(tx, gathered.jobs.jobs, { company_id, clock: loaded.clock, now, real_now }),
    ...writeAudits(tx, call, company_id, gathered, real_now),
  ];
}

/**
 * Logs in the caller's company: what a test key changes in the live company is logged in its sandbox. Who belongs to a company, which
 * persons alone decide, is told by the live one, from whichever side they do it. Then the transaction's company is set back.
 */
function writeAudits(
  tx: Tx,
  { caller, operation, request_id }: Call,
  company_id: string,
  { audits }: Gathered,
  real_now: Date,
): Promise<unknown>[] {
  const is_of_persons = operation.callers.every((kind) => kind === 'user');
  const told_in = is_of_persons ? company_id : caller.company_id;
  const insert = () => insertAudit(tx, told_in, actorOf(caller, request_id), audits, real_now);
  if (audits.length === 0 || told_in === company_id) return [insert()];
  return [
    tx.unsafe(setCompanyText(told_in)).execute(),
    insert(),
    tx.unsafe(setCompanyText(company_id)).execute(),
  ];
}

export function wakeWorker({ onDue }: RunParts, { jobs }: Gathered): void {
  if (jobs.jobs.some((job) => job.run_at === null)) onDue?.();
}

export function toAnswer(operation: Operation, handled: Handled<unknown> | unknown): Answer {
  const full = isHandled(handled) ? handled : { body: handled };
  return {
    status: full.status ?? operation.status,
    body: full.body,
    file: full.file,
    tag: full.tag,
    is_repeat: full.is_repeat ?? false,
    is_replay: false,
    is_held: false,
  };
}

function isHandled(value: unknown): value is Handled<unknown> {
  return value !== null && typeof value === 'object' && 'body' in value;
}
