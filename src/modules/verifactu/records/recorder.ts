/** With what a company records: its mode of the day, the system's data, and in no-verifactu mode who signs. */
import type { CompanyContext } from '../../../kernel/operation.ts';
import type { Ports } from '../../../kernel/ports.ts';
import type { Problem } from '../../../kernel/problem.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import type { Recorder } from './chain.ts';
import type { Signer } from '../ports.ts';
import type { RegistrationRow } from './registration.store.ts';
import { type SigningMeans, signingProblem, whoSigns } from '../identity/rules/signing.ts';
import type { RemissionMode, SystemInfo } from '../record.ts';

/** The system as this company's records name it. */
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

/** The company's certificate and representation, as they are stored. */
export type MeansRow = Pick<
  RegistrationRow,
  | 'sealed'
  | 'certificate_tax_id'
  | 'certificate_from'
  | 'certificate_until'
  | 'representation_until'
  | 'is_representation_revoked'
>;

export function signingMeans(ports: Ports, company: CompanyContext, row: MeansRow): SigningMeans {
  const { sealed, certificate_tax_id: tax_id, certificate_from: valid_from, representation_until } = row;
  const valid_until = row.certificate_until;
  return {
    certificate:
      sealed && tax_id && valid_from && valid_until
        ? { tax_id, valid_from, valid_until, is_readable: isReadable(ports.secrets, sealed) }
        : null,
    representation:
      representation_until === null
        ? null
        : { valid_until: representation_until, is_revoked: row.is_representation_revoked === true },
    has_service_certificate: ports.authority.hasServiceIdentity(company.environment),
  };
}

/** Whether a sealed key can be opened: FOLIO_SECRET_KEY may have been changed without keeping the one before. */
export function isReadable(secrets: SecretBox, sealed: Buffer): boolean {
  try {
    secrets.open(sealed);
    return true;
  } catch {
    return false;
  }
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
