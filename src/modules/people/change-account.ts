/** A change of how somebody signs in: with what follows from it, and the message about it, it is there whole or not at all. */
import type { Sql } from 'postgres';
import type { Database } from '../../platform/db.ts';
import type { AccountChange } from './account-emails.ts';
import type { AccountMail } from './account-mail.ts';

export type Tell = (change: AccountChange) => Promise<void>;

export type ChangeAccount = <T>(user_id: string, work: (tx: Sql, tell: Tell) => Promise<T>) => Promise<T>;

type Parts = {
  db: Pick<Database, 'indexTransaction'>;
  tell(tx: Sql, user_id: string, change: AccountChange): Promise<void>;
  mail: Pick<AccountMail, 'wake'>;
};

/** Changes of one person run one after another: what comes with the first factor and goes with the last is counted. */
export function makeChangeAccount({ db, tell, mail }: Parts): ChangeAccount {
  return async (user_id, work) => {
    let is_told = false;
    const done = await db.indexTransaction(async (tx) => {
      await tx`select 1 from users where id = ${user_id} for update`;
      return work(tx, async (change) => {
        is_told = true;
        await tell(tx, user_id, change);
      });
    });
    if (is_told) mail.wake();
    return done;
  };
}
