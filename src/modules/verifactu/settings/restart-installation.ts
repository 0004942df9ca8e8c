/** For a sandbox without records: chains and numbers begin anew, under a NumeroInstalacion that was never used. */
import { newId } from '../../../kernel/uuid7.ts';
import type { LogContext } from '../event-log/event-log.ts';
import { summaryEveryMs } from '../event-log/event-log.jobs.ts';
import { ensureEventLogJob, logOrKeepEvents } from '../event-log/pending-events.ts';
import { isLogging } from './rules/mode.ts';
import { findSettings, insertSettings, setEnd } from './settings.store.ts';

/**
 * The company's issuing head must be locked. The mode stays, and what is planned: the end of sending goes on being told, and a log
 * of events begins with the mode's first event.
 * @returns the new number; null while VeriFactu was never on
 */
export async function restartInstallation(ctx: LogContext): Promise<string | null> {
  const { tx, company, now, today } = ctx;
  const { company_id } = company;
  await tx`
    update issuing_heads
       set last_issued_at = null, issued_count = 0, record_position = 0, record_tax_id = null, record_number = null,
           record_issued_on = null, record_huella = null, last_recorded_at = null, kept_count = 0, unsent_count = 0,
           is_sender_due = false, event_position = 0, event_type = null, event_stamped_at = null, event_huella = null,
           last_event_at = null
     where company_id = ${company_id}`;
  const settings = await findSettings(tx, company_id);
  if (!settings) return null;
  const installation_number = newId();
  await tx`delete from verifactu_settings where company_id = ${company_id}`;
  const { enabled_at, ends_on } = settings;
  await insertSettings(tx, company_id, { installation_number, enabled_at }, now);
  if (ends_on !== null) await setEnd(tx, company_id, ends_on, now);
  if (isLogging(company, today)) {
    await logOrKeepEvents(ctx, [{ details: { type: '01' } }]);
    await ensureEventLogJob(ctx, new Date(now.getTime() + summaryEveryMs));
  }
  return installation_number;
}
