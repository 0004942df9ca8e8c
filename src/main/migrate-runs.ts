/** What the command `migrate` does. Loaded when it runs. */
import type { Sql } from 'postgres';
import { findPending } from '../platform/migrate.ts';
import { locksOf, type TableLock, waiting } from '../platform/migration-locks.ts';
import { printDone, withHandle } from './command-answers.ts';
import type { Config } from './config.ts';
import { asOwner, migrateDatabase } from './database.ts';
import { say } from './terminal.ts';

const upToDate = 'The database is up to date.';

export async function migrateNow(config: Config, as_json: boolean): Promise<void> {
  const applied = await withHandle(config, migrateDatabase);
  printDone(applied.length === 0 ? upToDate : `Applied ${applied.join(', ')}.`, { applied }, as_json);
}

/** Sizes tell how long a lock lasts: a table that is read or written anew takes its time, the rest none. */
type Told = TableLock & { waits: string; rows: number; bytes: number };

/** A table that is not there is made by another pending migration. */
async function readTables(sql: Sql): Promise<Map<string, { rows: number; bytes: number }>> {
  const found = await sql<{ name: string; rows: number; bytes: string }[]>`
    select relname as name, greatest(reltuples, 0)::float8 as rows, pg_total_relation_size(oid)::text as bytes
      from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`;
  return new Map(found.map(({ name, rows, bytes }) => [name, { rows, bytes: Number(bytes) }]));
}

export async function readPending(sql: Sql): Promise<{ name: string; locks: Told[] }[]> {
  const pending = await findPending(sql);
  const tables = await readTables(sql);
  const indexes = await sql<{ index: string; table: string }[]>`
    select indexname as index, tablename as table from pg_indexes where schemaname = 'public'`;
  const tableOfIndex = new Map(indexes.map(({ index, table }) => [index, table]));
  return pending.map(({ name, text }) => ({
    name,
    locks: locksOf(text, (index) => tableOfIndex.get(index)).flatMap((lock) => {
      const size = tables.get(lock.table);
      return size ? [{ ...lock, waits: waiting[lock.lock], ...size }] : [];
    }),
  }));
}

const workWords = {
  none: 'at once',
  rows: 'rows of it are written',
  read: 'the table is read through',
  rewritten: 'the table is written anew',
} as const;

const inMegabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`;

export async function checkMigrations(config: Config, as_json: boolean): Promise<void> {
  const pending = await withHandle(config, (handle) => asOwner(handle, readPending));
  if (pending.length > 0) process.exitCode = 1;
  if (as_json) return say(JSON.stringify({ pending }));
  if (pending.length === 0) return say(upToDate);
  for (const { name, locks } of pending) {
    say(name);
    for (const { table, lock, waits, work, rows, bytes } of locks)
      say(
        `  ${table}: ${lock}, ${waits} wait to its end; ${workWords[work]} (${Math.round(rows)} rows, ${inMegabytes(bytes)})`,
      );
    if (locks.length === 0) say('  touches no table that is there');
  }
}
