/** What a caller is told when an error is no refusal. */
import { commonErrors as c } from '../kernel/common.errors.ts';
import { fail, Problem } from '../kernel/problem.ts';
import { isOutOfUse, ShareSpent } from './db.ts';

const databaseWaitSeconds = 5;
const shareWaitSeconds = 2;

export function problemOf(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof ShareSpent)
    return fail(c.company_share_exceeded, {
      retry_after_seconds: shareWaitSeconds,
      values: { seconds: shareWaitSeconds },
    });
  if (isOutOfUse(error)) return fail(c.service_unavailable, { retry_after_seconds: databaseWaitSeconds });
  return fail(c.internal_error);
}
