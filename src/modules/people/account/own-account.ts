/** What a person changes of their own account. */
import type { Sql } from 'postgres';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { fail } from '../../../kernel/problem.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type ChangeAccount, userOf } from './change-account.ts';
import { findLink, resetByLink } from '../links.ts';
import { hashPassword } from '../sign-in/passwords.ts';
import type { PeoplePort } from '../ports.ts';
import { passwordFault } from '../rules/password.ts';
import { endOtherSessions, endSessionById, keepSession, listSessions } from '../sign-in/sessions.ts';
import { spendTry } from '../sign-in/tries.ts';
import { changeProfile, findEmail, findUser, setPassword } from '../users.store.ts';

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

type Parts = { sql: Sql; clock: Clock; change: ChangeAccount };

export function makeOwnAccount({ sql, clock, change }: Parts): OwnAccount {
  return {
    async resetPassword(token, password) {
      const link = await findLink(sql, 'reset', token, clock.now());
      const user = link?.user_id ? await findUser(sql, link.user_id) : undefined;
      if (!user) return 'gone';
      const fault = passwordFault(password, { name: user.name, email: await findEmail(sql, user.id) });
      if (fault) return fault;
      const password_hash = await hashPassword(password);
      return change(user.id, async (tx, tell) => {
        if (!(await resetByLink(tx, token, password_hash, clock.now()))) return 'gone';
        await tell('password', 'always');
        return 'done';
      });
    },
    changeProfile: (who, to) => change(who, (tx) => changeProfile(tx, userOf(who), to, clock.now())),
    async changePassword({ id, user_id, name }, token, password) {
      const fault = passwordFault(password, { name, email: await findEmail(sql, user_id) });
      if (fault) return fault;
      const password_hash = await hashPassword(password);
      return change(user_id, async (tx, tell) => {
        const now = clock.now();
        const kept = await keepSession(tx, token, now);
        // It ended meanwhile, maybe because somebody else set a password.
        if (kept === undefined) return 'gone';
        await setPassword(tx, user_id, password_hash, now);
        await endOtherSessions(tx, user_id, id, now);
        await tell('password');
        return { token: kept };
      });
    },
    listSessions: (user_id, this_id) => listSessions(sql, user_id, this_id, clock.now()),
    endSessionById: (who, id) =>
      change(who, async (tx, tell) => {
        if (!(await endSessionById(tx, userOf(who), id))) return false;
        await tell('sessions_ended');
        return true;
      }),
    endOtherSessions: (who) =>
      change(who, async (tx, tell) => {
        const ended = await endOtherSessions(tx, who.user_id, who.session_id, clock.now());
        if (ended > 0) await tell('sessions_ended');
        return ended;
      }),
    async spendCodeTry(user_id) {
      const seconds = await spendTry(sql, { what: 'second factor', email: user_id }, clock.now());
      if (seconds > 0)
        throw fail(c.too_many_auth_failures, { retry_after_seconds: seconds, values: { seconds } });
    },
  };
}
