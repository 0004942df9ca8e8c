/** Opens the key that signs for a company. */
import type { CompanyContext } from '../../../kernel/operation.ts';
import type { Ports } from '../../../kernel/ports.ts';
import type { Problem } from '../../../kernel/problem.ts';
import type { SealedPlace, SecretBox } from '../../../platform/secrets.ts';
import type { Signer } from '../ports.ts';
import type { RegistrationRow } from '../records/registration.store.ts';
import { type SigningMeans, type SigningParam, signingProblem, whoSigns } from './rules/signing.ts';

export const certificatePlace = (company_id: string, id: string): SealedPlace => ({
  table: 'verifactu_certificates',
  company_id,
  id,
});

/** Of a company that `whoSigns` says has a certificate of its own. */
export function openCertificate(
  { secrets }: Ports,
  { company_id }: Pick<CompanyContext, 'company_id'>,
  { sealed, certificate_id }: Pick<RegistrationRow, 'sealed' | 'certificate_id'>,
): Signer {
  return JSON.parse(secrets.open(sealed!, certificatePlace(company_id, certificate_id!))) as Signer;
}

export type MeansRow = Pick<
  RegistrationRow,
  | 'sealed'
  | 'certificate_id'
  | 'certificate_tax_id'
  | 'certificate_from'
  | 'certificate_until'
  | 'representation_until'
  | 'is_representation_revoked'
>;

export function signingMeans(ports: Ports, company: CompanyContext, row: MeansRow): SigningMeans {
  const {
    sealed,
    certificate_id,
    certificate_tax_id: tax_id,
    certificate_from: valid_from,
    representation_until,
  } = row;
  const valid_until = row.certificate_until;
  return {
    certificate:
      sealed && certificate_id && tax_id && valid_from && valid_until
        ? {
            tax_id,
            valid_from,
            valid_until,
            is_readable: isReadable(
              ports.secrets,
              sealed,
              certificatePlace(company.company_id, certificate_id),
            ),
          }
        : null,
    representation:
      representation_until === null
        ? null
        : { valid_until: representation_until, is_revoked: row.is_representation_revoked === true },
    has_service_certificate: ports.authority.hasServiceIdentity(company.environment),
  };
}

/** False when FOLIO_SECRET_KEY changed and the one before was not kept. */
export function isReadable(secrets: SecretBox, sealed: Buffer, place: SealedPlace): boolean {
  try {
    secrets.open(sealed, place);
    return true;
  } catch {
    return false;
  }
}

/** @throws 422 verifactu_not_eligible, subcode signing_certificate_unavailable */
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
  return openCertificate(ports, company, row);
}

/** Undefined when somebody can sign. */
export function missingSigner(
  ports: Ports,
  company: CompanyContext,
  row: RegistrationRow,
  now: Date,
  today: string,
): SigningParam | undefined {
  const who = whoSigns(signingMeans(ports, company, row), company.tax_id, now, today);
  return 'missing' in who ? who.missing : undefined;
}

/** Undefined when somebody can sign. */
export function signingFault(
  ports: Ports,
  company: CompanyContext,
  row: RegistrationRow,
  now: Date,
  today: string,
): Problem | undefined {
  const param = missingSigner(ports, company, row, now, today);
  return param && signingProblem(param);
}
