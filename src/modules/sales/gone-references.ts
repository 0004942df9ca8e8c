/** What becomes of a write whose document refers to a row that was deleted meanwhile. */
import { sqlState } from '../../platform/db.ts';
import { PlanStale } from '../../platform/issuing-call.ts';

const foreignKeyViolation = '23503';

/** Asks to be prepared again: then the missing reference is refused by its name. @throws the error, or PlanStale in its place */
export function prepareAgain(error: unknown): never {
  throw sqlState(error) === foreignKeyViolation
    ? new PlanStale('What the document refers to is gone.')
    : error;
}
