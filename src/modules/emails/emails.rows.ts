/** E-mails as they are stored, and as those who have one sent describe it. */
import type { PrintedFormat } from '../../domain/printing/printed-document.ts';
import { type DocumentKind, documentKinds } from '../../domain/sales/document-kinds.ts';
import type { Columns } from '../../platform/rows.ts';
import type { DocumentRef, LinkedKind } from '../pdfs/index.ts';
import type { UnservedRecipient } from './ports.ts';

/** A document that is sent gives the e-mail its own name. */
const documentPurposes = Object.keys(documentKinds) as DocumentKind[];

/** What an e-mail is for. Which events it brings is its document's own. */
export const emailPurposes = [
  ...documentPurposes,
  'payment_reminder',
  'certificate_expiry',
  'representation_expiry',
] as const;
export type EmailPurpose = (typeof emailPurposes)[number];

/** `sent`: the mail server took it for one recipient at least. `not_sent`: nobody was asked to. */
export const emailStatuses = ['queued', 'sent', 'failed', 'not_sent'] as const;
export type EmailStatus = (typeof emailStatuses)[number];

/** Why: of `not_sent` the first three, of `failed` the others. */
export const emailReasons = [
  'sandbox',
  'not_configured',
  /** The document was annulled, paid, … before the message went out: there was nothing to say any more. */
  'withdrawn',
  /** By the mail server, for good. */
  'refused',
  /** The mail server could not take it for a day. */
  'gave_up',
  /** Taken by the mail server, which told later that it could not be delivered. */
  'bounced',
] as const;
export type EmailReason = (typeof emailReasons)[number];

/** The PDF of a document, made when the message goes out. */
export type EmailAttachment = {
  filename: string;
  media_type: 'application/pdf';
  kind: LinkedKind;
  id: string;
  format: PrintedFormat;
};

/** What is to be sent, complete. Made with `composeEmail` from one of the texts. */
export type EmailDraft = {
  purpose: EmailPurpose;
  document: Pick<DocumentRef, 'kind' | 'id'> | null;
  /** The company, as its customers know it. */
  from_name: string;
  /** Where answers go; null: to the sender of all messages. */
  reply_to: string | null;
  /** One at least. */
  to: readonly string[];
  cc: readonly string[];
  subject: string;
  text: string;
  html: string;
  attachments: readonly EmailAttachment[];
};

export type EmailRow = Omit<EmailDraft, 'document'> & {
  id: string;
  document_kind: LinkedKind | null;
  document_id: string | null;
  status: EmailStatus;
  reason: EmailReason | null;
  message_id: string | null;
  attempts: number;
  last_attempt_at: Date | string | null;
  next_attempt_at: Date | string | null;
  answer: string | null;
  /** Recipients for whom the mail server has not taken it yet: all of a queued one, none once it has ended. */
  waiting: readonly string[];
  /** Recipients who did not get it. */
  refused: readonly UnservedRecipient[];
  sent_at: Date | string | null;
  created_at: Date | string;
  updated_at: Date | string;
};

/** `to` is a word of SQL. */
export const emailColumns: Columns = {
  id: 'uuid',
  purpose: 'text',
  document_kind: 'text',
  document_id: 'uuid',
  status: 'text',
  reason: 'text',
  from_name: 'text',
  reply_to: 'text',
  '"to"': 'text[]',
  cc: 'text[]',
  subject: 'text',
  text: 'text',
  html: 'text',
  attachments: 'jsonb',
  message_id: 'text',
  attempts: 'integer',
  last_attempt_at: 'timestamptz',
  next_attempt_at: 'timestamptz',
  answer: 'text',
  waiting: 'text[]',
  refused: 'jsonb',
  sent_at: 'timestamptz',
  created_at: 'timestamptz',
  updated_at: 'timestamptz',
};
