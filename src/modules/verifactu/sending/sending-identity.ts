/** A company's records go with its own certificate, else with the service's, as a social collaborator. */
import type { CompanyContext } from '../../../kernel/operation.ts';
import type { Ports } from '../../../kernel/ports.ts';
import type { SendingIdentity } from '../ports.ts';
import { openCertificate, signingMeans } from '../identity/signer.ts';
import type { RegistrationRow } from '../records/registration.store.ts';
import { whoSigns } from '../identity/rules/signing.ts';

export const sendingBlocks = [
  'authority_not_configured',
  'certificate_unavailable',
  'representation_inactive',
  'system_certificate_unavailable',
] as const;
export type SendingBlock = (typeof sendingBlocks)[number];

const blocks = {
  certificate: 'certificate_unavailable',
  representation: 'representation_inactive',
  system_certificate: 'system_certificate_unavailable',
} as const;

export function sendingBlock(
  ports: Ports,
  company: CompanyContext,
  row: RegistrationRow,
  now: Date,
  today: string,
): SendingBlock | null {
  const { authority } = ports;
  if (!authority.isConfigured(company.environment)) return 'authority_not_configured';
  // The simulator knows the service alone and answers every sandbox company.
  if (company.environment === 'test')
    return authority.hasServiceIdentity('test') ? null : 'system_certificate_unavailable';
  const who = whoSigns(signingMeans(ports, company, row), company.tax_id, now, today);
  return 'missing' in who ? blocks[who.missing] : null;
}

export async function whoSends(
  ports: Ports,
  company: CompanyContext,
  row: RegistrationRow,
  now: Date,
  today: string,
): Promise<SendingIdentity | { blocked: SendingBlock }> {
  const blocked = sendingBlock(ports, company, row, now, today);
  if (blocked !== null) return { blocked };
  const { environment, tax_id } = company;
  const who = whoSigns(signingMeans(ports, company, row), tax_id, now, today);
  if (environment === 'test' || ('by' in who && who.by === 'service'))
    return (await ports.authority.serviceIdentity(environment))!;
  const signer = openCertificate(ports, company, row);
  return { ...signer, kind: row.certificate_kind === 'seal' ? 'seal' : 'person' };
}
