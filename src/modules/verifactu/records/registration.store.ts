import type { Tx } from '../../../kernel/operation.ts';
import { isOneOfMany } from '../../companies/index.ts';

/** Each issue reads it, by primary keys. */
export type RegistrationRow = {
  installation_number: string;
  failing_since: Date | null;
  send_after: Date | null;
  alarm: string | null;
  /** IndicadorMultiplesOT: the account handles more than one issuing company. */
  has_many_taxpayers: boolean;
  certificate_id: string | null;
  sealed: Buffer | null;
  certificate_tax_id: string | null;
  certificate_kind: 'person' | 'representative' | 'seal' | null;
  certificate_from: Date | null;
  certificate_until: Date | null;
  /** Of the last one registered, in force or not. */
  representation_until: string | null;
  is_representation_revoked: boolean | null;
};

/** Undefined when VeriFactu was never turned on. */
export async function findRegistration(tx: Tx, company_id: string): Promise<RegistrationRow | undefined> {
  const [row] = await tx<RegistrationRow[]>`
    select s.installation_number, s.failing_since, s.send_after, s.alarm,
           ${isOneOfMany(tx, company_id)} as has_many_taxpayers,
           c.id as certificate_id, c.sealed, c.tax_id as certificate_tax_id, c.kind as certificate_kind, c.valid_from as certificate_from, c.valid_until as certificate_until,
           r.valid_until as representation_until, r.revoked_at is not null as is_representation_revoked
      from verifactu_settings s
      left join verifactu_certificates c on c.company_id = ${company_id} and c.is_current
      left join verifactu_representations r on r.company_id = ${company_id} and r.is_current
     where s.company_id = ${company_id}`.execute();
  return row;
}

/** The alarm of the chain (Orden HAC/1177/2024, arts. 6 and 8). */
export function setAlarm(tx: Tx, company_id: string, alarm: string | null, now: Date): Promise<unknown> {
  return tx`
    update verifactu_settings set alarm = ${alarm}, alarm_raised_at = ${alarm === null ? null : now}, updated_at = ${now}
     where company_id = ${company_id}`.execute();
}

/** @returns false where one stands already: it is raised by one of those who find its cause at once */
export async function raiseAlarm(tx: Tx, company_id: string, alarm: string, now: Date): Promise<boolean> {
  const { count } = await tx`
    update verifactu_settings set alarm = ${alarm}, alarm_raised_at = ${now}, updated_at = ${now}
     where company_id = ${company_id} and alarm is null`;
  return count > 0;
}
