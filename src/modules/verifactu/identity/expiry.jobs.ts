/** What is looked after each day: certificates and representations that end, and keys that are sealed with an old key. */
import type { JobCtx } from '../../../platform/worker.ts';
import { findCertificate, resealCertificate } from './certificates.store.ts';
import { warnOfEnds } from './expiry.ts';
import { isReadable } from './signer.ts';

/** Each day: warnings, and the certificate's key sealed anew once FOLIO_SECRET_KEY has changed. */
export async function watchCertificates(ctx: JobCtx): Promise<void> {
  for (const entry of await warnOfEnds(ctx)) ctx.audit(entry);
  await resealKey(ctx);
}

/** After a day with both keys configured, the previous one is no longer needed for certificates. */
async function resealKey({ tx, company: { company_id }, ports }: JobCtx): Promise<void> {
  const certificate = await findCertificate(tx, company_id);
  if (!certificate) return;
  const { secrets } = ports;
  const { id, sealed } = certificate;
  if (secrets.isCurrent(sealed) || !isReadable(secrets, sealed)) return;
  await resealCertificate(tx, company_id, id, secrets.seal(secrets.open(sealed)));
}
