/**
 * Admits every call before its body is read, and once more where that came late (ADR 25; docs/request-path.md). A surface opens a
 * visit, has it admitted, and closes it after the answer.
 */
import assert from 'node:assert/strict';
import { commonErrors as c } from '../kernel/common.errors.ts';
import type { Audience, Caller, Operation } from '../kernel/operation.ts';
import { fail, Problem } from '../kernel/problem.ts';
import { newId } from '../kernel/uuid7.ts';
import { isApiVersion, latestVersion, readVersion } from '../kernel/versions.ts';
import type { Authenticator } from './authenticator.ts';
import type { AnyInput, ExpectedTags, RefuseLost } from './call.ts';
import { isAccepted, withBody } from './check-call.ts';
import type { Clock } from './clock.ts';
import { findCredential } from './credentials.ts';
import type { Database } from './db.ts';
import { beginEarlyCall, type EarlyCall, mayBeginEarly } from './early-call.ts';
import { problemOf } from './faults.ts';
import { countCall } from './give-way.ts';
import { type EndTurn, type ListTurnBounds, ListTurns, TurnsTaken } from './list-turns.ts';
import type { RateClass, RateLimiter, RateState } from './rate-limit.ts';
import type { RequestLog, RequestLogEntry } from './request-log.ts';
import { LostCaller } from './stored-answers.ts';

export type Arrival = {
  /** Null: no such operation. */
  operation: Operation | null;
  request_id: string;
  ip: string;
  user_agent?: string | null;
  /** Null when none came, undefined when unreadable. */
  secret: string | null | undefined;
  /** A person whose session was proved: no secret is asked for. */
  person?: Caller;
  /** Proves the session once more. @throws Problem for one that has ended, or a person without a role */
  findPerson?: () => Promise<Caller>;
  /** Of that person (ADR 102). */
  refuseLostPerson?: (caller: Caller, ...of: Parameters<RefuseLost>) => Promise<void>;
  /** What a token must be made for. */
  audience: Audience;
  /** The company to work for, if not the key's own. */
  active_profile: string | null;
  version: string | null;
  idempotency_key: string | null;
  expected_tags?: ExpectedTags | null;
  /** What `expected_tags` are about. */
  resource?: Operation | null;
  /** The body may not be read yet. */
  input: AnyInput;
  /** For a call without an operation; a read when left out. */
  rate_class?: RateClass;
  /** The body is on its way. Nothing begins before it is there. */
  has_input_later?: boolean;
  /** Only the body says what is called: `name` reads it, and spends the request. */
  is_named_later?: boolean;
};

/** The part of a body that names its operation. */
export type NamedCall = Pick<Arrival, 'operation' | 'active_profile' | 'idempotency_key' | 'input'>;

export type Visit = {
  arrival: Arrival;
  readonly started_at: number;
  /** The version in effect, also for a refusal. */
  version: string;
  /** Set once the credential is known. */
  caller: Caller | null;
  is_admitted: boolean;
  rate_class: RateClass;
  /** Undefined until a request is spent, and where no limit holds. */
  rate: RateState | undefined;
  /** What a request was spent for, null for a call without an operation; undefined until then. */
  spent_for: Operation | null | undefined;
  early: EarlyCall | undefined;
  /** Of a list. */
  end_turn: EndTurn | undefined;
  /** Call it when the work ends. */
  uncount: () => void;
};

export type Ending = {
  status: number;
  error_code: string | null;
  /** Replaces the operation's method and path. */
  address?: { method: string; path: string };
};

type Parts = {
  db: Database;
  clock: Clock;
  limiter: RateLimiter;
  authenticator: Authenticator;
  request_log: RequestLog;
  /** What is left out has its default. */
  list_turns?: Partial<ListTurnBounds> | undefined;
};

const retrySeconds = 2;

/** A body or a lock may take many seconds. By then a key may be revoked, and a person may have lost role or session. */
const admittedMs = 500;

/** @throws 429 rate_limit_exceeded */
function refuseSpent(rate: RateState | undefined): void {
  if (!rate || rate.allowed) return;
  const { limit, reset_seconds: seconds } = rate;
  throw fail(c.rate_limit_exceeded, { retry_after_seconds: seconds, values: { limit, seconds } });
}

/** Of keys, people, and the companies that they call for. */
function makeSpending(limiter: RateLimiter) {
  /** @throws 429 rate_limit_exceeded */
  async function spend(visit: Visit, caller: Caller, rate_class: RateClass): Promise<void> {
    visit.rate_class = rate_class;
    visit.spent_for = visit.arrival.operation;
    const { principal, tier, key_company_id } = caller;
    const is_person = visit.arrival.person !== undefined;
    const own = await (is_person
      ? limiter.spendOfPerson(principal.id, rate_class)
      : limiter.spend(principal.id, tier, rate_class));
    visit.rate = own;
    // A caller over its own limit spends nothing of its company's.
    if (own?.allowed) {
      const of_company = await (is_person
        ? limiter.spendOfPeople(key_company_id, rate_class)
        : limiter.spendOfCompany(key_company_id, tier, rate_class));
      if (of_company && isLess(of_company, own)) visit.rate = of_company;
    }
    refuseSpent(visit.rate);
  }

  /** People have limits of their own, so a program that calls too often does not shut them out of their pages. */
  async function spendOfPerson(user_id: string, rate_class: RateClass): Promise<RateState | undefined> {
    const rate = await limiter.spendOfPerson(user_id, rate_class);
    refuseSpent(rate);
    return rate;
  }

  return { spend, spendOfPerson };
}

/** For a secret seen before, a call whose input is there looks up the credential in its own pipeline (ADR 12, ADR 87). */
function lookUpOf(visit: Visit, db: Database, clock: Clock) {
  const { operation, active_profile, has_input_later, person, idempotency_key } = visit.arrival;
  if (person || operation === null || active_profile !== null || has_input_later) return undefined;
  return (secret: string, company_id: string) => {
    const { input } = withBody({ operation, input: visit.arrival.input });
    const is_read = operation.transaction === 'read';
    const accepted = (operation.prefetch || !is_read) && isAccepted(operation, input) ? input : null;
    const is_early = accepted
      ? mayBeginEarly(operation, accepted, idempotency_key)
      : is_read && operation.acts_on === 'company';
    if (!is_early) return findCredential(db.index, secret);
    visit.early = beginEarlyCall(db, clock, { secret, company_id, operation, input: accepted });
    return visit.early.credential;
  };
}

export function makeAdmission({ db, clock, limiter, authenticator, request_log, list_turns }: Parts) {
  const turns = new ListTurns(list_turns);
  const { spend, spendOfPerson } = makeSpending(limiter);

  return {
    spendOfPerson,

    open(arrival: Arrival): Visit {
      const { operation, version } = arrival;
      return {
        arrival,
        started_at: performance.now(),
        version: version !== null && isApiVersion(version) ? version : latestVersion,
        caller: null,
        is_admitted: false,
        rate_class: operation?.rate ?? arrival.rate_class ?? 'read',
        rate: undefined,
        spent_for: undefined,
        early: undefined,
        end_turn: undefined,
        uncount: countCall(),
      };
    },

    /** @throws 401, 429, 400 or 404, in this order: credential, rate, version, company worked for */
    async admit(visit: Visit): Promise<void> {
      const { operation, secret, audience, ip, request_id, version, active_profile } = visit.arrival;
      const home = operation?.takes_turn && secret ? authenticator.guess(secret) : undefined;
      // A list reads with its credential, so it waits before that.
      if (home !== undefined) await waitForTurn(turns, visit, db.shares.ownerOf(home));
      const lookUp = lookUpOf(visit, db, clock);
      const caller =
        visit.arrival.person ??
        (await authenticator.authenticate({ secret, audience, ip, request_id, lookUp }));
      visit.caller = { ...caller, user_agent: visit.arrival.user_agent ?? null };
      if (version === null || !isApiVersion(version)) visit.version = caller.api_version ?? latestVersion;
      if (!operation?.rate_of && !visit.arrival.is_named_later) await spend(visit, caller, visit.rate_class);
      if (version !== null) readVersion(version);
      if (active_profile !== null) visit.caller = await authenticator.actFor(visit.caller, active_profile);
      visit.is_admitted = true;
      turns.note(db.shares.ownerOf(visit.caller.company_id));
    },

    admitAgain: admitAgainBy(authenticator),
    refuseLostOf: refuseLostBy(authenticator),

    /** For a call whose whole input is there. @throws 429 company_share_exceeded */
    async takeTurn(visit: Visit, caller: Caller): Promise<void> {
      if (!visit.arrival.operation?.takes_turn) return;
      await waitForTurn(turns, visit, db.shares.ownerOf(caller.company_id));
    },

    /** For a surface whose body says what is called. @throws 429, 400 or 404: rate, company worked for */
    async name(visit: Visit, named: NamedCall): Promise<void> {
      const { caller } = visit;
      assert.ok(caller && visit.is_admitted, 'Only an admitted call is named.');
      visit.arrival = { ...visit.arrival, ...named };
      const { operation, input, active_profile } = named;
      if (visit.spent_for !== operation)
        await spend(visit, caller, operation ? (operation.rate_of?.(input) ?? operation.rate) : 'read');
      if (active_profile !== null) visit.caller = await authenticator.actFor(caller, active_profile);
    },

    /** For an operation whose input decides its rate class. @throws 429 rate_limit_exceeded */
    async spendByInput(visit: Visit, caller: Caller, input: AnyInput): Promise<void> {
      const rate_of = visit.arrival.operation?.rate_of;
      if (rate_of && visit.spent_for === undefined) await spend(visit, caller, rate_of(input));
    },

    /**
     * For a call refused before its input was read.
     * @returns what to answer
     */
    async countRefused(visit: Visit, problem: Problem): Promise<Problem> {
      const { arrival, caller } = visit;
      visit.early?.release();
      if (!caller || visit.spent_for !== undefined) return problem;
      try {
        await spend(visit, caller, arrival.operation?.rate ?? 'read');
        return problem;
      } catch (error) {
        return problemOf(error);
      }
    },

    /** Logs only visits whose caller is known. What people do is in the audit log. */
    close(visit: Visit, ending: Ending): void {
      visit.early?.release();
      visit.end_turn?.();
      visit.uncount();
      if (visit.caller && !visit.arrival.person)
        request_log.add(entryOf(visit, visit.caller, ending, clock.now()));
    },
  };
}

/**
 * For a call whose input came later: whoever lost what admitted them does nothing more, however slowly they send.
 * @returns who calls
 * @throws 401, 429, 400 or 404, as `admit`
 */
function admitAgainBy(authenticator: Authenticator) {
  return async (visit: Visit, admitted: Caller): Promise<Caller> => {
    const { arrival, started_at } = visit;
    if (!arrival.has_input_later || performance.now() - started_at < admittedMs) return admitted;
    const { secret, audience, ip, request_id, active_profile, findPerson } = arrival;
    const found = findPerson
      ? await findPerson()
      : await authenticator.authenticate({ secret, audience, ip, request_id });
    const own = { ...found, user_agent: arrival.user_agent ?? null };
    visit.caller = active_profile === null ? own : await authenticator.actFor(own, active_profile);
    return visit.caller;
  };
}

/**
 * A call may wait for a row for seconds after it was admitted. What gives out a secret always asks: the secret would outlive the key that was
 * revoked.
 */
function refuseLostBy(authenticator: Authenticator) {
  return ({ arrival, started_at }: Visit, caller: Caller): RefuseLost =>
    async (tx, company_id) => {
      const { operation, person, secret, audience, ip, refuseLostPerson } = arrival;
      const is_young = performance.now() - started_at < admittedMs;
      if (is_young && !operation?.holds_secret) return;
      const ask = async () =>
        person
          ? refuseLostPerson?.(caller, tx, company_id)
          : authenticator.refuseLost(tx, { secret, audience, ip });
      await ask().catch((error: unknown) => {
        throw error instanceof Problem ? new LostCaller(error.def, error.details) : error;
      });
    };
}

/** @throws 429 company_share_exceeded */
async function waitForTurn(turns: ListTurns, visit: Visit, owner_id: string): Promise<void> {
  if (visit.end_turn) return;
  try {
    visit.end_turn = await turns.take(owner_id);
  } catch (error) {
    if (!(error instanceof TurnsTaken)) throw error;
    const values = { seconds: retrySeconds };
    throw fail(c.company_share_exceeded, { retry_after_seconds: retrySeconds, values });
  }
}

/** Whether `one` stops the caller before `other` does. */
function isLess(one: RateState, other: RateState): boolean {
  return !one.allowed || one.remaining < other.remaining;
}

/** What is no key is not logged: an argument of a tool may be long, or hold what the database cannot. */
const loggedKey = /^[\x20-\x7e]{1,255}$/;

function entryOf(
  { arrival, version, started_at }: Visit,
  { company_id, principal, ip }: Caller,
  { status, error_code, address }: Ending,
  now: Date,
): RequestLogEntry {
  const { operation, request_id, idempotency_key } = arrival;
  return {
    company_id,
    id: newId(),
    request_id,
    principal,
    operation: operation?.name ?? null,
    method: address?.method ?? operation?.method ?? '',
    path: address?.path ?? operation?.path ?? '',
    status,
    error_code,
    duration_ms: (performance.now() - started_at).toFixed(3),
    ip,
    api_version: version,
    idempotency_key: idempotency_key !== null && loggedKey.test(idempotency_key) ? idempotency_key : null,
    created_at: now.toISOString(),
  };
}
