/**
 * What a module supplies when its documents are sent by e-mail: how the fate of an e-mail changes its
 * document.
 */
import type { Ctx, Tx } from '../../kernel/operation.ts';
import type { LinkedKind } from '../pdfs/index.ts';
import type { EmailRow } from './emails.rows.ts';

export type EmailEffectCtx = Pick<Ctx, 'tx' | 'company' | 'now' | 'emit'>;

export type EmailedDocument = {
  /** The events that `onSent` and `onFailed` may emit. */
  events: readonly string[];
  /**
   * Whether the message is still to be sent; asked before each attempt. An annulled invoice is not sent, and
   * a paid one gets no reminder.
   */
  isStillWanted(tx: Tx, company_id: string, email: EmailRow): Promise<boolean>;
  /**
   * Locks the document. Called before its e-mail is locked, because its events follow in the same
   * transaction.
   */
  lock(tx: Tx, company_id: string, id: string): Promise<unknown>;
  /** The mail server accepted the message. Called once per message, with the document locked. */
  onSent(ctx: EmailEffectCtx, email: EmailRow): Promise<void>;
  /** Recipients did not get it: the server refused them, or reported so later. The document is locked. */
  onFailed(ctx: EmailEffectCtx, email: EmailRow): Promise<void>;
};

/** The module of each kind (modules/jobs.ts). */
export type EmailedDocuments = Readonly<Record<LinkedKind, EmailedDocument>>;
