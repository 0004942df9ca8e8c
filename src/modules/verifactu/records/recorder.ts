/** What a company records with on a day. */
import type { CompanyContext } from '../../../kernel/operation.ts';
import type { Ports } from '../../../kernel/ports.ts';
import { openSigner } from '../identity/signer.ts';
import type { Signer } from '../ports.ts';
import type { RemissionMode, SystemInfo } from '../record.ts';
import type { RegistrationRow } from './registration.store.ts';

export type Recorder = {
  company: CompanyContext;
  mode: RemissionMode;
  system: SystemInfo;
  /** Null in verifactu mode. */
  signer: Signer | null;
  send_after: Date | null;
  /** Records wait because the way to the authority is broken. */
  is_incident: boolean;
};

export function systemOf(ports: Ports, row: RegistrationRow): SystemInfo {
  const { is_configured: _, ...system } = ports.system;
  return {
    ...system,
    installation_number: row.installation_number,
    is_verifactu_only: false,
    supports_many_taxpayers: true,
    has_many_taxpayers: row.has_many_taxpayers,
  };
}

/** @throws 422 verifactu_not_eligible when the mode asks for a signature and nobody can sign */
export async function makeRecorder(
  ports: Ports,
  company: CompanyContext,
  mode: RemissionMode,
  row: RegistrationRow,
  now: Date,
  today: string,
): Promise<Recorder> {
  return {
    company,
    mode,
    system: systemOf(ports, row),
    signer: mode === 'no_verifactu' ? await openSigner(ports, company, row, now, today) : null,
    send_after: row.send_after,
    is_incident: row.failing_since !== null,
  };
}
