/** With what a company records: its mode of the day, the system's data, and in no-verifactu mode who signs. */
import type { CompanyContext } from '../../kernel/operation.ts';
import type { Ports } from '../../kernel/ports.ts';
import type { Problem } from '../../kernel/problem.ts';
import type { Recorder } from './chain.ts';
import type { Signer } from './ports.ts';
import type { RegistrationRow } from './registration.store.ts';
import { type SigningMeans, signingProblem, whoSigns } from './rules/signing.ts';
import type { RemissionMode, SystemInfo } from './record.ts';

/** The system as this company's records name it. */
export function systemOf(ports: Ports, row: RegistrationRow): SystemInfo {
  return {
    ...ports.system,
    installation_number: row.installation_number,
    is_verifactu_only: false,
    supports_many_taxpayers: true,
    has_many_taxpayers: row.has_many_taxpayers,
  };
}

export function signingMeans(ports: Ports, company: CompanyContext, row: RegistrationRow): SigningMeans {
  const { certificate_tax_id, certificate_from, certificate_until, representation_until } = row;
  return {
    certificate:
      certificate_tax_id && certificate_from && certificate_until
        ? { tax_id: certificate_tax_id, valid_from: certificate_from, valid_until: certificate_until }
        : null,
    representation: representation_until === null ? null : { valid_until: representation_until },
    has_service_certificate: ports.authority.hasServiceIdentity(company.environment),
  };
}

/**
 * Who signs for the company now.
 * @throws 422 verifactu_not_eligible, subcode signing_certificate_unavailable
 */
export async function openSigner(
  ports: Ports,
  company: CompanyContext,
  row: RegistrationRow,
  now: Date,
  today: string,
): Promise<Signer> {
  const who = whoSigns(signingMeans(ports, company, row), company.tax_id, now, today);
  if ('missing' in who) throw signingProblem(who.missing);
  if (who.by === 'service') return (await ports.authority.serviceIdentity(company.environment))!;
  return JSON.parse(ports.secrets.open(row.sealed!)) as Signer;
}

/** Why nobody can sign for the company now; undefined when somebody can. */
export function signingFault(
  ports: Ports,
  company: CompanyContext,
  row: RegistrationRow,
  now: Date,
  today: string,
): Problem | undefined {
  const who = whoSigns(signingMeans(ports, company, row), company.tax_id, now, today);
  return 'missing' in who ? signingProblem(who.missing) : undefined;
}

/** @throws 422 verifactu_not_eligible when the mode asks for signatures and nobody can sign */
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
    alarm: row.alarm,
    is_incident: row.failing_since !== null,
  };
}
