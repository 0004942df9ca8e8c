/** Tells other processes that work is due, by NOTIFY. A hint that is lost costs the wait for a poll, so failures are ignored. */
import type { Sql } from 'postgres';
import { newId } from '../kernel/uuid7.ts';

export type DueHint = {
  /** Calls back when another process says that work is due. */
  listen(onDue: () => void): void;
  notify(): void;
};

/** What is due: jobs, or deliveries. */
export type DueChannel = 'folio_due' | 'folio_deliveries';

/**
 * The first hint goes out at once; those that follow within `pause_ms` are gathered into one.
 * @param sql a pool of one connection that is not behind a pooler in transaction mode; whoever made it ends it
 */
export function makeDueHint(sql: Sql, channel: DueChannel = 'folio_due', pause_ms = 20): DueHint {
  // Every process hears its own hints too.
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
