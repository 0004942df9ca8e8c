/**
 * The one door to an operation (ADR 25; docs/request-path.md). A surface turns its wire into arrival and input, and
 * the answer or thrown Problem into its wire.
 */
import assert from 'node:assert/strict';
import { type IdempotencyClaim, type Operation, takesCondition } from '../kernel/operation.ts';
import { Problem } from '../kernel/problem.ts';
import { traced } from '../kernel/tracing.ts';
import { type Arrival, makeAdmission, type Visit } from './admission.ts';
import { runAfterCommit } from './after-commit.ts';
import type { Authenticator } from './authenticator.ts';
import { type AnyInput, type Answer, type Call, companyOf, type RunParts } from './call.ts';
import { checkElementsInTurns, checkInput, checkScope, readClaim, withBody } from './check-call.ts';
import { problemOf } from './faults.ts';
import { findStoredAnswer, KeysInFlight, KeysSeen, type StoredAnswer } from './idempotency.ts';
import type { ListTurnBounds } from './list-turns.ts';
import { refuseLocked, retryLostRace } from './lost-races.ts';
import { Preparation } from './preparation.ts';
import type { RateLimiter } from './rate-limit.ts';
import type { RequestLog } from './request-log.ts';
import { runIssuing } from './run-issuing.ts';
import { runOwn } from './run-own.ts';
import { runRead } from './run-read.ts';
import { answerOfOrThrow, shownTo } from './stored-answers.ts';

export type EngineParts = RunParts & {
  limiter: RateLimiter;
  authenticator: Authenticator;
  request_log: RequestLog;
  /** For another call with this idempotency key or external id; 20 seconds when left out. */
  key_wait_ms?: number | undefined;
  /** How many lists of one company are worked at a time, while others call. */
  list_turns?: Partial<ListTurnBounds> | undefined;
};

export type RunOptions = {
  holds?: Call['holds'];
  refuseUnread?: Call['refuseUnread'];
  hasGone?: Call['hasGone'];
};

export type Engine = ReturnType<typeof makeEngine>;

export function makeEngine({ key_wait_ms, ...parts }: EngineParts) {
  const admission = makeAdmission(parts);
  const runCall = makeRunner(parts, key_wait_ms);

  /** @throws Problem for a refusal; anything else is our fault */
  async function run(
    visit: Visit,
    input: AnyInput,
    { holds, refuseUnread, hasGone }: RunOptions = {},
  ): Promise<Answer> {
    refuseUnread?.();
    const { arrival, caller: admitted, is_admitted } = visit;
    const { operation, request_id, idempotency_key, expected_tags, resource } = arrival;
    assert.ok(admitted && is_admitted && operation, 'Only an admitted call of an operation is run.');
    const caller = await admission.admitAgain(visit, admitted);
    await admission.spendByInput(visit, caller, input);
    await admission.takeTurn(visit, caller);
    const condition = takesCondition(operation) ? { expected_tags, resource } : {};
    const refuseLost = admission.refuseLostOf(visit, caller);
    const answer = await runCall({
      operation,
      caller,
      input,
      idempotency_key,
      version: visit.version,
      request_id,
      holds,
      early: visit.early,
      // Calls that came together were begun together, and one may have waited for the others.
      refuseLost: async (...of) => {
        refuseUnread?.();
        await refuseLost(...of);
      },
      refuseUnread,
      hasGone,
      ...condition,
    });
    // Neither a read nor a stored answer has done anything yet. A creation that is repeated may have issued its draft.
    if (operation.transaction === 'read' || answer.is_replay) refuseUnread?.();
    return answer;
  }

  return {
    open: admission.open,
    admit: (visit: Visit) => traced('admit', 'internal', {}, () => admission.admit(visit)),
    name: admission.name,
    /** For what a person asks beside operations. @throws 429 rate_limit_exceeded */
    spendOfPerson: admission.spendOfPerson,
    hasProfiles: parts.authenticator.hasProfiles,
    /** Whether the secret was admitted before: it decides nothing. */
    hasSeen: (secret: string | null | undefined) =>
      !!secret && parts.authenticator.guess(secret) !== undefined,
    run,

    checkScope: checkScopeOf,
    /** What `run` checks first, for a surface that asks before it runs. @throws 403, 404 or 422 */
    check({ arrival, caller }: Visit): void {
      assert.ok(caller && arrival.operation, 'Only an admitted call of an operation is checked.');
      const { operation, input } = withBody({ operation: arrival.operation, input: arrival.input });
      checkScope(caller, operation, input);
      checkInput(operation, input);
    },

    ...makeLooking(runCall),
    countRefused: admission.countRefused,
    close: admission.close,

    /** For a call that has its whole input. @throws Problem for every refusal and fault */
    async serve(arrival: Arrival): Promise<Answer> {
      const visit = admission.open(arrival);
      try {
        await admission.admit(visit);
        const answer = await run(visit, arrival.input);
        admission.close(visit, { status: answer.status, error_code: null });
        return answer;
      } catch (error) {
        const problem = await admission.countRefused(visit, problemOf(error));
        const { status, code } = problem.def;
        if (status >= 500) parts.log.error({ err: error, request_id: arrival.request_id }, 'request failed');
        admission.close(visit, { status, error_code: code });
        throw problem;
      }
    },

    /** A job's call needs no admission. @throws Problem for a refusal */
    runAsSystem(call: Call): Promise<Answer> {
      assert.equal(call.caller.principal.kind, 'system');
      return runCall(call);
    },

    /** What a visitor asks for on a document's public page; the surface limits it. @throws Problem for a refusal */
    runFromLink(call: Call): Promise<Answer> {
      assert.equal(call.caller.principal.kind, 'link');
      return runCall(call);
    },
  };
}

/** What a surface asks about an admitted call before it runs. */
function makeLooking(runCall: (call: Call) => Promise<Answer>) {
  return {
    /**
     * A read beside an admitted call and as its caller, to tell what the call is about.
     * @returns null where it is refused
     */
    async look(
      { caller, version, arrival }: Visit,
      operation: Operation,
      params: unknown,
    ): Promise<Answer | null> {
      assert.ok(caller && operation.transaction === 'read', 'Only a read is looked at.');
      const { request_id } = arrival;
      const input = { params, query: {}, body: undefined };
      return orRefused(runCall({ operation, caller, input, idempotency_key: null, version, request_id }));
    },

    /**
     * A dry run of an admitted call, or of a part of it, to tell what it would make.
     * @param input as the operation takes it for a dry run
     * @returns null where it is refused
     */
    async tryOut(
      { caller, version, arrival: { request_id } }: Visit,
      operation: Operation,
      input: AnyInput,
    ): Promise<Answer | null> {
      // A dry run writes nothing, so it counts as a read.
      assert.ok(caller && operation.rate_of?.(input) === 'read', 'Only a dry run is tried out.');
      return orRefused(runCall({ operation, caller, input, idempotency_key: null, version, request_id }));
    },
  };
}

/** @returns null for a refusal */
async function orRefused(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

/** For a call whose body is dear to read. What the body asks for is checked when it is there. @throws 403 */
function checkScopeOf({ arrival: { operation, input }, caller }: Visit): void {
  assert.ok(caller && operation, 'Only an admitted call of an operation is checked.');
  checkScope(caller, operation, input);
}

function makeRunner(parts: RunParts, key_wait_ms: number | undefined) {
  const { db, clock, secrets } = parts;
  const keysInFlight = new KeysInFlight(key_wait_ms);
  const keysSeen = new KeysSeen();
  const externalIdsInFlight = new KeysInFlight(key_wait_ms, { param: 'external_id' });

  /** Most repeats reach the same process. Before `prepare`, what another process stored is looked for too. */
  async function findSeen(call: Call, claim: IdempotencyClaim): Promise<StoredAnswer | undefined> {
    const company_id = companyOf(call);
    const is_seen = keysSeen.has(company_id, claim.key);
    if (!is_seen) keysSeen.add(company_id, claim.key);
    if (!is_seen && !call.operation.prepare) return undefined;
    return db.read(company_id, (tx) => findStoredAnswer(tx, company_id, claim, secrets, clock.now()));
  }

  async function runOnce(
    call: Call,
    claim: IdempotencyClaim | null,
    preparation: Preparation | null,
  ): Promise<Answer> {
    const stored = claim && (await findSeen(call, claim));
    if (stored) return answerOfOrThrow(stored);
    const { transaction } = call.operation;
    if (transaction === 'read') return runRead(parts, call);
    if (transaction === 'own') return runOwn(parts, call, claim, preparation);
    return runIssuing(parts, call, claim);
  }

  /** In one order for all calls, so that none deadlock. */
  function takeTurns(call: Call, work: () => Promise<Answer>): Promise<Answer> {
    const { operation, input } = call;
    const names = new Set(operation.external_ids?.(input));
    return [...names]
      .sort()
      .reduce(
        (inner, id) => () => externalIdsInFlight.run(companyOf(call), `${operation.tag} ${id}`, inner),
        work,
      )();
  }

  async function runCall(given: Call): Promise<Answer> {
    const call = withBody(given);
    checkScope(call.caller, call.operation, call.input);
    if (call.operation.elements) await checkElementsInTurns(call.operation, call.input.body);
    checkInput(call.operation, call.input);
    const claim = readClaim(call);
    const preparation = call.operation.prepare && new Preparation(parts, call);
    const work = async () => {
      const answer = await takeTurns(call, () => retryLostRace(() => runOnce(call, claim, preparation)));
      return shownTo(call, await runAfterCommit(parts, call, claim, answer));
    };
    try {
      return await (claim ? keysInFlight.run(companyOf(call), claim.key, work) : refuseLocked(work));
    } finally {
      preparation?.discard();
    }
  }

  return (call: Call): Promise<Answer> => {
    const { name } = call.operation;
    const run = () => runCall(call).finally(() => call.early?.release());
    return traced('run', 'internal', { 'folio.operation': name }, run);
  };
}
