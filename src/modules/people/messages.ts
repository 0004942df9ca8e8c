/** What people are told by mail, and how they ask for it. */
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { fail } from '../../kernel/problem.ts';
import { countAuthFailures } from '../../platform/auth-failures.ts';
import { type AccountChange, queueAccountEmail } from './account-emails.ts';
import { type AccountMail, type AccountMailParts, changeEmail } from './account-mail.ts';
import type { PeoplePort } from './ports.ts';
import { spendTry } from './tries.ts';
import { findEmail, plainEmail } from './users.store.ts';

type Asked = Pick<PeoplePort, 'invitationAddress' | 'queueInvitation' | 'askByMail'>;

export function makeMessages({
  sql,
  secrets,
  mailer,
  clock,
  public_url,
  mail,
}: Omit<AccountMailParts, 'log'> & { mail: AccountMail }) {
  // Each message asked for counts, whoever has the address.
  const asked_from = countAuthFailures();

  /** Somebody else may have done it. */
  async function tell(user_id: string, change: AccountChange): Promise<void> {
    if (!mailer.is_configured) return;
    const email = await changeEmail(sql, user_id, await findEmail(sql, user_id), change);
    if (email) await queueAccountEmail(sql, secrets, email, clock.now());
    mail.wake();
  }

  const asked: Asked = {
    invitationAddress: (token) => `${public_url()}/invitation/${token}`,
    async queueInvitation(tx, invitation) {
      if (!mailer.is_configured) return false;
      const now = clock.now();
      const tried = { what: 'message', email: invitation.to } as const;
      if ((await spendTry(tx, tried, now)) > 0) return false;
      return queueAccountEmail(tx, secrets, { kind: 'invitation', ...invitation }, now);
    },
    async askByMail({ kind, email, language, ip }) {
      const now = clock.now();
      const here = asked_from.blockedFor(ip, now);
      if (here > 0) return { wait_seconds: here };
      asked_from.failed(ip, now);
      const to = plainEmail(email);
      // Who asked too often gets the same answer: it would tell who else asks for the address.
      if ((await spendTry(sql, { what: 'message', email: to }, now)) > 0) return 'sent';
      if (!(await queueAccountEmail(sql, secrets, { kind, to, language }, now)))
        throw fail(c.service_unavailable, { retry_after_seconds: 60 });
      mail.wake();
      return 'sent';
    },
  };

  return { tell, asked };
}
