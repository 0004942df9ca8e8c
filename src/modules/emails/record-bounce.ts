/**
 * A notice counts when it quotes a Message-ID of this installation. Strangers cannot make one. A recipient
 * can only deny that the message arrived.
 */
import type { Ports } from '../../kernel/ports.ts';
import { latestVersion } from '../../kernel/versions.ts';
import type { Clock } from '../../platform/clock.ts';
import { loadCompany, NoSuchCompany } from '../../platform/company-context.ts';
import type { Database } from '../../platform/db.ts';
import { EventBuffer, insertEvents } from '../../platform/events.ts';
import { spellingOf } from '../../domain/email-address.ts';
import type { EmailedDocuments } from './emailed-documents.ts';
import { findEmail, lockEmail, updateEmail } from './emails.store.ts';
import type { EmailRef } from './ports.ts';
import { bounce } from './rules/attempts.ts';
import { readDeliveryNotice } from './rules/delivery-notice.ts';

/** `no_notice`: not of RFC 3464. `unknown`: not about our message. `no_failure`: a delay or a success. */
export type BounceOutcome =
  | { kind: 'no_notice' | 'unknown' | 'no_failure' }
  | { kind: 'known_already' | 'recorded'; email: EmailRef; status: string };

export type BounceParts = {
  db: Database;
  clock: Clock;
  ports: Pick<Ports, 'message_ids'>;
  documents: EmailedDocuments;
};

/** Emits the document's event once per notice. */
export async function recordBounce(
  { db, clock, ports, documents }: BounceParts,
  message: Buffer,
): Promise<BounceOutcome> {
  const notice = await readDeliveryNotice(message);
  if (!notice) return { kind: 'no_notice' };
  const ref = notice.message_ids.map((id) => ports.message_ids.read(id)).find((read) => read !== undefined);
  if (!ref) return { kind: 'unknown' };
  if (notice.failed.length === 0) return { kind: 'no_failure' };
  const { company_id } = ref;
  try {
    return await db.transaction(company_id, async (tx): Promise<BounceOutcome> => {
      const [{ company, now }, found] = await Promise.all([
        loadCompany(tx, company_id, clock.now()),
        findEmail(tx, company_id, ref.id),
      ]);
      if (!found) return { kind: 'unknown' };
      const document = found.document_kind === null ? undefined : documents[found.document_kind];
      if (document && found.document_id !== null) await document.lock(tx, company_id, found.document_id);
      const email = await lockEmail(tx, company_id, ref.id);
      const changed = email && bounce(email, notice.failed, now, spellingOf);
      if (!changed) return { kind: 'known_already', email: ref, status: found.status };
      const events = new EventBuffer(null);
      await updateEmail(tx, company_id, changed);
      await document?.onFailed(
        { tx, company, now, emit: (type, id, options) => events.add(type, id, options) },
        changed,
      );
      await insertEvents(tx, events.events, { company, version: latestVersion, now });
      return { kind: 'recorded', email: ref, status: changed.status };
    });
  } catch (error) {
    if (error instanceof NoSuchCompany) return { kind: 'unknown' };
    throw error;
  }
}
