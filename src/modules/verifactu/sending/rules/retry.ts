/** What of a record can be tried again, and how often (specification, section 4, "VeriFactu"; decisions, section 8). Pure. */
import { commonErrors as c } from '../../../../kernel/common.errors.ts';
import { fail, type Problem } from '../../../../kernel/problem.ts';
import { isAtLeast } from '../../../../kernel/versions.ts';
import { verifactuErrors as e } from '../../verifactu.errors.ts';
import type { SendingStatus } from '../../records/records.rows.ts';
import { isWaitingStatus } from './blocking.ts';

/** Since this version a billing record is tried again without end. */
export const endlessSince = '2026-10-01';
const attemptsMax = 10;

export type RetryInput = {
  /** Null for a record that is kept. */
  status: SendingStatus | null;
  is_blocked: boolean;
  attempts: number;
  /** No later record of the invoice took its place. */
  is_last: boolean;
  version: string;
};

/**
 * Why a record cannot be tried again; undefined when it can. By code:
 * - 409 invalid_status_transition: it has its answer (a rejected one is mended by subsanar), it is kept and never sent, or
 *   it was held back and a later record of the invoice took its place;
 * - 409 max_retries_exceeded: sent ten times, before version 2026-10-01.
 */
export function retryFault({
  status,
  is_blocked,
  attempts,
  is_last,
  version,
}: RetryInput): Problem | undefined {
  if (!isWaitingStatus(status) || (is_blocked && !is_last))
    return fail(c.invalid_status_transition, { param: 'record' });
  if (attempts >= attemptsMax && !isAtLeast(version, endlessSince))
    return fail(e.max_retries_exceeded, { param: 'record' });
  return undefined;
}
