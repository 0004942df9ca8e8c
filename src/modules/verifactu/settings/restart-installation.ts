/** For a sandbox without records: chains and numbers begin anew, under a NumeroInstalacion that was never used. */
import type { Tx } from '../../../kernel/operation.ts';
import { newId } from '../../../kernel/uuid7.ts';
import { findSettings, insertSettings } from './settings.store.ts';

/**
 * The company's issuing head must be locked.
 * @returns the new number; null while VeriFactu was never on
 */
export async function restartInstallation(tx: Tx, company_id: string, now: Date): Promise<string | null> {
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
  const { enabled_at } = settings;
  await insertSettings(tx, company_id, { installation_number, enabled_at }, now);
  return installation_number;
}
