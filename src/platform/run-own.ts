/** One transaction keeps claim, handler, events, jobs, audit and stored answer together or not at all. */
import type { IdempotencyClaim, Tx } from '../kernel/operation.ts';
import { Problem } from '../kernel/problem.ts';
import { type Answer, type Call, companyOf, repeatsEarlier, type RunParts } from './call.ts';
import { makeCtx, newGathered, takeEarly, toAnswer, wakeWorker, writeGathered } from './call-context.ts';
import { type LoadedCompany, loadCompany } from './company-context.ts';
import { checkCondition } from './conditions.ts';
import { claimKey, readyAnswers, storeAnswer } from './idempotency.ts';
import type { Gathered } from './issuing-call.ts';
import { areByClock } from './jobs.ts';
import { commitWith } from './last-writes.ts';
import type { Preparation } from './preparation.ts';
import { isRepeated, answerOf, storedFrom, storedRefusal } from './stored-answers.ts';

export async function runOwn(
  parts: RunParts,
  call: Call,
  claim: IdempotencyClaim | null,
  preparation: Preparation | null,
): Promise<Answer> {
  const { db, clock } = parts;
  const company_id = companyOf(call);
  const gathered = newGathered(call);
  const prepared = await preparation?.get();
  const keeper = claim && !claim.of_job ? keepRefusals(parts, company_id, claim) : null;
  let is_ending = false;
  const act = async (tx: Tx, loaded: LoadedCompany, prefetched: unknown): Promise<Answer | Problem> => {
    const before = prepared ?? prefetched;
    const work = () => handleAndWrite(parts, { tx, call, claim, loaded, gathered, before });
    const outcome = await (keeper ? keeper.within(tx, work) : work());
    is_ending = true;
    return outcome;
  };
  const begin = async (tx: Tx): Promise<Answer | Problem> => {
    const loading = loadCompany(tx, company_id, clock.now(), call.due_time);
    const [loaded, stored, prefetched] = await Promise.all([
      loading,
      claim ? claimKey(tx, company_id, claim, parts.secrets, clock.now()) : undefined,
      call.operation.prefetch?.(tx, company_id, call.input, loading),
    ]);
    return stored ? answerOf(stored) : act(tx, loaded, prefetched);
  };
  // A call with a key claims it before all else.
  const early = claim ? undefined : takeEarly(call);
  const done = early ? early.run(act) : db.transaction(company_id, begin);
  const outcome = await done.catch((error: unknown) => {
    preparation?.heed(error);
    if (is_ending && keeper) return keeper.afterwards(error);
    throw error;
  });
  if (outcome instanceof Problem) throw outcome;
  if (!repeatsEarlier(outcome)) preparation?.keep();
  wakeWorker(parts, gathered);
  return outcome;
}

type Opened = {
  tx: Tx;
  call: Call;
  claim: IdempotencyClaim | null;
  loaded: LoadedCompany;
  gathered: Gathered;
  /** Of `prepare` or `prefetch`: an operation has one of them at most. */
  before: unknown;
};

async function handleAndWrite(parts: RunParts, opened: Opened): Promise<Answer> {
  const { tx, call, claim, loaded, gathered, before } = opened;
  const { operation, input } = call;
  await checkCondition(parts, tx, call, loaded, true);
  const alongside: Promise<unknown>[] = [];
  const refuseLost = askedOnce(async () => call.refuseLost?.(tx, companyOf(call)));
  const ctx = { ...makeCtx(parts, tx, call, loaded, gathered), alongside: keepIn(alongside), refuseLost };
  const answer = toAnswer(operation, await firstFault(operation.handle(ctx, input, before), alongside));
  await orFirstFault(refuseLost(), alongside);
  // A long one is sent ahead: from here on all is sent at once.
  const [ready] = claim ? await readyAnswers(tx, [storedFrom(answer)]) : [];
  const writes = writeGathered(parts, tx, call, loaded, gathered);
  if (claim) {
    const { company_id } = loaded.company;
    writes.push(storeAnswer(tx, company_id, claim.key, ready!, parts.secrets, operation.holds_secret));
  }
  const ending = firstFault(Promise.all(writes), alongside);
  if (areByClock(gathered.jobs.jobs)) await ending;
  else commitWith(tx, ending);
  return answer;
}

function askedOnce(ask: () => Promise<void>): () => Promise<void> {
  let asked: Promise<void> | undefined;
  return () => (asked ??= ask());
}

/** They are awaited later. */
function keepIn(all: Promise<unknown>[]): (writes: Promise<unknown>) => void {
  return (writes) => {
    writes.catch(() => undefined);
    all.push(writes);
  };
}

/** After a statement has failed, all later ones of the transaction fail too, so the earlier one tells why. */
async function firstFault<T>(work: Promise<T>, before: readonly Promise<unknown>[]): Promise<T> {
  const [done] = await Promise.allSettled([work]);
  await Promise.all(before);
  if (done.status === 'rejected') throw done.reason;
  return done.value;
}

/** As `firstFault`, but does not wait for the earlier ones where the work is done. */
async function orFirstFault(work: Promise<void>, before: readonly Promise<unknown>[]): Promise<void> {
  try {
    await work;
  } catch (error) {
    await Promise.all(before);
    throw error;
  }
}

/** Undoes refused work, and stores the refusal if a replay gives it again. */
function keepRefusals({ db, clock, secrets }: RunParts, company_id: string, claim: IdempotencyClaim) {
  const store = async (tx: Tx, refusal: Problem) => {
    const [ready] = await readyAnswers(tx, [storedRefusal(refusal)]);
    await storeAnswer(tx, company_id, claim.key, ready!, secrets, false);
  };
  return {
    async within(tx: Tx, work: () => Promise<Answer>): Promise<Answer | Problem> {
      // If it failed, so would all that follows.
      tx.unsafe('savepoint before_effect').execute();
      try {
        return await work();
      } catch (error) {
        if (!(error instanceof Problem) || !isRepeated(error)) throw error;
        await tx.unsafe('rollback to savepoint before_effect');
        await store(tx, error);
        return error;
      }
    },

    /**
     * For a refusal that came with the last writes: they and the claim were rolled back. Another process may have claimed the key
     * since.
     */
    async afterwards(error: unknown): Promise<Answer | Problem> {
      if (!(error instanceof Problem) || !isRepeated(error)) throw error;
      return db.transaction(company_id, async (tx) => {
        const stored = await claimKey(tx, company_id, claim, secrets, clock.now());
        if (stored) return answerOf(stored);
        await store(tx, error);
        return error;
      });
    },
  };
}
