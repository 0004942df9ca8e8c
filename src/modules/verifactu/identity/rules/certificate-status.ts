/** How a company's certificate stands. Whether its issuer has revoked it is not asked: the authority does, at each message. */
export const certificateStatuses = [
  'valid',
  'expiring',
  'expired',
  'not_yet_valid',
  'other_tax_id',
  'unreadable',
] as const;
export type CertificateStatus = (typeof certificateStatuses)[number];

export type CertificateFacts = {
  tax_id: string;
  valid_from: Date;
  valid_until: Date;
  /** Its key can be opened with the service's secret key. */
  is_readable: boolean;
};

const expiringMs = 30 * 86_400_000;

/**
 * @param company_tax_id the company's tax id as it is now
 * @param now the company's time
 * @returns `expiring`: it can be used, for 30 days at most
 */
export function certificateStatus(
  { tax_id, valid_from, valid_until, is_readable }: CertificateFacts,
  company_tax_id: string,
  now: Date,
): CertificateStatus {
  if (!is_readable) return 'unreadable';
  if (tax_id !== company_tax_id) return 'other_tax_id';
  if (now < valid_from) return 'not_yet_valid';
  if (now >= valid_until) return 'expired';
  return valid_until.getTime() - now.getTime() <= expiringMs ? 'expiring' : 'valid';
}

/** Whether a certificate can sign and send: its issuer's time has come and not passed, and it is of the company. */
export function isUsable(status: CertificateStatus): boolean {
  return status === 'valid' || status === 'expiring';
}
