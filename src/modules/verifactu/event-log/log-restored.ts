/** Event 07: a backup was restored. Only the operator knows, and runs this. */
import type { Ports } from '../../../kernel/ports.ts';
import { loadCompany } from '../../../platform/company-context.ts';
import type { Database } from '../../../platform/db.ts';
import { logOrKeepEvents } from './pending-events.ts';
import { beginDueMode } from '../settings/change-mode.ts';
import { modeOn } from '../settings/rules/mode.ts';

/** @returns false for a company that is not in no-verifactu mode and has no log */
export function logRestored(
  db: Database,
  ports: Ports,
  company_id: string,
  real_now: Date,
): Promise<boolean> {
  return db.transaction(company_id, async (tx) => {
    const { company, now, today } = await loadCompany(tx, company_id, real_now);
    const ctx = { tx, ports, company, now, today };
    if (modeOn(company, today) !== 'no_verifactu' || !(await beginDueMode(ctx))) return false;
    await logOrKeepEvents(ctx, [{ details: { type: '07' } }]);
    return true;
  });
}
