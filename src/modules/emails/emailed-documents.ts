/** What a module whose documents are sent by e-mail brings: what becomes of a document by what becomes of its e-mails. */
import type { Ctx, Tx } from '../../kernel/operation.ts';
import type { LinkedKind } from '../pdfs/index.ts';
import type { EmailRow } from './emails.rows.ts';

export type EmailEffectCtx = Pick<Ctx, 'tx' | 'company' | 'now' | 'emit'>;

export type EmailedDocument = {
  /** The events that `onSent` and `onFailed` may emit. */
  events: readonly string[];
  /**
   * Whether the message is still to be sent; asked before each attempt. An annulled invoice is not sent, and one that
   * was paid is not reminded of.
   */
  isStillWanted(tx: Tx, company_id: string, email: EmailRow): Promise<boolean>;
  /** Locks the document, before its e-mail is locked: its events follow in the same transaction. */
  lock(tx: Tx, company_id: string, id: string): Promise<unknown>;
  /** The mail server took the message, once for each. The document is locked. */
  onSent(ctx: EmailEffectCtx, email: EmailRow): Promise<void>;
  /** Recipients did not get it: the server refused them, or told so later. The document is locked. */
  onFailed(ctx: EmailEffectCtx, email: EmailRow): Promise<void>;
};

/** The module of each kind; modules/jobs.ts joins them. */
export type EmailedDocuments = Readonly<Record<LinkedKind, EmailedDocument>>;
