import type { Tx } from '../kernel/operation.ts';
import { type Answer, type Call, companyOf, type RunParts } from './call.ts';
import { makeCtx, newGathered, readFirst, toAnswer } from './call-context.ts';
import { checkCondition, tagged } from './conditions.ts';
import type { LoadedCompany } from './company-context.ts';

export async function runRead(parts: RunParts, call: Call): Promise<Answer> {
  const company_id = companyOf(call);
  const { operation, input, early } = call;
  const work = async (tx: Tx, loaded: LoadedCompany, prefetched: unknown): Promise<Answer> => {
    await checkCondition(parts, tx, call, loaded, false);
    const ctx = makeCtx(parts, tx, call, loaded, newGathered(call));
    return tagged(call, toAnswer(operation, await operation.handle(ctx, input, prefetched)));
  };
  if (early?.company_id === company_id) return early.run(work);
  early?.release();
  return parts.db.read(company_id, async (tx) => work(tx, ...(await readFirst(parts, tx, company_id, call))));
}
