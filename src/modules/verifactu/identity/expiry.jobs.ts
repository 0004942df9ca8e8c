import type { JobCtx } from '../../../platform/worker.ts';
import { findCertificate, resealCertificate } from './certificates.store.ts';
import { warnOfEnds } from './expiry.ts';
import { certificatePlace, isReadable } from './signer.ts';

export async function watchCertificates(ctx: JobCtx): Promise<void> {
  for (const entry of await warnOfEnds(ctx)) ctx.audit(entry);
  await resealKey(ctx);
}

/** After a day with both secret keys configured, certificates do not need the old one. */
async function resealKey({ tx, company: { company_id }, ports }: JobCtx): Promise<void> {
  const certificate = await findCertificate(tx, company_id);
  if (!certificate) return;
  const { secrets } = ports;
  const { id, sealed } = certificate;
  const place = certificatePlace(company_id, id);
  if (secrets.isCurrent(sealed) || !isReadable(secrets, sealed, place)) return;
  await resealCertificate(tx, company_id, id, secrets.seal(secrets.open(sealed, place), place));
}
