import type { Tx } from '../kernel/operation.ts';
import { type Answer, type Call, companyOf, type RunParts } from './call.ts';
import { makeCtx, newGathered, readFirst, takeEarly, toAnswer } from './call-context.ts';
import { checkCondition, tagged } from './conditions.ts';
import type { LoadedCompany } from './company-context.ts';

export async function runRead(parts: RunParts, call: Call): Promise<Answer> {
  const company_id = companyOf(call);
  const { operation, input } = call;
  const work = async (tx: Tx, loaded: LoadedCompany, prefetched: unknown): Promise<Answer> => {
    await checkCondition(parts, tx, call, loaded, false);
    const ctx = makeCtx(parts, tx, call, loaded, newGathered(call));
    return tagged(call, toAnswer(operation, await operation.handle(ctx, input, prefetched)));
  };
  const early = takeEarly(call);
  if (early) return early.run(work);
  return parts.db.read(company_id, async (tx) => work(tx, ...(await readFirst(parts, tx, company_id, call))));
}
