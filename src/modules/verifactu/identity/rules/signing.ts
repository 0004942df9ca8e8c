/** Who signs for a company: its own usable certificate, else the service's if the service represents it. */
import { fail, type Problem } from '../../../../kernel/problem.ts';
import { verifactuErrors as e } from '../../verifactu.errors.ts';
import { type CertificateFacts, certificateStatus, isUsable } from './certificate-status.ts';

export type SigningMeans = {
  certificate: CertificateFacts | null;
  /** The last one registered, in force or not. */
  representation: { valid_until: string; is_revoked: boolean } | null;
  has_service_certificate: boolean;
};

export type SigningParam = 'certificate' | 'representation' | 'system_certificate';

export const signingReasons: Record<SigningParam, string> = {
  certificate:
    'la empresa no tiene un certificado con el que firmar, o está caducado, es de otro NIF o no se puede leer.',
  representation:
    'la representación que permite firmar al servicio está revocada o caducada, y la empresa no tiene un certificado propio en vigor.',
  system_certificate: 'el certificado del servicio no está disponible.',
};

export function isInForce(
  representation: SigningMeans['representation'],
  today: string,
): representation is NonNullable<SigningMeans['representation']> {
  return representation !== null && !representation.is_revoked && today <= representation.valid_until;
}

/** @returns who signs, or what is missing: the representation, for a company that once had one */
export function whoSigns(
  means: SigningMeans,
  company_tax_id: string,
  now: Date,
  today: string,
): { by: 'company' | 'service' } | { missing: SigningParam } {
  const { certificate, representation } = means;
  if (certificate && isUsable(certificateStatus(certificate, company_tax_id, now))) return { by: 'company' };
  if (representation === null) return { missing: 'certificate' };
  if (!isInForce(representation, today)) return { missing: 'representation' };
  return means.has_service_certificate ? { by: 'service' } : { missing: 'system_certificate' };
}

export function signingProblem(param: SigningParam): Problem {
  const values = { reason: signingReasons[param] };
  return fail(e.verifactu_not_eligible, { param, subcode: 'signing_certificate_unavailable', values });
}
