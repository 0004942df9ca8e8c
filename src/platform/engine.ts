/**
 * Runs operations, whatever surface they come from: rate, scope, schema, idempotency key, transaction,
 * handler, events, jobs, stored answer, commit (request path, "Every request"). A surface brings a caller
 * and an input, and turns what comes back, or the Problem thrown, into its own wire format.
 */
import { checkSchema, findUnstorableText, issuesMax } from '../kernel/check.ts';
import { commonErrors as c } from '../kernel/common.errors.ts';
import type { Log } from '../kernel/log.ts';
import {
  type AfterCommit,
  type Caller,
  type Ctx,
  type Handled,
  type IdempotencyClaim,
  type Input,
  type Operation,
  type Services,
  scopesNeeded,
  type Tx,
} from '../kernel/operation.ts';
import { declaredProblems, fail, type FieldIssue, Problem } from '../kernel/problem.ts';
import { scopesAllow } from '../kernel/scopes.ts';
import { type AuditActor, actorOf, insertAudit } from './audit.ts';
import type { Clock } from './clock.ts';
import { type LoadedCompany, loadCompany } from './company-context.ts';
import { constraintOf, type Database, setCompanyText, sqlState } from './db.ts';
import { beginEarlyRead, type EarlyRead } from './early-read.ts';
import { holdsTag } from './entity-tags.ts';
import { EventBuffer, insertEvents } from './events.ts';
import {
  claimKey,
  findStoredAnswer,
  hashRequest,
  KeysInFlight,
  KeysSeen,
  pause,
  type StoredAnswer,
  storeAnswer,
} from './idempotency.ts';
import { type Gathered, type IssuingCall, PlanStale, Replay } from './issuing-call.ts';
import { insertJobs, JobBuffer } from './jobs.ts';
import type { Ports } from '../kernel/ports.ts';
import type { RateClass, RateLimiter, RateState } from './rate-limit.ts';
import type { SecretBox } from './secrets.ts';

export type EngineParts = {
  db: Database;
  clock: Clock;
  secrets: SecretBox;
  limiter: RateLimiter;
  /** What operations may use of the outside. */
  ports: Ports;
  /** What operations may use after their commit. */
  services: Services;
  log: Log;
  /** Told after a commit that enqueued work for now; polling finds it without. */
  onDue?: () => void;
  /** How long a caller waits for another one with its idempotency key or external id; twenty seconds when left out. */
  key_wait_ms?: number | undefined;
  /** How long an answer is held back for what is done only after its commit; fifteen seconds when left out. */
  answer_wait_ms?: number | undefined;
};

export type Call = {
  operation: Operation;
  caller: Caller;
  input: Input<unknown, unknown, unknown>;
  idempotency_key: string | null;
  version: string;
  request_id: string;
  /** The tags of answers that the caller has already, as `If-None-Match` writes them. */
  if_none_match?: string | null;
  /** The transaction that a read began together with the look-up of its caller's credential. */
  early?: EarlyRead | undefined;
  /** The due time of the job that calls: a sandbox's call is made at this time (ADR 26). */
  due_time?: Date | undefined;
};

export type Answer = { status: number; body: unknown; headers: Record<string, string>; is_replay: boolean };

export type Engine = ReturnType<typeof makeEngine>;

export function makeEngine({
  db,
  clock,
  secrets,
  limiter,
  ports,
  services,
  log,
  onDue = () => undefined,
  key_wait_ms,
  answer_wait_ms = 15_000,
}: EngineParts) {
  const inFlight = new KeysInFlight(key_wait_ms);
  const keysSeen = new KeysSeen();
  const externalInFlight = new KeysInFlight(key_wait_ms, 'external_id');

  function tellDue({ jobs }: Gathered): void {
    if (jobs.jobs.some((job) => job.run_at === null)) onDue();
  }

  /** Spends one request of the caller's window. The state is for the RateLimit headers. */
  async function spendRate(caller: Caller, rate_class: RateClass): Promise<RateState | undefined> {
    return limiter.spend(caller.principal.id, caller.tier, rate_class);
  }

  function checkScope(caller: Caller, operation: Operation): void {
    const { environment } = operation;
    if (environment !== null && caller.environment !== environment) {
      const place = environment === 'test' ? 'en el entorno de pruebas' : 'en el entorno real';
      throw fail(c.insufficient_scope, { values: { scope: `${operation.scope ?? ''} ${place}`.trim() } });
    }
    const missing = scopesNeeded(operation).find((scope) => !scopesAllow(caller.scopes, scope, caller));
    if (missing !== undefined) throw fail(c.insufficient_scope, { values: { scope: missing } });
  }

  /** Checks params, query and body. @throws 422 parameter_invalid with every field at fault, 404 for an id that is none */
  function checkInput(operation: Operation, input: Input<unknown, unknown, unknown>): void {
    if (operation.params) {
      const [issue] = checkSchema(operation.params, input.params, true);
      if (issue) throw fail(operation.not_found ?? c.resource_not_found, { param: issue.param });
    }
    const issues: FieldIssue[] = operation.query
      ? checkSchema(operation.query, input.query, true)
      : unknownKeys(input.query);
    if (operation.body) {
      if (!(operation.body_optional && input.body === undefined)) {
        const found = checkSchema(operation.body, input.body === undefined ? {} : input.body);
        issues.push(...found.map((issue) => (issue.param === '' ? { ...issue, param: 'body' } : issue)));
      }
    } else if (input.body !== undefined) {
      issues.push(...unknownKeys(input.body));
    }
    // Only now is the depth of the body known to be bounded by its schema.
    const unstorable =
      issues.length > 0 ? undefined : (findUnstorableText(input.body) ?? findUnstorableText(input.query));
    if (unstorable !== undefined) {
      issues.push({
        param: unstorable,
        code: 'parameter_invalid',
        message: 'Contiene caracteres que no se pueden guardar.',
      });
    }
    if (issues.length > 0) throw fail(c.parameter_invalid, { param: issues[0]!.param, errors: issues });
  }

  function isAccepted(operation: Operation, input: Call['input']): boolean {
    try {
      checkInput(operation, input);
      return true;
    } catch (error) {
      if (error instanceof Problem) return false;
      throw error;
    }
  }

  function claimOf(call: Call): IdempotencyClaim | null {
    const { operation, idempotency_key: key } = call;
    if (operation.idempotency === 'none') return null;
    const { min, max } = operation.idempotency_length;
    if (key === null) {
      if (operation.idempotency === 'optional') return null;
      throw fail(c.missing_required_param, { param: 'Idempotency-Key' });
    }
    if (key.length < min || key.length > max || !/^[\x20-\x7e]+$/.test(key)) {
      const message = `Debe tener de ${min} a ${max} caracteres ASCII.`;
      throw fail(c.parameter_invalid, {
        param: 'Idempotency-Key',
        errors: [{ param: 'Idempotency-Key', code: 'parameter_invalid', message }],
      });
    }
    return {
      key: namespaceOf(call) + key,
      operation: operation.name,
      body_hash: hashRequest(operation.name, call.input),
    };
  }

  /**
   * Callers of a sandbox write keys under the live company: their records must never meet those of its live
   * keys, or a test key would be handed a live key's answer, secret included. Jobs have a space of their own, too.
   * No key sent has a line feed.
   */
  function namespaceOf({ operation, caller }: Call): string {
    if (caller.principal.kind === 'system') return 'system\n';
    return operation.acts_on !== 'company' && caller.environment === 'test' ? 'test\n' : '';
  }

  function makeCtx(tx: Tx, call: Call, loaded: LoadedCompany, gathered: Gathered): Ctx {
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
      emit: (type, aggregate_id, options) => gathered.events.add(type, aggregate_id, options),
      enqueue: (kind, payload, options) => gathered.jobs.add(kind, payload, options),
      audit: (entry) => gathered.audits.push(entry),
      log,
    };
  }

  function flush(tx: Tx, call: Call, loaded: LoadedCompany, gathered: Gathered): Promise<unknown>[] {
    const { company, now } = loaded;
    const { caller } = call;
    const actor = actorOf(caller, call.request_id);
    return [
      insertEvents(tx, gathered.events.events, { company, version: call.version, now }),
      insertJobs(tx, gathered.jobs.jobs, {
        company_id: company.company_id,
        clock: loaded.clock,
        now,
        real_now: clock.now(),
      }),
      ...writeAudits(tx, call, company.company_id, gathered, actor),
    ];
  }

  /**
   * What was done goes, on real time, into the log of the company the caller works for: what a test key does to
   * keys, whose rows are the live company's, is told in its sandbox. The transaction's company is left as it was.
   */
  function writeAudits(
    tx: Tx,
    { caller }: Call,
    company_id: string,
    { audits }: Gathered,
    actor: AuditActor,
  ): Promise<unknown>[] {
    const insert = () => insertAudit(tx, caller.company_id, actor, audits, clock.now());
    if (audits.length === 0 || caller.company_id === company_id) return [insert()];
    return [
      tx.unsafe(setCompanyText(caller.company_id)).execute(),
      insert(),
      tx.unsafe(setCompanyText(company_id)).execute(),
    ];
  }

  function companyOf(call: Call): string {
    const { acts_on } = call.operation;
    if (acts_on === 'key') return call.caller.key_company_id;
    return acts_on === 'key_owner' ? call.caller.owner_company_id : call.caller.company_id;
  }

  function toAnswer(operation: Operation, handled: Handled<unknown> | unknown): Answer {
    const full = isHandled(handled) ? handled : { body: handled };
    return {
      status: full.status ?? operation.status,
      body: full.body,
      headers: full.headers ?? {},
      is_replay: false,
    };
  }

  async function runRead(call: Call): Promise<Answer> {
    const company_id = companyOf(call);
    const { operation, input, early } = call;
    const work = async (tx: Tx, loaded: LoadedCompany, prefetched: unknown): Promise<Answer> => {
      const ctx = makeCtx(tx, call, loaded, {
        events: new EventBuffer(call.request_id),
        jobs: new JobBuffer(),
        audits: [],
      });
      return toAnswer(operation, await operation.handle(ctx, input, prefetched));
    };
    if (early?.company_id === company_id) return early.run(work);
    early?.release();
    return db.read(company_id, async (tx) => work(tx, ...(await readFirst(tx, company_id, call))));
  }

  /** The company and what the operation prefetches, in one pipeline. */
  function readFirst(
    tx: Tx,
    company_id: string,
    { operation, input, due_time }: Call,
  ): Promise<[LoadedCompany, unknown]> {
    return Promise.all([
      loadCompany(tx, company_id, clock.now(), due_time),
      operation.prefetch?.(tx, company_id, input),
    ]);
  }

  /** The surface owns the transaction: claim, handler, events and jobs, stored answer, commit. */
  async function runOwn(call: Call, claim: IdempotencyClaim | null): Promise<Answer> {
    const company_id = companyOf(call);
    const { operation } = call;
    const gathered: Gathered = {
      events: new EventBuffer(call.request_id),
      jobs: new JobBuffer(),
      audits: [],
    };
    const prepared = await operation.prepare?.(ports, call.input);
    const outcome = await db.transaction(company_id, async (tx): Promise<Answer | Problem> => {
      const [loaded, stored] = await Promise.all([
        loadCompany(tx, company_id, clock.now(), call.due_time),
        claim ? claimKey(tx, company_id, claim, secrets, clock.now()) : undefined,
      ]);
      if (stored) return recall(stored);
      if (claim) await tx.unsafe('savepoint before_effect');
      try {
        const answer = toAnswer(
          operation,
          await operation.handle(makeCtx(tx, call, loaded, gathered), call.input, prepared),
        );
        const writes = flush(tx, call, loaded, gathered);
        if (claim) {
          writes.push(
            storeAnswer(tx, company_id, claim.key, toKeep(answer), secrets, operation.holds_secret),
          );
        }
        await Promise.all(writes);
        return answer;
      } catch (error) {
        if (!(error instanceof Problem) || !claim || !isKept(error)) throw error;
        await tx.unsafe('rollback to savepoint before_effect');
        const kept: StoredAnswer = { kind: 'problem', code: error.def.code, details: error.details };
        await storeAnswer(tx, company_id, claim.key, kept, secrets, false);
        return error;
      }
    });
    if (outcome instanceof Problem) throw outcome;
    tellDue(gathered);
    return outcome;
  }

  /** Prepare in a read transaction, then hand the plan to the one committing function. */
  async function runIssuing(call: Call, claim: IdempotencyClaim | null): Promise<Answer> {
    const company_id = companyOf(call);
    const { operation } = call;
    const gathered: Gathered = {
      events: new EventBuffer(call.request_id),
      jobs: new JobBuffer(),
      audits: [],
    };
    try {
      const prepared = await db.read(company_id, async (tx) => {
        const [[loaded, prefetched], stored] = await Promise.all([
          readFirst(tx, company_id, call),
          claim ? findStoredAnswer(tx, company_id, claim, secrets, clock.now()) : undefined,
        ]);
        if (stored) return new Replay(stored);
        const ctx = makeCtx(tx, call, loaded, gathered);
        return { loaded, plan: await operation.handle(ctx, call.input, prefetched) };
      });
      if (prepared instanceof Replay) return recallOrThrow(prepared.stored);
      const { loaded, plan } = prepared;
      const outcome = await operation.commit!(plan, {
        call,
        loaded,
        gathered,
        claim,
        db,
        secrets,
        clock,
        ports,
        keep: (answer) => (claim ? keepAnswer(company_id, claim, answer) : Promise.resolve()),
      } satisfies IssuingCall);
      if (outcome instanceof Replay) return recallOrThrow(outcome.stored);
      tellDue(gathered);
      return toAnswer(operation, outcome);
    } catch (error) {
      if (claim && error instanceof Problem && isKept(error)) {
        await keepAnswer(company_id, claim, {
          kind: 'problem',
          code: error.def.code,
          details: error.details,
        });
      }
      throw error;
    }
  }

  /** The answer of a request that came again: most do so to the same process, and need nothing else of the database. */
  async function findSeen(call: Call, claim: IdempotencyClaim): Promise<StoredAnswer | undefined> {
    const company_id = companyOf(call);
    if (!keysSeen.has(company_id, claim.key)) {
      keysSeen.add(company_id, claim.key);
      return undefined;
    }
    return db.read(company_id, (tx) => findStoredAnswer(tx, company_id, claim, secrets, clock.now()));
  }

  async function keepAnswer(
    company_id: string,
    claim: IdempotencyClaim,
    answer: StoredAnswer,
  ): Promise<void> {
    await db.transaction(company_id, async (tx) => {
      const stored = await claimKey(tx, company_id, claim, secrets, clock.now());
      if (!stored) await storeAnswer(tx, company_id, claim.key, answer, secrets, false);
    });
  }

  /** What is known or done only after the commit, with no connection held; then the stored answer is updated. */
  async function finish(call: Call, claim: IdempotencyClaim | null, answer: Answer): Promise<Answer> {
    const { operation, caller } = call;
    if (operation.transaction === 'read' && holdsTag(call.if_none_match, answer.headers.ETag))
      return { ...answer, status: 304, body: null };
    if (operation.after_commit === null || answer.is_replay) return answer;
    const { status, body, headers } = answer;
    const company_id = companyOf(call);
    const ctx: AfterCommit = {
      caller,
      services,
      ports,
      log,
      wait_ms: answer_wait_ms,
      realNow: () => clock.now(),
      read: (work) => db.read(company_id, work),
    };
    const handled = await operation.after_commit(ctx, { status, body, headers });
    if (handled === undefined) return answer;
    const finished = toAnswer(operation, handled);
    if (claim) {
      await db.transaction(company_id, (tx) =>
        storeAnswer(tx, company_id, claim.key, toKeep(finished), secrets, operation.holds_secret),
      );
    }
    return finished;
  }

  /** Runs the work when no other call with one of its external ids runs: each is waited for in turn, in one order. */
  function takingTurns(call: Call, work: () => Promise<Answer>): Promise<Answer> {
    const { operation, input } = call;
    const names = new Set(operation.external_ids?.(input));
    return [...names]
      .sort()
      .reduce(
        (inner, id) => () => externalInFlight.run(companyOf(call), `${operation.tag} ${id}`, inner),
        work,
      )();
  }

  async function run(call: Call): Promise<Answer> {
    checkScope(call.caller, call.operation);
    checkInput(call.operation, call.input);
    const claim = claimOf(call);
    const work = async (): Promise<Answer> => {
      const stored = claim && (await findSeen(call, claim));
      if (stored) return recallOrThrow(stored);
      if (call.operation.transaction === 'read') return runRead(call);
      return call.operation.transaction === 'own' ? runOwn(call, claim) : runIssuing(call, claim);
    };
    const once = async () => finish(call, claim, await takingTurns(call, () => retryLostRace(work)));
    return claim ? inFlight.run(companyOf(call), claim.key, once) : refuseLocked(once);
  }

  return {
    spendRate,

    /** Whether the operation may begin before its caller is known: it only reads, in the company called for. */
    mayBeginEarly: (operation: Operation) =>
      operation.transaction === 'read' && operation.acts_on === 'company',

    /**
     * Begins a read together with the look-up of the credential.
     * @param company_id whose key the secret was when it was last seen
     */
    beginEarly(operation: Operation, input: Call['input'], secret: string, company_id: string): EarlyRead {
      const prefetch_by = operation.prefetch && isAccepted(operation, input) ? input : null;
      return beginEarlyRead(db, clock, { secret, company_id, operation, input: prefetch_by });
    },

    /**
     * Runs one call of an authenticated caller.
     * @throws Problem for every refusal; anything else is a fault of ours
     */
    run: (call: Call): Promise<Answer> => run(call).finally(() => call.early?.release()),
  };
}

const lockNotAvailable = '55P03';
const deadlock = '40P01';

/** @throws 409 resource_locked for work that waited in vain for a row another transaction holds */
async function refuseLocked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw sqlState(error) === lockNotAvailable ? fail(c.resource_locked) : error;
  }
}

/**
 * Runs again what lost a race: a plan whose ground changed before it committed, an event whose sequence
 * number another transaction took first (the unique key decides), or the victim of a deadlock. Who loses again and
 * again steps back for longer each time, some eight seconds in all, until a crowd has gone by.
 */
async function retryLostRace<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      const is_lost =
        error instanceof PlanStale ||
        constraintOf(error) === 'events_company_id_aggregate_id_sequence_key' ||
        sqlState(error) === deadlock;
      if (!is_lost) throw error;
      if (attempt >= 14) throw fail(c.resource_locked);
      await pause(Math.random() * 2 ** attempt);
    }
  }
}

function toKeep({ status, headers, body }: Answer): StoredAnswer {
  return { kind: 'answer', status, headers, body };
}

function unknownKeys(value: unknown): FieldIssue[] {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    return value === undefined
      ? []
      : [{ param: 'body', code: 'parameter_invalid', message: 'Esta operación no lleva cuerpo.' }];
  }
  return Object.keys(value)
    .slice(0, issuesMax)
    .map((param) => ({
      param,
      code: 'parameter_invalid',
      message: 'El campo no existe en esta operación.',
    }));
}

function isHandled(value: unknown): value is Handled<unknown> {
  return value !== null && typeof value === 'object' && 'body' in value;
}

/** Refusals that a replay gives again: the domain's own. Not those of schema, scope, rate or lock. */
function isKept(problem: Problem): boolean {
  return problem.def.status < 500 && !neverKept.has(problem.def.code);
}

const neverKept = new Set<string>([
  c.resource_locked.code,
  c.idempotency_key_reused.code,
  c.rate_limit_exceeded.code,
  c.insufficient_scope.code,
  c.invalid_api_key.code,
  c.missing_api_key.code,
  c.parameter_invalid_format.code,
]);

/** The answer or the refusal that was stored, as one of this call. */
function recall(stored: StoredAnswer): Answer | Problem {
  const replayed = { 'Idempotent-Replayed': 'true' };
  if (stored.kind === 'answer') {
    return {
      status: stored.status,
      body: stored.body,
      headers: { ...stored.headers, ...replayed },
      is_replay: true,
    };
  }
  const def = declaredProblems().find((d) => d.code === stored.code) ?? c.internal_error;
  return fail(def, { ...stored.details, headers: { ...stored.details.headers, ...replayed } });
}

function recallOrThrow(stored: StoredAnswer): Answer {
  const outcome = recall(stored);
  if (outcome instanceof Problem) throw outcome;
  return outcome;
}
