import { dayIn } from '../../../kernel/dates.ts';
import type { JobCtx } from '../../../platform/worker.ts';
import { findCertificate, resealCertificate } from './certificates.store.ts';
import { findWarnings, giveWarnings } from './expiry.ts';
import { findRepresentation } from './representations.store.ts';
import { nextWarning } from './rules/expiry-warnings.ts';
import { certificatePlace, isReadable } from './signer.ts';

export async function watchCertificates(ctx: JobCtx) {
  const endings = await findWarnings(ctx);
  if (endings.length === 0) return undefined;
  return async (): Promise<void> => {
    for (const entry of await giveWarnings(ctx, endings)) ctx.audit(entry);
  };
}

/** @returns the next day on which a warning is due */
export async function nextWarningDay({ tx, company, today }: JobCtx): Promise<string | null> {
  const { company_id, time_zone } = company;
  const [certificate, representation] = await Promise.all([
    findCertificate(tx, company_id),
    findRepresentation(tx, company_id),
  ]);
  const last_days = [
    ...(certificate ? [dayIn(time_zone, certificate.valid_until)] : []),
    ...(representation && representation.revoked_at === null ? [representation.valid_until] : []),
  ];
  const days = last_days.flatMap((last_day) => nextWarning(last_day, today) ?? []);
  return days.sort()[0] ?? null;
}

/** After a day with both secret keys configured, certificates do not need the old one. */
export async function resealCertificateKey({ tx, company: { company_id }, ports }: JobCtx): Promise<void> {
  const certificate = await findCertificate(tx, company_id);
  if (!certificate) return;
  const { secrets } = ports;
  const { id, sealed } = certificate;
  const place = certificatePlace(company_id, id);
  if (secrets.isCurrent(sealed) || !isReadable(secrets, sealed, place)) return;
  await resealCertificate(tx, company_id, id, secrets.seal(secrets.open(sealed, place), place));
}
