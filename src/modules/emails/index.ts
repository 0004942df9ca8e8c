/**
 * E-mails: the outbox, its sending, and what the mail system says of it afterwards. Knows no document but by reference:
 * what an e-mail does to its document is that one's own (`EmailedDocument`), its texts are in texts/.
 *
 * To have one sent: make a content (`invoiceEmail(facts, language)` is the model; a purpose of its own adds a file in
 * texts/), write it with `composeEmail(content, sender, environment)`, and give the `EmailDraft` to `queueEmail(ctx,
 * draft)` in the transaction that decides it. Sandbox and no mail server are seen to there.
 */
import type { Operation } from '../../kernel/operation.ts';
import { getEmail } from './operations/get-email.ts';
import { listEmails } from './operations/list-emails.ts';

export { EmailBlock, emailBlock } from './emails.schema.ts';
export type { EmailedDocument, EmailedDocuments, EmailEffectCtx } from './emailed-documents.ts';
export type { EmailDraft, EmailPurpose, EmailRow } from './emails.rows.ts';
export { emailLane, makeEmailJob } from './email.jobs.ts';
export { findLastEmails, insertEmails } from './emails.store.ts';
export { makeMessageIds } from './message-id.ts';
export type * from './ports.ts';
export { type BounceOutcome, recordBounce } from './record-bounce.ts';
export {
  type EmailCtx,
  emailJobKind,
  fateOf,
  jobPayload,
  makeEmail,
  queueEmail,
  queueEmails,
  storeEmails,
} from './queue-email.ts';
export type { EmailContent, EmailPart } from './texts/compose-email.ts';
export { composeEmail, senderName } from './texts/compose-email.ts';
export { expiryEmail } from './texts/expiry-email.ts';
export { paymentReminderEmail } from './texts/payment-reminder-email.ts';

export const emailsOperations: readonly Operation[] = [listEmails, getEmail];
