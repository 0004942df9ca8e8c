/** What a person changes of their own account. */
import type { Sql } from 'postgres';
import { commonErrors as c } from '../../kernel/common.errors.ts';
import { fail } from '../../kernel/problem.ts';
import type { Clock } from '../../platform/clock.ts';
import type { AccountChange } from './account-emails.ts';
import { findLink, resetByLink } from './links.ts';
import { hashPassword } from './passwords.ts';
import type { PeoplePort } from './ports.ts';
import { passwordFault } from './rules/password.ts';
import { endOtherSessions, endSessionById, listSessions, renewSession, sessionOf } from './sessions.ts';
import { spendTry } from './tries.ts';
import { changeProfile, findEmail, findUser, setPassword } from './users.store.ts';

type OwnAccount = Pick<
  PeoplePort,
  | 'resetPassword'
  | 'changeProfile'
  | 'changePassword'
  | 'listSessions'
  | 'endSessionById'
  | 'endOtherSessions'
  | 'spendCodeTry'
>;

type Parts = { sql: Sql; clock: Clock; tell(user_id: string, change: AccountChange): Promise<void> };

export function makeOwnAccount({ sql, clock, tell }: Parts): OwnAccount {
  return {
    async resetPassword(token, password) {
      const link = await findLink(sql, 'reset', token, clock.now());
      const user = link?.user_id ? await findUser(sql, link.user_id) : undefined;
      if (!user) return 'gone';
      const fault = passwordFault(password, { name: user.name, email: await findEmail(sql, user.id) });
      if (fault) return fault;
      const done = await resetByLink(sql, token, await hashPassword(password), clock.now());
      if (done === undefined) return 'gone';
      await tell(done, 'password');
      return 'done';
    },
    changeProfile: (user_id, to) => changeProfile(sql, user_id, to, clock.now()),
    async changePassword({ user_id, name }, token, password) {
      const fault = passwordFault(password, { name, email: await findEmail(sql, user_id) });
      if (fault) return fault;
      const password_hash = await hashPassword(password);
      const now = clock.now();
      // First: whatever ends after it, no session of before counts.
      await setPassword(sql, user_id, password_hash, now);
      const renewed = await renewSession(sql, token, now);
      const session = renewed === undefined ? undefined : await sessionOf(sql, renewed, now);
      if (session) await endOtherSessions(sql, user_id, session.id);
      await tell(user_id, 'password');
      return renewed === undefined ? 'gone' : { token: renewed };
    },
    listSessions: (user_id, this_id) => listSessions(sql, user_id, this_id, clock.now()),
    endSessionById: (user_id, id) => endSessionById(sql, user_id, id),
    endOtherSessions: (user_id, this_id) => endOtherSessions(sql, user_id, this_id),
    async spendCodeTry(user_id) {
      const seconds = await spendTry(sql, { what: 'second factor', email: user_id }, clock.now());
      if (seconds > 0)
        throw fail(c.too_many_auth_failures, { retry_after_seconds: seconds, values: { seconds } });
    },
  };
}
