/**
 * Rows held by a transaction of the test's own, so that what happens while somebody waits can be looked at
 * without sleeping: the caller is known to wait because PostgreSQL says so.
 */
import type { TestContext } from 'node:test';
import type { ReservedSql, Sql } from 'postgres';
import type { App } from '../harness.ts';

export type HeldLock = {
  /** The test's own connection, inside its transaction. */
  sql: ReservedSql;
  release(how?: 'commit' | 'rollback'): Promise<void>;
};

/** Begins a transaction of its own and runs what takes the locks; they end with the test at the latest. */
export async function holdLock(
  t: TestContext,
  app: App,
  take: (sql: Sql) => Promise<unknown>,
): Promise<HeldLock> {
  // The driver's reserve() waits for ever on a pool that has not connected yet.
  await app.sql`select 1`;
  const sql = await app.sql.reserve();
  await sql`begin`;
  await take(sql as unknown as Sql);
  let is_held = true;
  const lock: HeldLock = {
    sql,
    async release(how = 'rollback') {
      if (!is_held) return;
      is_held = false;
      await sql.unsafe(how);
      sql.release();
    },
  };
  t.after(() => lock.release());
  return lock;
}

/** How many connections of the service wait for a lock in this database. */
export async function waitersOf(app: App): Promise<number> {
  const [row] = await app.sql<{ count: number }[]>`
    select count(*)::integer as count from pg_stat_activity
     where datname = current_database() and usename = 'folio_service' and wait_event_type = 'Lock'`;
  return row?.count ?? 0;
}
