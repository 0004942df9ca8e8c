/**
 * E-mails: the outbox, its sending, and later notices of the mail system. Each module decides what an e-mail
 * does to its document (`EmailedDocument`).
 * To send one, make a content with a function of texts/, turn it into an `EmailDraft` with `composeEmail`, and
 * call `queueEmail` in the transaction that decides it. That handles sandboxes and a missing mail server.
 */
import type { Operation } from '../../kernel/operation.ts';
import { getEmail } from './operations/get-email.ts';
import { listEmails } from './operations/list-emails.ts';

export { EmailBlock, emailBlock } from './emails.schema.ts';
export type { EmailedDocument, EmailedDocuments, EmailEffectCtx } from './emailed-documents.ts';
export { refuseOverDay } from './daily-recipients.ts';
export { emailErrors } from './emails.errors.ts';
export type { EmailDraft, EmailPurpose, EmailRow } from './emails.rows.ts';
export { emailLane, makeEmailJob } from './email.jobs.ts';
export { findLastEmails, insertEmails } from './emails.store.ts';
export { makeMessageIds } from './message-id.ts';
export type * from './ports.ts';
export { type BounceOutcome, recordBounce } from './record-bounce.ts';
export {
  type EmailCtx,
  emailJobKind,
  queueStatusOf,
  jobPayload,
  makeEmail,
  queueEmail,
  queueEmails,
  storeEmails,
} from './queue-email.ts';
export type { EmailContent, EmailPart } from './texts/compose-email.ts';
export { reminderTime } from './rules/reminder-hour.ts';
export { magicAddresses } from './rules/sandbox-mail.ts';
export { composeEmail, senderName } from './texts/compose-email.ts';
export { expiryEmail } from './texts/expiry-email.ts';
export { paymentReminderEmail } from './texts/payment-reminder-email.ts';

export const emailsOperations: readonly Operation[] = [listEmails, getEmail];

/** What emptying a sandbox deletes here: rows that refer to others go first. */
export const sandboxTables = ['emails'];
