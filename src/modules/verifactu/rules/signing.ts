/**
 * Who signs for a company (specification, section 4, rule 3): its own certificate when it can be used, else the
 * service's, for a company that it represents. Says what is missing when nobody can.
 */
import { fail, type Problem } from '../../../kernel/problem.ts';
import { verifactuErrors as e } from '../verifactu.errors.ts';

export type SigningMeans = {
  certificate: { tax_id: string; valid_from: Date; valid_until: Date } | null;
  representation: { valid_until: string } | null;
  has_service_certificate: boolean;
};

export type SigningParam = 'certificate' | 'representation' | 'system_certificate';

const reasons: Record<SigningParam, string> = {
  certificate: 'la empresa no tiene un certificado con el que firmar, o está caducado o es de otro NIF.',
  representation: 'la representación que permite firmar al servicio no está vigente.',
  system_certificate: 'el certificado del servicio no está disponible.',
};

/** Whether a certificate can be used: within its time, and of the company. */
export function isUsable(
  { tax_id, valid_from, valid_until }: NonNullable<SigningMeans['certificate']>,
  company_tax_id: string,
  now: Date,
): boolean {
  return tax_id === company_tax_id && valid_from <= now && now < valid_until;
}

/**
 * Who signs now.
 * @param today the company's day: a representation holds through its last day
 * @returns `company`, `service`, or what is missing
 */
export function whoSigns(
  means: SigningMeans,
  company_tax_id: string,
  now: Date,
  today: string,
): { by: 'company' | 'service' } | { missing: SigningParam } {
  const { certificate, representation } = means;
  if (certificate && isUsable(certificate, company_tax_id, now)) return { by: 'company' };
  if (representation === null) return { missing: 'certificate' };
  if (representation.valid_until < today) return { missing: 'representation' };
  return means.has_service_certificate ? { by: 'service' } : { missing: 'system_certificate' };
}

/** The refusal when nobody can sign. */
export function signingProblem(param: SigningParam): Problem {
  const values = { reason: reasons[param] };
  return fail(e.verifactu_not_eligible, { param, subcode: 'signing_certificate_unavailable', values });
}
