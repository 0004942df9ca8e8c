/** Explains a write that the database refused. Unique and foreign keys back every check. */
import { commonErrors as c } from '../../kernel/common.errors.ts';
import type { Ctx } from '../../kernel/operation.ts';
import { fail } from '../../kernel/problem.ts';
import { sqlStates } from '../../kernel/sql-states.ts';
import { constraintOf, sqlState } from '../../platform/db.ts';
import { PlanStale } from '../../platform/issuing-call.ts';
import type { Family } from './family.ts';

/**
 * The error in the caller's terms, or unchanged.
 * @returns PlanStale when another run finds what changed: it refuses a deleted reference by name, and answers a taken external id
 * with its document. 422 business_rule_violation for a number that another series has given
 */
export function explainWrite({ unique }: Pick<Family, 'unique'>, error: unknown): unknown {
  if (sqlState(error) === sqlStates.foreign_key_violation)
    return new PlanStale('What the document refers to is gone.');
  const constraint = constraintOf(error);
  if (constraint === undefined) return error;
  const other = unique.others?.[constraint];
  if (other) return other();
  if (constraint === unique.external_id) return new PlanStale('The external id was taken meanwhile.');
  if (!unique.number.includes(constraint)) return error;
  const reason =
    'el número que toca en la serie ya existe en otra serie. Cambie el formato de una de las dos.';
  return fail(c.business_rule_violation, { param: 'series_id', values: { reason } });
}

/** @throws what refused the writes, in the caller's terms */
export async function write(
  family: Pick<Family, 'unique'>,
  writes: readonly Promise<unknown>[],
): Promise<void> {
  await Promise.all(writes).catch((error: unknown) => {
    throw explainWrite(family, error);
  });
}

/** Sends the writes together with the call's events, if the engine can. The caller may not use their answers afterwards. */
export async function writeLast(
  { alongside }: Pick<Ctx, 'alongside'>,
  family: Pick<Family, 'unique'>,
  writes: readonly Promise<unknown>[],
): Promise<void> {
  const written = write(family, writes);
  if (alongside) alongside(written);
  else await written;
}
