/**
 * Puts e-mails into the outbox, in the transaction that decides to send them. One that can be sent gets a
 * job. Others (sandbox, no mail server) are only there to be read; nothing claims that they were sent.
 */
import type { Ctx } from '../../kernel/operation.ts';
import { newId } from '../../kernel/uuid7.ts';
import type { EmailDraft, EmailRow } from './emails.rows.ts';
import { insertEmails } from './emails.store.ts';
import { asksForFate, sandboxSender } from './rules/sandbox-mail.ts';

export const emailJobKind = 'email.send';

export type EmailCtx = Pick<Ctx, 'company' | 'now' | 'ports'>;

/** Whether an e-mail will be sent, or why not. A sandbox plays the sending to a magic address. */
export function queueStatusOf(
  { company, ports }: { company: Pick<Ctx['company'], 'environment'>; ports: Pick<Ctx['ports'], 'mailer'> },
  recipients: Pick<EmailRow, 'to' | 'cc'>,
): Pick<EmailRow, 'status' | 'reason'> {
  if (company.environment === 'test')
    return asksForFate(recipients)
      ? { status: 'queued', reason: null }
      : { status: 'not_sent', reason: 'sandbox' };
  if (!ports.mailer.is_configured) return { status: 'not_sent', reason: 'not_configured' };
  return { status: 'queued', reason: null };
}

/**
 * @param id when already announced
 * @param send_at earliest sending, in company time
 */
export function makeEmail(
  ctx: EmailCtx,
  draft: EmailDraft,
  id = newId(),
  send_at: Date | null = null,
): EmailRow {
  const { document, ...written } = draft;
  const { company, now, ports } = ctx;
  const { status, reason } = queueStatusOf(ctx, draft);
  const from = company.environment === 'test' ? sandboxSender : ports.mailer.from;
  const at = now.toISOString();
  return {
    ...written,
    id,
    document_kind: document?.kind ?? null,
    document_id: document?.id ?? null,
    status,
    reason,
    message_id:
      status === 'queued' && from !== null
        ? ports.message_ids.of({ company_id: company.company_id, id }, from)
        : null,
    dated_at: null,
    attempts: 0,
    last_attempt_at: null,
    next_attempt_at: status === 'queued' ? (send_at?.toISOString() ?? at) : null,
    answer: null,
    waiting: status === 'queued' ? [...written.to, ...written.cc] : [],
    refused: [],
    sent_at: null,
    created_at: at,
    updated_at: at,
  };
}

export function jobPayload({ id }: Pick<EmailRow, 'id'>): Record<string, unknown> {
  return { email_id: id };
}

/**
 * For jobs, and operations with their own transaction.
 * @param send_at earliest sending, in company time
 */
export async function queueEmails(
  ctx: EmailCtx & Pick<Ctx, 'tx' | 'enqueue'>,
  drafts: readonly EmailDraft[],
  send_at: Date | null = null,
): Promise<EmailRow[]> {
  const rows = drafts.map((draft) => makeEmail(ctx, draft, newId(), send_at));
  await storeEmails(ctx, rows, send_at);
  return rows;
}

/** With a job for each row that can be sent. */
export async function storeEmails(
  ctx: Pick<Ctx, 'tx' | 'company' | 'enqueue'>,
  rows: readonly EmailRow[],
  send_at: Date | null = null,
): Promise<void> {
  await insertEmails(ctx.tx, ctx.company.company_id, rows);
  const options = send_at === null ? {} : { run_at: send_at };
  for (const row of rows) if (row.status === 'queued') ctx.enqueue(emailJobKind, jobPayload(row), options);
}

export async function queueEmail(
  ctx: EmailCtx & Pick<Ctx, 'tx' | 'enqueue'>,
  draft: EmailDraft,
): Promise<EmailRow> {
  const [row] = await queueEmails(ctx, [draft]);
  if (!row) throw new Error('An e-mail was not queued.');
  return row;
}
