/**
 * Sends the outbox: counts the attempt, sends outside any transaction, then stores the result and its effect
 * on the document. After a crash in between, the message goes out again under the same Message-ID.
 */

import { dayIn, nextLocalMidnight } from '../../kernel/dates.ts';
import { Problem } from '../../kernel/problem.ts';
import { sqlState } from '../../platform/db.ts';
import type { OutsideCtx } from '../../platform/job-handler.ts';
import type { JobCtx, JobHandler } from '../../platform/worker.ts';
import { type Printable, pdfOf } from '../pdfs/index.ts';
import { takeRecipients } from './daily-recipients.ts';
import type { EmailedDocument, EmailedDocuments } from './emailed-documents.ts';
import type { EmailAttachment, EmailRow } from './emails.rows.ts';
import { findEmail, lockEmail, updateEmail } from './emails.store.ts';
import type { MailOutcome, OutgoingEmail } from './ports.ts';
import { emailJobKind } from './queue-email.ts';
import { bounce, giveUp, type Settled, settleAttempt, waitsAfter, withdraw } from './rules/attempts.ts';
import { reminderTime } from './rules/reminder-hour.ts';
import { simulateAttempt, simulateBounces } from './rules/sandbox-mail.ts';

/** A mail server that hangs delays nothing else. */
export const emailLane = 'email';

/** After so many crashes in a row, the message itself is to blame. */
const deathsMax = 4;

type Attached = { attachment: EmailAttachment; printable: Printable | undefined };
/** `is_over_day`: the company has written to as many today as its plan allows. */
type Intent = { email: EmailRow; attached: readonly Attached[]; is_sandbox: boolean; is_over_day: boolean };
type Outcome = MailOutcome | 'over day';

export function makeEmailJob(documents: EmailedDocuments): JobHandler {
  return {
    kind: emailJobKind,
    events: Object.values(documents).flatMap(({ events }) => events),
    // For our own faults, such as a database that is away. The mail server's answers are results.
    retry: waitsAfter,
    outside: { lane: emailLane, begin: (ctx) => begin(ctx, documents), call },
    run: (ctx, outcome?: Outcome) => run(ctx, outcome, documents),
  };
}

function idOf({ job: { payload } }: JobCtx): string {
  return String(payload.email_id);
}

function documentOf(email: EmailRow, documents: EmailedDocuments): EmailedDocument | undefined {
  return email.document_kind === null ? undefined : documents[email.document_kind];
}

function isWanted(ctx: JobCtx, email: EmailRow, documents: EmailedDocuments): Promise<boolean> {
  const document = documentOf(email, documents);
  return document ? document.isStillWanted(ctx, email) : Promise.resolve(true);
}

/** Undefined: nothing to send. */
async function begin(ctx: JobCtx, documents: EmailedDocuments): Promise<Intent | undefined> {
  const {
    tx,
    company: { company_id },
    now,
  } = ctx;
  const email = await lockEmail(tx, company_id, idOf(ctx));
  if (!email || email.waiting.length === 0) return undefined;
  if (ctx.job.attempt > deathsMax || !(await isWanted(ctx, email, documents))) return undefined;
  // A message counts when it is first tried: one that is withdrawn before never does, and waits for no day.
  const has_room = email.attempts > 0 || (await takeRecipients(ctx, email.waiting.length));
  const is_sandbox = ctx.company.environment === 'test';
  if (!has_room) return { email, attached: [], is_sandbox, is_over_day: true };
  const attached = await Promise.all(
    email.attachments.map(async (attachment) => ({
      attachment,
      printable: await findPrintable(ctx, attachment),
    })),
  );
  const counted = {
    ...email,
    attempts: email.attempts + 1,
    // A message may have waited since midnight or since yesterday. Filters take one with an old date for junk.
    dated_at: email.dated_at ?? ctx.realNow(),
    last_attempt_at: now,
    updated_at: now,
  };
  await updateEmail(tx, company_id, counted);
  return { email: counted, attached, is_sandbox, is_over_day: false };
}

/** Undefined when reading fails; the message then waits. */
async function findPrintable(
  { tx, company: { company_id }, ports, log }: JobCtx,
  { kind, id }: EmailAttachment,
): Promise<Printable | undefined> {
  try {
    return await ports.documents[kind].find(tx, company_id, id);
  } catch (error) {
    // A database error ended the transaction.
    if (sqlState(error) !== undefined) throw error;
    log.error({ err: error, document_id: id }, 'a document that is to be attached could not be made out');
    return undefined;
  }
}

async function call({ email, attached, is_sandbox, is_over_day }: Intent, ctx: OutsideCtx): Promise<Outcome> {
  if (is_over_day) return 'over day';
  let attachments: OutgoingEmail['attachments'];
  try {
    attachments = await Promise.all(attached.map((one) => print(one, ctx)));
  } catch (error) {
    // Too many wait for the printer: no fault.
    if (error instanceof Problem) ctx.log.warn({ err: error }, 'the PDF of an e-mail has to wait');
    else ctx.log.error({ err: error }, 'the PDF of an e-mail could not be made');
    return deferAll(email, 'No se ha podido preparar el PDF que acompaña al mensaje.');
  }
  if (is_sandbox) return simulateAttempt(email.waiting);
  const { message_id, dated_at } = email;
  if (message_id === null) throw new Error('A queued e-mail has no Message-ID.');
  const outcome = await ctx.ports.mailer.send({
    message_id,
    dated_at: new Date(dated_at ?? email.created_at),
    from_name: email.from_name,
    reply_to: email.reply_to,
    to: email.to,
    cc: email.cc,
    recipients: email.waiting,
    subject: email.subject,
    text: email.text,
    html: email.html,
    attachments,
  });
  if (outcome.fault !== null)
    ctx.log.warn({ email_id: email.id, fault: outcome.fault }, 'the mail server could not be used');
  return outcome;
}

async function print({ attachment, printable }: Attached, ctx: OutsideCtx) {
  if (!printable) throw new Error('A document that is to be attached cannot be had.');
  const { filename, media_type, format } = attachment;
  return { filename, media_type, bytes: (await pdfOf(ctx, printable, format)).bytes };
}

function deferAll(email: EmailRow, answer: string): MailOutcome {
  const deferred = email.waiting.map((address) => ({ address, answer }));
  return { accepted: [], refused: [], deferred, answer, fault: null };
}

async function run(
  ctx: JobCtx,
  outcome: Outcome | undefined,
  documents: EmailedDocuments,
): Promise<{ next_run_at: Date } | undefined> {
  const {
    tx,
    company: { company_id },
    now,
  } = ctx;
  const email = await lockWithDocument(ctx, documents);
  if (!email || email.waiting.length === 0) return undefined;
  if (!outcome && !(await isWanted(ctx, email, documents))) {
    await updateEmail(tx, company_id, withdraw(email, now));
    return undefined;
  }
  // `begin` sent nothing, but now the message is wanted.
  if (!outcome && ctx.job.attempt <= deathsMax) return { next_run_at: now };
  if (outcome === 'over day') return waitForTomorrow(ctx, email);
  const settled = outcome
    ? settleAttempt(email, outcome, now)
    : giveUp(email, 'El envío se ha interrumpido una y otra vez.', now);
  const document = documentOf(email, documents);
  await keep(ctx, settled, document);
  if (outcome && ctx.company.environment === 'test')
    await comeBack(ctx, settled.email, outcome.accepted, document);
  const { next_attempt_at } = settled.email;
  return next_attempt_at === null ? undefined : { next_run_at: new Date(next_attempt_at) };
}

async function waitForTomorrow(ctx: JobCtx, email: EmailRow): Promise<{ next_run_at: Date }> {
  const { tx, company, now } = ctx;
  const { time_zone } = company;
  const midnight = nextLocalMidnight(time_zone, now);
  const is_reminder = email.purpose === 'payment_reminder';
  const next_attempt_at = is_reminder ? reminderTime(time_zone, dayIn(time_zone, midnight)) : midnight;
  const answer = 'Hoy se ha escrito ya a todos los destinatarios del plan: el mensaje sale mañana.';
  await updateEmail(tx, company.company_id, { ...email, answer, next_attempt_at, updated_at: now });
  return { next_run_at: next_attempt_at };
}

/** Locks the document before its e-mail, as all code does. */
async function lockWithDocument(ctx: JobCtx, documents: EmailedDocuments): Promise<EmailRow | undefined> {
  const {
    tx,
    company: { company_id },
  } = ctx;
  const email = await findEmail(tx, company_id, idOf(ctx));
  if (!email) return undefined;
  const document = documentOf(email, documents);
  if (document && email.document_id !== null) await document.lock(tx, company_id, email.document_id);
  return lockEmail(tx, company_id, email.id);
}

/** In a sandbox: magic addresses that accept at first now return their notices. */
async function comeBack(
  ctx: JobCtx,
  email: EmailRow,
  accepted: readonly string[],
  document: EmailedDocument | undefined,
): Promise<void> {
  const bounced = bounce(email, simulateBounces(accepted), ctx.now);
  if (!bounced) return;
  await updateEmail(ctx.tx, ctx.company.company_id, bounced);
  await document?.onFailed(ctx, bounced);
}

async function keep(ctx: JobCtx, settled: Settled, document: EmailedDocument | undefined): Promise<void> {
  const { email, is_sent, has_failed } = settled;
  await updateEmail(ctx.tx, ctx.company.company_id, email);
  if (is_sent) await document?.onSent(ctx, email);
  if (has_failed) await document?.onFailed(ctx, email);
}
