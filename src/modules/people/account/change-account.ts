/**
 * Changes how somebody signs in. The change, what follows from it, the message about it and its audit entries are
 * stored together or not at all.
 */
import type { Sql } from 'postgres';
import { fail } from '../../../kernel/problem.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/db.ts';
import { accountErrors as e } from './account.errors.ts';
import { queueEntries } from './account-entries.ts';
import type { AccountChange } from '../mail/account-emails.ts';
import type { AccountLog } from './account-log.ts';
import type { AccountMail } from '../mail/account-mail.ts';
import { hasSession } from '../sign-in/sessions.ts';
import { spendTry } from '../sign-in/tries.ts';
import { lockName } from '../users.store.ts';

/**
 * Everything but the end of sessions is told by mail. Each change counts, as it stays in the logs of all their companies.
 * @param how `always` counts and is never refused: for changes that other limits bound, and those that help a person
 *   whose account somebody else uses
 * @throws 429 too_many_account_changes
 */
export type Tell = (act: AccountChange | 'sessions_ended', how?: 'always') => Promise<void>;

/**
 * Whose account: the id alone where something other than a session has proved them. Whoever is in a session may wait for the account while
 * somebody ends that session: by a new password, say.
 */
export type Changing = string | InSession;
export type InSession = { user_id: string; session_id: string; gone(): Error };

/** @throws what `gone` makes, for a session that has ended */
export type ChangeAccount = <T>(who: Changing, work: (tx: Sql, tell: Tell) => Promise<T>) => Promise<T>;

export const userOf = (who: Changing): string => (typeof who === 'string' ? who : who.user_id);

type Parts = {
  db: Pick<Database, 'indexTransaction'>;
  clock: Clock;
  tellByMail(tx: Sql, user_id: string, change: AccountChange): Promise<void>;
  mail: Pick<AccountMail, 'wake'>;
  account_log: Pick<AccountLog, 'wake'>;
};

/** Changes of one person run one after another, because some depend on the count of factors: the first and the last. */
export function makeChangeAccount({ db, clock, tellByMail, mail, account_log }: Parts): ChangeAccount {
  return async (who, work) => {
    const user_id = userOf(who);
    let is_told = false;
    const done = await db.indexTransaction(async (tx) => {
      const user_name = await lockName(tx, user_id);
      if (typeof who !== 'string' && !(await hasSession(tx, { user_id, id: who.session_id }, clock.now())))
        throw who.gone();
      return work(tx, async (act, how) => {
        is_told = true;
        const tried = { what: 'changes of an account', email: user_id } as const;
        const seconds = await spendTry(tx, tried, clock.now());
        if (seconds > 0 && how === undefined)
          throw fail(e.too_many_account_changes, { retry_after_seconds: seconds, values: { seconds } });
        if (act !== 'sessions_ended') await tellByMail(tx, user_id, act);
        await queueEntries(tx, { user_id, user_name, act, actor: 'user' }, clock.now());
      });
    });
    if (is_told) {
      mail.wake();
      account_log.wake();
    }
    return done;
  };
}
