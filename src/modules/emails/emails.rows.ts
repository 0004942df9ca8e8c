/** E-mails as stored and as drafted. */
import type { PrintedFormat } from '../../domain/printing/printed-document.ts';
import { paperKinds } from '../../domain/sales/document-kinds.ts';
import type { Columns } from '../../platform/rows.ts';
import type { DocumentRef, LinkedKind } from '../pdfs/index.ts';
import type { UnservedRecipient } from './ports.ts';

/** The document's module decides which events an e-mail emits. */
export const emailPurposes = [
  ...paperKinds,
  'payment_reminder',
  /** To whoever accepted an offer on its page. */
  'acceptance_receipt',
  /** To the company: its offer was answered there. */
  'answer_notice',
  'certificate_expiry',
  'representation_expiry',
] as const;
export type EmailPurpose = (typeof emailPurposes)[number];

/** `sent`: accepted by the mail server for at least one recipient. `not_sent`: never tried. */
export const emailStatuses = ['queued', 'sent', 'failed', 'not_sent'] as const;
export type EmailStatus = (typeof emailStatuses)[number];

/** The first three are for `not_sent`, the others for `failed`. */
export const emailReasons = [
  'sandbox',
  'not_configured',
  /** The document changed first (annulled, paid, …). */
  'withdrawn',
  /** For good. */
  'refused',
  /** Not accepted for a day. */
  'gave_up',
  /** Accepted, later reported as undeliverable. */
  'bounced',
] as const;
export type EmailReason = (typeof emailReasons)[number];

/** Made when the message goes out. */
export type EmailAttachment = {
  filename: string;
  media_type: 'application/pdf';
  kind: LinkedKind;
  id: string;
  format: PrintedFormat;
};

export type EmailDraft = {
  purpose: EmailPurpose;
  document: Pick<DocumentRef, 'kind' | 'id'> | null;
  /** As its customers know the company. */
  from_name: string;
  /** Null: answers go to the service's sender address. */
  reply_to: string | null;
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
  /** In real time, of the first attempt. */
  dated_at: Date | string | null;
  attempts: number;
  last_attempt_at: Date | string | null;
  next_attempt_at: Date | string | null;
  answer: string | null;
  /** Recipients still to serve. Empty once the e-mail has ended. */
  waiting: readonly string[];
  refused: readonly UnservedRecipient[];
  sent_at: Date | string | null;
  created_at: Date | string;
  updated_at: Date | string;
};

/** `to` is a reserved word of SQL. */
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
  dated_at: 'timestamptz',
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
