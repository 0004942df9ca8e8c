/** Sends messages about accounts, one at a time: a mail server that is slow keeps a single connection from the companies. */
import type { Sql } from 'postgres';
import type { Log } from '../../../kernel/log.ts';
import type { Ports } from '../../../kernel/ports.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { SecretBox } from '../../../platform/secrets.ts';
import {
  type AccountEmail,
  delayAccountEmail,
  dropAccountEmail,
  takeAccountEmail,
  type WaitingEmail,
} from './account-emails.ts';
import { type AccountMessage, writeAccountEmail } from './account-email-texts.ts';
import { findLink, makeLink } from '../links.ts';
import { makeOutboxLoop, type OutboxLoop } from '../outbox-loop.ts';
import { findUser, findUserByEmail, type Language } from '../users.store.ts';

const minuteMs = 60_000;
/** After so many attempts; the last one stays. */
const pausesMs = [minuteMs, 5 * minuteMs, 15 * minuteMs, 60 * minuteMs];

export type AccountMailParts = {
  sql: Sql;
  secrets: SecretBox;
  mailer: Ports['mailer'];
  clock: Clock;
  log: Log;
  public_url: () => string;
  /** Of that module: the names of the applications that may act for a person. */
  oauth: { applicationsOf(user_id: string): Promise<string[]> };
};

export type AccountMail = OutboxLoop & {
  /** Once, what is due now. */
  sendDue(): Promise<void>;
};

export function makeAccountMail(parts: AccountMailParts): AccountMail {
  const { sql, secrets, mailer, clock, log, public_url, oauth } = parts;

  async function sendAll(isStopping: () => boolean): Promise<void> {
    do {
      const taken = await takeAccountEmail(sql, secrets, clock.now());
      if (!taken) return;
      if ('unreadable' in taken) {
        log.error({ id: taken.id }, 'a message about an account cannot be opened with the keys at hand');
        await dropAccountEmail(sql, taken.id);
      } else await sendOne(taken);
    } while (!isStopping());
  }

  async function sendOne({ id, email, attempts, created_at }: WaitingEmail): Promise<void> {
    const found = await messageOf(sql, email, {
      now: clock.now(),
      created_at,
      public_url: public_url(),
      oauth,
    });
    if (!found) return dropAccountEmail(sql, id);
    const outcome = await mailer.send({
      message_id: `<account.${id}@${(mailer.from ?? '').split('@')[1] ?? 'localhost'}>`,
      dated_at: created_at,
      from_name: 'Folio',
      reply_to: null,
      to: [email.to],
      cc: [],
      recipients: [email.to],
      ...writeAccountEmail(found.message, found.language),
      attachments: [],
    });
    if (outcome.deferred.length === 0) {
      // The log leaves the address out: somebody may have typed anything into the page.
      if (outcome.refused.length > 0)
        log.warn({ kind: email.kind }, 'a message about an account was refused');
      return dropAccountEmail(sql, id);
    }
    const wait_ms = pausesMs[Math.min(attempts, pausesMs.length) - 1]!;
    log.warn({ kind: email.kind, attempts, fault: outcome.fault }, 'a message about an account waits');
    await delayAccountEmail(sql, { id, attempts }, new Date(clock.now().getTime() + wait_ms));
  }

  const loop = makeOutboxLoop({
    drain: sendAll,
    onFault: (error) => log.error({ err: error }, 'messages about accounts are not sent'),
  });
  return {
    ...loop,
    start() {
      if (mailer.is_configured) loop.start();
    },
    sendDue: () => sendAll(() => false),
  };
}

type Sending = { now: Date; created_at: Date; public_url: string } & Pick<AccountMailParts, 'oauth'>;

/**
 * Asks here whether the address is somebody's, not where it was typed, so that a stranger cannot time the answer.
 * @returns undefined when there is nothing to say to it
 */
async function messageOf(
  sql: Sql,
  email: AccountEmail,
  { now, created_at, public_url, oauth }: Sending,
): Promise<{ message: AccountMessage; language: Language } | undefined> {
  const { language } = email;
  switch (email.kind) {
    case 'forgotten': {
      const user = await findUserByEmail(sql, email.to);
      if (!user || user.disabled_at) return undefined;
      const token = await makeLink(sql, { kind: 'reset', user_id: user.id }, now);
      return {
        message: { kind: 'forgotten', link: `${public_url}/reset/${token}` },
        language: user.language,
      };
    }
    case 'sign_up': {
      const user = await findUserByEmail(sql, email.to);
      if (user) {
        const here = { sign_in: `${public_url}/sign-in`, forgotten: `${public_url}/sign-in/forgot` };
        return { message: { kind: 'has_account', ...here }, language: user.language };
      }
      const token = await makeLink(sql, { kind: 'sign_up', email: email.to }, now);
      return { message: { kind: 'sign_up', link: `${public_url}/sign-up/confirm/${token}` }, language };
    }
    case 'invitation': {
      const { link, company_name, role, invited_by } = email;
      // It may have been cancelled, replaced or accepted while the mail server took nothing.
      if (!(await findLink(sql, 'invitation', link.split('/').at(-1)!, now))) return undefined;
      return { message: { kind: 'invitation', link, company_name, role, invited_by }, language };
    }
    case 'changed': {
      const at = created_at.toISOString().slice(0, 16).replace('T', ' ');
      const account = `${public_url}/dashboard/account`;
      // Told as it is now: whoever reads of the change may end what goes on.
      const user = await findUserByEmail(sql, email.to);
      const applications = user ? await oauth.applicationsOf(user.id) : [];
      return { message: { kind: 'changed', change: email.change, at, account, applications }, language };
    }
  }
}

/** In the person's language, to their address. */
export async function changeEmail(
  sql: Sql,
  user_id: string,
  to: string,
  change: Extract<AccountEmail, { kind: 'changed' }>['change'],
): Promise<AccountEmail | undefined> {
  const user = await findUser(sql, user_id);
  return user && to !== '' ? { kind: 'changed', to, language: user.language, change } : undefined;
}
