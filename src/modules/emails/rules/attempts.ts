/** What an attempt, giving up or a bounce makes of an e-mail. */
import type { EmailReason, EmailRow } from '../emails.rows.ts';
import type { MailOutcome, UnservedRecipient } from '../ports.ts';

const minute = 60;
const hour = 60 * minute;

/** Seconds after attempt 1, 2, …: about a day in all (RFC 5321, section 4.5.4.1). */
export const waitsAfter: readonly number[] = [
  minute,
  5 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
  4 * hour,
  4 * hour,
  6 * hour,
  6 * hour,
];

/** Most reported addresses that are no recipients: mailboxes that recipients forward to. */
const strangersMax = 20;

export type Settled = {
  email: EmailRow;
  /** Accepted by the mail server for the first time. */
  is_sent: boolean;
  /** Some recipients will not get it; none is tried again. */
  has_failed: boolean;
};

/** A recipient that the mailer does not mention counts as deferred: nobody is lost. */
export function settleAttempt(email: EmailRow, said: MailOutcome, now: Date): Settled {
  const named = new Set([...said.accepted, ...[...said.refused, ...said.deferred].map((one) => one.address)]);
  const unnamed = email.waiting.filter((address) => !named.has(address));
  const deferred = [...said.deferred, ...unnamed.map((address) => ({ address, answer: said.answer }))];
  const outcome = { ...said, deferred };
  const wait = waitsAfter[email.attempts - 1];
  const is_over = outcome.deferred.length === 0 || wait === undefined;
  const unserved = [...outcome.refused, ...(is_over ? outcome.deferred : [])];
  const waiting = is_over ? [] : outcome.deferred.map(({ address }) => address);
  const is_sent = email.status === 'queued' && outcome.accepted.length > 0;
  const next_attempt_at = is_over || wait === undefined ? null : new Date(now.getTime() + wait * 1000);
  return settle(
    email,
    {
      answer: outcome.answer,
      waiting,
      next_attempt_at,
      refused: merge(email.refused, unserved),
      ...(is_sent ? { status: 'sent', sent_at: now } : {}),
    },
    outcome.deferred.length > 0 ? 'gave_up' : 'refused',
    is_sent,
    now,
  );
}

export function giveUp(email: EmailRow, answer: string, now: Date): Settled {
  const unserved = email.waiting.map((address) => ({ address, answer }));
  const refused = merge(email.refused, unserved);
  return settle(email, { answer, waiting: [], next_attempt_at: null, refused }, 'gave_up', false, now);
}

/** The document changed: recipients who have not got the message will not get it. */
export function withdraw(email: EmailRow, now: Date): EmailRow {
  const ended = { ...email, waiting: [], next_attempt_at: null, updated_at: now };
  return email.status === 'queued' ? { ...ended, status: 'not_sent', reason: 'withdrawn' } : ended;
}

/**
 * For notices after delivery.
 * @param spelling maps all spellings of an address to one
 * @returns undefined when nothing is new
 */
export function bounce(
  email: EmailRow,
  reported: readonly UnservedRecipient[],
  now: Date,
  spelling = (address: string) => address.toLowerCase(),
): EmailRow | undefined {
  const recipients = recipientsOf(email);
  const known = new Set(email.refused.map((one) => one.address));
  const strangers = email.refused.filter((one) => !recipients.includes(one.address)).length;
  let strangers_left = Math.max(0, strangersMax - strangers);
  const news = reported
    .map(({ address, answer }) => {
      const find = (text: string) => recipients.find((one) => spelling(one) === spelling(text));
      const match = find(address) ?? find(readXtext(address));
      // It may name an address that a mailbox forwards to. A single recipient is beyond doubt.
      return { address: match ?? (recipients.length === 1 ? recipients[0]! : address), answer };
    })
    .filter((one) => !known.has(one.address))
    .filter((one) => recipients.includes(one.address) || strangers_left-- > 0);
  if (news.length === 0) return undefined;
  const refused = merge(email.refused, news);
  const waiting = email.waiting.filter((address) => !refused.some((one) => one.address === address));
  const changed: EmailRow = {
    ...email,
    refused,
    answer: news.at(-1)?.answer ?? null,
    waiting,
    next_attempt_at: waiting.length > 0 ? email.next_attempt_at : null,
    updated_at: now,
  };
  return hasReachedNobody(changed) ? { ...changed, status: 'failed', reason: 'bounced' } : changed;
}

/** As it goes over the wire (RFC 3461, section 4), some systems quote it. A plus may also be one. */
const readXtext = (address: string): string =>
  address.replace(/(?:\+[0-9a-f]{2})+/gi, (all) =>
    Buffer.from(all.replaceAll('+', ''), 'hex').toString('utf8'),
  );

const recipientsOf = ({ to, cc }: EmailRow): readonly string[] => [...to, ...cc];

function hasReachedNobody(email: EmailRow): boolean {
  const missed = new Set(email.refused.map((one) => one.address));
  return recipientsOf(email).every((address) => missed.has(address));
}

function settle(
  email: EmailRow,
  change: Pick<EmailRow, 'answer' | 'waiting' | 'next_attempt_at' | 'refused'> & Partial<EmailRow>,
  reason: EmailReason,
  is_sent: boolean,
  now: Date,
): Settled {
  const changed: EmailRow = { ...email, ...change, updated_at: now };
  const is_over = changed.waiting.length === 0;
  const has_failed = is_over && changed.refused.length > 0;
  // A message that anybody got counts as sent. Bounces may show later that nobody did.
  if (has_failed && (changed.status === 'queued' || hasReachedNobody(changed))) {
    changed.reason = changed.status === 'queued' ? reason : 'bounced';
    changed.status = 'failed';
  }
  return { email: changed, is_sent, has_failed };
}

/** Each recipient once, with the latest answer. */
function merge(
  known: readonly UnservedRecipient[],
  more: readonly UnservedRecipient[],
): readonly UnservedRecipient[] {
  return [...new Map([...known, ...more].map((one) => [one.address, one])).values()];
}
