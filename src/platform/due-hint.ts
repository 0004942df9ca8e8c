/**
 * Tells other processes that work is due, by NOTIFY (scale rule 15). It is a hint: one that is lost costs a
 * poll's wait and nothing else, so failures are passed over.
 */
import type { Sql } from 'postgres';
import { newId } from '../kernel/uuid7.ts';

export type DueHint = {
  /** Calls back when another process says that work is due. */
  listen(onDue: () => void): void;
  notify(): void;
};

const channel = 'folio_due';

/**
 * @param sql a pool of one connection that is not behind a pooler in transaction mode; whoever made it ends it
 * @param pause_ms how long hints are gathered into one
 */
export function makeDueHint(sql: Sql, pause_ms = 20): DueHint {
  // Every process hears its own hints too.
  const me = newId();
  let waiting: NodeJS.Timeout | undefined;
  return {
    listen(onDue) {
      sql
        .listen(channel, (sender) => {
          if (sender !== me) onDue();
        })
        .catch(() => undefined);
    },
    notify() {
      waiting ??= setTimeout(() => {
        waiting = undefined;
        sql.unsafe(`notify ${channel}, '${me}'`).catch(() => undefined);
      }, pause_ms);
      waiting.unref();
    },
  };
}
