/** Which records can be tried again, and how often (docs/changelog.md). */
import { commonErrors as c } from '../../../../kernel/common.errors.ts';
import { fail, type Problem } from '../../../../kernel/problem.ts';
import { isAtLeast } from '../../../../kernel/versions.ts';
import { verifactuErrors as e } from '../../verifactu.errors.ts';
import type { SendingStatus } from '../../records/records.rows.ts';
import { isWaitingStatus } from './blocking.ts';

/** Since this version there is no limit. */
export const endlessSince = '2026-10-01';
const attemptsMax = 10;

export type RetryInput = {
  /** Null in no-verifactu mode. */
  status: SendingStatus | null;
  is_blocked: boolean;
  attempts: number;
  is_last: boolean;
  version: string;
};

const notWaiting = (reason: string): Problem =>
  fail(c.invalid_status_transition, { param: 'record', values: { reason } });

/**
 * Undefined for a record that can be tried again. Else:
 * - 409 invalid_status_transition: it has its answer (subsanar mends a rejected one), it is kept,
 * or it is held back and the invoice has a later record;
 * - 409 max_retries_exceeded: sent ten times, before version 2026-10-01.
 */
export function retryFault({
  status,
  is_blocked,
  attempts,
  is_last,
  version,
}: RetryInput): Problem | undefined {
  if (!isWaitingStatus(status))
    return notWaiting(
      status === null ? 'el registro se conserva y no se envía.' : `su envío está en «${status}».`,
    );
  if (is_blocked && !is_last) return notWaiting('su factura tiene un registro posterior.');
  if (attempts >= attemptsMax && !isAtLeast(version, endlessSince))
    return fail(e.max_retries_exceeded, { param: 'record' });
  return undefined;
}
