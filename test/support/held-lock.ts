/** Locks held by the test. PostgreSQL says when a caller waits, so the test needs no sleep. */
import type { TestContext } from 'node:test';
import type { Sql } from 'postgres';
import type { App } from '../harness.ts';

export type HeldLock = {
  sql: Sql;
  release(how?: 'commit' | 'rollback'): Promise<void>;
};

class RolledBack extends Error {}

/** The locks end with the test at the latest. */
export async function holdLock(
  t: TestContext,
  app: App,
  take: (sql: Sql) => Promise<unknown>,
): Promise<HeldLock> {
  let end: (how: 'commit' | 'rollback') => void = () => undefined;
  const ending = new Promise<'commit' | 'rollback'>((resolve) => {
    end = resolve;
  });
  let ended: Promise<unknown> = Promise.resolve();
  const held = await new Promise<{ sql: Sql }>((resolve, reject) => {
    ended = app.sql
      .begin(async (begun) => {
        const sql = begun as unknown as Sql;
        await take(sql);
        resolve({ sql });
        if ((await ending) === 'rollback') throw new RolledBack();
      })
      .catch((error: unknown) => {
        if (!(error instanceof RolledBack)) reject(error);
      });
  });
  const lock: HeldLock = {
    ...held,
    async release(how = 'rollback') {
      end(how);
      await ended;
    },
  };
  t.after(() => lock.release());
  return lock;
}

export async function waitersOf(app: App): Promise<number> {
  const [row] = await app.sql<{ count: number }[]>`
    select count(*)::integer as count from pg_stat_activity
     where datname = current_database() and usename = 'folio_service' and wait_event_type = 'Lock'`;
  return row?.count ?? 0;
}
