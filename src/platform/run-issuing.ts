/** A read transaction prepares a plan, and the one committing function carries it out. */
import type { IdempotencyClaim, Tx } from '../kernel/operation.ts';
import { Problem } from '../kernel/problem.ts';
import { type Answer, type Call, companyOf, type RunParts } from './call.ts';
import { makeCtx, newGathered, readFirst, takeEarly, toAnswer, wakeWorker } from './call-context.ts';
import type { LoadedCompany } from './company-context.ts';
import { checkCondition } from './conditions.ts';
import { claimKey, findStoredAnswer, readyAnswers, type StoredAnswer, storeAnswer } from './idempotency.ts';
import { type Gathered, type IssuingCall, Replay } from './issuing-call.ts';
import { isRepeated, answerOfOrThrow, storedRefusal } from './stored-answers.ts';

export async function runIssuing(
  parts: RunParts,
  call: Call,
  claim: IdempotencyClaim | null,
): Promise<Answer> {
  const { operation } = call;
  const gathered = newGathered(call);
  const keep = async (answer: StoredAnswer) =>
    claim ? keepAnswer(parts, companyOf(call), claim, answer) : undefined;
  try {
    const prepared = await prepare(parts, call, claim, gathered);
    if (prepared instanceof Replay) return answerOfOrThrow(prepared.stored);
    const { loaded, plan } = prepared;
    const { db, secrets, clock, ports } = parts;
    const keepAlone: IssuingCall['keep'] = async (answer) => {
      call.refuseUnread?.();
      return keep(answer);
    };
    const issuing: IssuingCall = {
      call,
      loaded,
      gathered,
      claim,
      db,
      secrets,
      clock,
      ports,
      keep: keepAlone,
    };
    const outcome = await operation.commit!(plan, issuing);
    if (outcome instanceof Replay) return answerOfOrThrow(outcome.stored);
    wakeWorker(parts, gathered);
    return toAnswer(operation, outcome);
  } catch (error) {
    if (!(error instanceof Problem) || !claim) throw error;
    const first = await (isRepeated(error) && !claim.of_job
      ? keep(storedRefusal(error))
      : findFirst(parts, companyOf(call), claim));
    if (first) return answerOfOrThrow(first.stored);
    throw error;
  }
}

async function prepare(
  parts: RunParts,
  call: Call,
  claim: IdempotencyClaim | null,
  gathered: Gathered,
): Promise<Replay | { loaded: LoadedCompany; plan: unknown }> {
  const { db, clock, secrets } = parts;
  const company_id = companyOf(call);
  const plan = async (tx: Tx, loaded: LoadedCompany, prefetched: unknown) => {
    await checkCondition(parts, tx, call, loaded, false);
    const ctx = makeCtx(parts, tx, call, loaded, gathered);
    return { loaded, plan: await call.operation.handle(ctx, call.input, prefetched) };
  };
  const early = claim ? undefined : takeEarly(call);
  if (early) return early.run(plan);
  return db.read(company_id, async (tx) => {
    const [[loaded, prefetched], stored] = await Promise.all([
      readFirst(parts, tx, company_id, call),
      claim ? findStoredAnswer(tx, company_id, claim, secrets, clock.now()) : undefined,
    ]);
    return stored ? new Replay(stored) : plan(tx, loaded, prefetched);
  });
}

/** @returns what another process stored first, which is the answer */
function keepAnswer(
  { db, clock, secrets }: RunParts,
  company_id: string,
  claim: IdempotencyClaim,
  answer: StoredAnswer,
): Promise<Replay | undefined> {
  return db.transaction(company_id, async (tx) => {
    const stored = await claimKey(tx, company_id, claim, secrets, clock.now());
    if (stored) return new Replay(stored);
    const [ready] = await readyAnswers(tx, [answer]);
    await storeAnswer(tx, company_id, claim.key, ready!, secrets, false);
    return undefined;
  });
}

/** For a refusal that is not stored. What refused the call may be what the same call did in another process. */
function findFirst(
  { db, clock, secrets }: RunParts,
  company_id: string,
  claim: IdempotencyClaim,
): Promise<Replay | undefined> {
  return db.read(company_id, async (tx) => {
    const stored = await findStoredAnswer(tx, company_id, claim, secrets, clock.now());
    return stored && new Replay(stored);
  });
}
