/** A transaction over a driver that only one command uses. The service's own transactions are in db.ts. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { type LentConnection, lendConnection } from './guarded-connection.ts';

/**
 * As the driver's `begin`, which sends statements, commit and rollback also where the connection is gone, and fails on
 * it outside any promise. Here nothing is sent after the loss, and the transaction is rejected.
 * @param options words after `begin`, or the empty text
 */
export async function guardedTransaction<T>(
  sql: Sql,
  options: string,
  work: (tx: Sql) => Promise<T>,
): Promise<T> {
  let lent: LentConnection | undefined;
  let is_lost = false;
  const begun = sql.begin(options, async (tx) => {
    lent = lendConnection(tx as unknown as Sql);
    const [done] = await Promise.allSettled([work(lent.tx)]);
    // The loss fails what is under way first, and then `begun`.
    await nextTurn();
    if (is_lost) return new Promise<never>(() => undefined);
    if (done.status === 'rejected') throw done.reason;
    return done.value;
  });
  begun.catch(() => {
    is_lost = true;
    lent?.end();
  });
  return (await begun) as T;
}
