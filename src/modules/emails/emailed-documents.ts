/** How e-mails change a module's documents. */
import type { Ctx, Tx } from '../../kernel/operation.ts';
import type { LinkedKind } from '../pdfs/index.ts';
import type { EmailRow } from './emails.rows.ts';

export type EmailEffectCtx = Pick<Ctx, 'tx' | 'company' | 'now' | 'emit'>;

export type EmailedDocument = {
  /** Those that `onSent` and `onFailed` may emit. */
  events: readonly string[];
  /** Asked before each attempt: an annulled invoice is not sent, nor a quote that has expired; a paid one gets no reminder. */
  isStillWanted(ctx: Pick<Ctx, 'tx' | 'company' | 'now'>, email: EmailRow): Promise<boolean>;
  /** Called before the e-mail is locked: the document's events follow in the same transaction. */
  lock(tx: Tx, company_id: string, id: string): Promise<unknown>;
  /** Once per message that the mail server accepts. The document is locked. */
  onSent(ctx: EmailEffectCtx, email: EmailRow): Promise<void>;
  /** The server refused recipients, at once or later. The document is locked. */
  onFailed(ctx: EmailEffectCtx, email: EmailRow): Promise<void>;
};

export type EmailedDocuments = Readonly<Record<LinkedKind, EmailedDocument>>;
