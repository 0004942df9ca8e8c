/** What people are told by mail, and how they ask for it. */
import type { Sql } from 'postgres';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { fail } from '../../../kernel/problem.ts';
import { countAuthFailures } from '../../../platform/auth-failures.ts';
import { type AccountChange, queueAccountEmail } from './account-emails.ts';
import { type AccountMail, type AccountMailParts, changeEmail } from './account-mail.ts';
import type { PeoplePort } from '../ports.ts';
import { memberErrors as e } from '../members/members.errors.ts';
import { spendTry, type Tried } from '../sign-in/tries.ts';
import { findEmail, plainEmail } from '../users.store.ts';

type Asked = Pick<PeoplePort, 'invitationAddress' | 'queueInvitation' | 'askByMail'>;

export function makeMessages({
  sql,
  secrets,
  mailer,
  clock,
  public_url,
  mail,
}: Omit<AccountMailParts, 'log'> & { mail: AccountMail }) {
  // Each message asked for counts, whether or not the address is known.
  const asked_from = countAuthFailures();

  /** The change may be somebody else's. Its message is stored with it, and sent after the commit (`mail.wake`). */
  async function tell(tx: Sql, user_id: string, change: AccountChange): Promise<void> {
    if (!mailer.is_configured) return;
    const email = await changeEmail(tx, user_id, await findEmail(tx, user_id), change);
    if (email) await queueAccountEmail(tx, secrets, email, clock.now());
  }

  const asked: Asked = {
    invitationAddress: (token) => `${public_url()}/invitation/${token}`,
    async queueInvitation(tx, company_id, invitation) {
      const now = clock.now();
      // A company that could invite strangers without end could send them texts of its own.
      await refuseTooMany({ what: 'invitations of a company', email: company_id });
      if (!mailer.is_configured) return false;
      // Counted apart from the messages that strangers ask for: they must not stop an invitation.
      const email = `${company_id} ${invitation.to}`;
      await refuseTooMany({ what: 'invitation of a company to an address', email });
      await refuseTooMany({ what: 'invitations to an address', email: invitation.to });
      if (!(await queueAccountEmail(tx, secrets, { kind: 'invitation', ...invitation }, now)))
        throw fail(c.service_unavailable, { retry_after_seconds: 60 });
      return true;

      async function refuseTooMany(tried: Tried): Promise<void> {
        const seconds = await spendTry(tx, tried, now);
        if (seconds > 0) throw fail(e.too_many_invitations, { retry_after_seconds: seconds });
      }
    },
    async askByMail({ kind, email, language, ip }) {
      const now = clock.now();
      const here = asked_from.blockedFor(ip, now);
      if (here > 0) return { wait_seconds: here };
      asked_from.failed(ip, now);
      const to = plainEmail(email);
      // After too many tries the answer is the same: another one would tell that others ask for the address.
      const what = kind === 'sign_up' ? 'message of a sign-up' : 'message';
      if ((await spendTry(sql, { what, email: to }, now)) > 0) return 'sent';
      if (!(await queueAccountEmail(sql, secrets, { kind, to, language }, now)))
        throw fail(c.service_unavailable, { retry_after_seconds: 60 });
      mail.wake();
      return 'sent';
    },
  };

  return { tell, asked };
}
