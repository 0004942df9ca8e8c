/** What a module supplies so that e-mails can change its documents. */
import type { Ctx, Tx } from '../../kernel/operation.ts';
import type { LinkedKind } from '../pdfs/index.ts';
import type { EmailRow } from './emails.rows.ts';

export type EmailEffectCtx = Pick<Ctx, 'tx' | 'company' | 'now' | 'emit'>;

export type EmailedDocument = {
  /** The events that `onSent` and `onFailed` may emit. */
  events: readonly string[];
  /** Asked before each attempt. An annulled invoice is not sent, and a paid one gets no reminder. */
  isStillWanted(tx: Tx, company_id: string, email: EmailRow): Promise<boolean>;
  /** Called before its e-mail is locked, because its events follow in the same transaction. */
  lock(tx: Tx, company_id: string, id: string): Promise<unknown>;
  /** Called once per message accepted by the mail server, with the document locked. */
  onSent(ctx: EmailEffectCtx, email: EmailRow): Promise<void>;
  /** The server refused recipients, or reported so later. The document is locked. */
  onFailed(ctx: EmailEffectCtx, email: EmailRow): Promise<void>;
};

export type EmailedDocuments = Readonly<Record<LinkedKind, EmailedDocument>>;
