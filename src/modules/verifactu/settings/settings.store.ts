import type { Tx } from '../../../kernel/operation.ts';
import { insertRows } from '../../../platform/rows.ts';

export { lockModes, setModes } from '../../../platform/company-row.ts';

export type SettingsRow = {
  installation_number: string;
  enabled_at: Date | null;
  ends_on: string | null;
  send_after: Date | null;
  wait_seconds: number;
  failures: number;
  failing_since: Date | null;
  block_reason: string | null;
  alarm: string | null;
  alarm_raised_at: Date | null;
  last_summary_at: Date | null;
};

export async function findSettings(tx: Tx, company_id: string): Promise<SettingsRow | undefined> {
  const [row] = await tx<SettingsRow[]>`
    select installation_number, enabled_at, ends_on, send_after, wait_seconds, failures, failing_since, block_reason,
           alarm, alarm_raised_at, last_summary_at
      from verifactu_settings where company_id = ${company_id}`;
  return row;
}

/** @param enabled_at null: VeriFactu was never on so far */
export function insertSettings(
  tx: Tx,
  company_id: string,
  { installation_number, enabled_at }: Pick<SettingsRow, 'installation_number' | 'enabled_at'>,
  now: Date,
) {
  return insertRows(
    tx,
    company_id,
    'verifactu_settings',
    { installation_number: 'text', enabled_at: 'timestamptz', updated_at: 'timestamptz' },
    [{ installation_number, enabled_at: enabled_at?.toISOString() ?? null, updated_at: now.toISOString() }],
    'on conflict (company_id) do nothing',
  );
}

/** The first time stays. */
export function setEnabled(tx: Tx, company_id: string, now: Date) {
  return tx`update verifactu_settings set enabled_at = ${now}, updated_at = ${now}
             where company_id = ${company_id} and enabled_at is null`;
}

export function setEnd(tx: Tx, company_id: string, ends_on: string | null, now: Date) {
  return tx`update verifactu_settings set ends_on = ${ends_on}, updated_at = ${now} where company_id = ${company_id}`;
}

/** Whether its newest record was made for sending, after the last end that the authority was told and that has passed. */
export async function hasSentRecords(tx: Tx, company_id: string, today: string): Promise<boolean> {
  const [row] = await tx<{ mode: string; is_over: boolean | null }[]>`
    select mode, left(stamped_at, 10)::date <= (
             select max(ends_on) from verifactu_batches
              where company_id = ${company_id} and status = 'answered' and ends_on < ${today}) as is_over
      from verifactu_records where company_id = ${company_id} order by position desc limit 1`;
  return row?.mode === 'verifactu' && row.is_over !== true;
}

/** Whether a message has told the authority this end. */
export async function hasDeclaredEnd(tx: Tx, company_id: string, ends_on: string): Promise<boolean> {
  const rows = await tx`
    select 1 from verifactu_batches where company_id = ${company_id} and ends_on = ${ends_on} and status = 'answered' limit 1`;
  return rows.length > 0;
}

/** Somebody may be able to send by now. If not, the sender finds out again. */
export function clearCertificateBlock(tx: Tx, company_id: string, now: Date): Promise<unknown> {
  return tx`
    update verifactu_settings set block_reason = null, updated_at = ${now}
     where company_id = ${company_id}
       and block_reason in ('certificate_unavailable', 'representation_inactive', 'system_certificate_unavailable')`.execute();
}
