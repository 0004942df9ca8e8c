/** How a document follows its e-mails. */
import type { DocumentRow } from '../../domain/sales/rows.ts';
import { dayIn } from '../../kernel/dates.ts';
import type { EmailEffectCtx, EmailedDocument, EmailRow } from '../emails/index.ts';
import { findDocument, lockVersions } from './documents.store.ts';
import { type Family, statusOn } from './family.ts';

/** @throws Error for a family without mail */
export function emailedDocument<R extends DocumentRow, E extends object>(
  family: Family<R, E>,
): EmailedDocument {
  const { mail, object } = family;
  if (mail === null) throw new Error(`A ${object} is not sent by e-mail.`);
  /** Leaves out the recipients, which not every receiver of events may see. */
  const tell = ({ emit }: EmailEffectCtx, type: string, { id, document_id }: EmailRow) => {
    if (document_id === null) throw new Error(`An e-mail of a ${object} names none.`);
    emit(type, document_id, { data: { [object]: { id: document_id }, email: { id } } });
  };
  return {
    events: [
      `${object}.email_sent`,
      `${object}.email_failed`,
      ...Object.values(mail.sentEvents ?? {}),
      ...(mail.onSentEvents ?? []),
    ],
    async isStillWanted({ tx, company, now }, { document_id, purpose }) {
      const row = await findDocument(tx, family, company.company_id, document_id ?? '');
      if (row === undefined) return false;
      if (purpose !== mail.purpose) return mail.wants?.(row, purpose) ?? true;
      const status = statusOn(family, row, dayIn(company.time_zone, now));
      return (
        typeof family.states.peek(status, 'send') === 'string' || mail.stays_in?.includes(status) === true
      );
    },
    lock: (tx, company_id, id) => lockVersions(tx, family, company_id, [id]),
    async onSent(ctx, email) {
      if (mail.silent?.includes(email.purpose)) return;
      const other = mail.sentEvents?.[email.purpose];
      if (other !== undefined) return tell(ctx, other, email);
      const row = await findDocument(ctx.tx, family, ctx.company.company_id, email.document_id ?? '');
      if (row) await mail.onSent?.(ctx, row);
      tell(ctx, `${object}.email_sent`, email);
    },
    async onFailed(ctx, email) {
      if (!mail.silent?.includes(email.purpose)) tell(ctx, `${object}.email_failed`, email);
    },
  };
}
