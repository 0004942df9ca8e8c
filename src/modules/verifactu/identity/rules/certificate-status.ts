/** Revocation is not asked for: the authority checks it with each message. */
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
  is_readable: boolean;
};

const expiringMs = 30 * 86_400_000;

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

export function isUsable(status: CertificateStatus): boolean {
  return status === 'valid' || status === 'expiring';
}
