/** Whose certificate sends and signs a company's records. */
import { type CertificateStatus, certificateStatus } from './certificate-status.ts';
import { type SigningMeans, whoSigns } from './signing.ts';

export type Presenter = {
  presenter: 'company' | 'service' | null;
  /** When no certificate can present: what is wrong with the one that should. */
  presenter_certificate_status: CertificateStatus | 'missing' | 'service_unavailable';
};

export function presenterOf(
  means: SigningMeans,
  company_tax_id: string,
  now: Date,
  today: string,
): Presenter {
  const who = whoSigns(means, company_tax_id, now, today);
  const own = means.certificate && certificateStatus(means.certificate, company_tax_id, now);
  if ('by' in who) {
    return { presenter: who.by, presenter_certificate_status: who.by === 'service' ? 'valid' : own! };
  }
  const fallback = who.missing === 'system_certificate' ? 'service_unavailable' : 'missing';
  return { presenter: null, presenter_certificate_status: own ?? fallback };
}
