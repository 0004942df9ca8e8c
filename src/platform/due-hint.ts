/** Hints by NOTIFY to other processes that work is due. Polling finds the work of lost hints. */
import type { Sql } from 'postgres';
import { newId } from '../kernel/uuid7.ts';

export type DueHint = {
  listen(onDue: () => void): void;
  notify(): void;
};

export type DueChannel = 'folio_due' | 'folio_deliveries';

/**
 * The first hint goes out at once; those within the next `pause_ms` become one.
 * @param sql one connection, without a pooler in transaction mode; its maker ends it
 */
export function makeDueHint(sql: Sql, channel: DueChannel = 'folio_due', pause_ms = 20): DueHint {
  // A process hears its own hints.
  const me = newId();
  let waiting: NodeJS.Timeout | undefined;
  let is_wanted = false;
  const send = () => {
    is_wanted = false;
    sql.unsafe(`notify ${channel}, '${me}'`).catch(() => undefined);
    waiting = setTimeout(() => {
      waiting = undefined;
      if (is_wanted) send();
    }, pause_ms).unref();
  };
  return {
    listen(onDue) {
      sql
        .listen(channel, (sender) => {
          if (sender !== me) onDue();
        })
        .catch(() => undefined);
    },
    notify() {
      if (waiting === undefined) send();
      else is_wanted = true;
    },
  };
}

/**
 * Ends both connections, so that they are made again. A server that is stopping waits for listeners too, and a server
 * that was a standby has refused to listen.
 */
export function renewListener(sql: Sql): void {
  const { sql: listening } = sql.listen as { sql?: Sql };
  // Only the role that logged in may end its session.
  const end = 'set role none; select pg_terminate_backend(pg_backend_pid())';
  for (const one of [sql, listening]) one?.unsafe(end).catch(() => undefined);
}
