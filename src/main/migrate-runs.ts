/** What the command `migrate` does. Loaded when it runs. */
import type { Sql } from 'postgres';
import { findPending, staleNameIndexes } from '../platform/migrate.ts';
import { locksOf, type TableLock, waiting } from '../platform/migration-locks.ts';
import { printDone, withHandle } from './command-answers.ts';
import type { Config } from './config.ts';
import { asOwner, migrateDatabase } from './database.ts';
import { measureTables } from './table-times.ts';
import { say } from './terminal.ts';

const upToDate = 'The database is up to date.';

export async function migrateNow(config: Config, as_json: boolean): Promise<void> {
  const applied = await withHandle(config, migrateDatabase);
  printDone(applied.length === 0 ? upToDate : `Applied ${applied.join(', ')}.`, { applied }, as_json);
}

/**
 * Only a table that is read through or written anew takes time.
 * @property seconds on this server, for rows in memory; an upper bound for a table of which only some rows are written
 */
type Told = TableLock & { waits: string; rows: number; bytes: number; seconds: number };
/** Each lock of a migration lasts to its end. */
type Pending = { name: string; seconds: number; locks: Told[] };

/** A table that is not there is made by another pending migration. */
async function readTables(sql: Sql): Promise<Map<string, { rows: number; bytes: number }>> {
  const found = await sql<{ name: string; rows: number; bytes: string }[]>`
    select relname as name, greatest(reltuples, 0)::float8 as rows, pg_total_relation_size(oid)::text as bytes
      from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`;
  return new Map(found.map(({ name, rows, bytes }) => [name, { rows, bytes: Number(bytes) }]));
}

/** What `migrate` does after the migrations where another ICU is there. */
const otherIcu = 'order of names by another ICU: their indexes are built anew';

/** A planner looks at each index of a table, so reads wait as well while one is built anew. */
async function locksOfNameOrder(sql: Sql): Promise<TableLock[]> {
  const names = new Set((await staleNameIndexes(sql)).map(({ table }) => table));
  return [...names].map((table) => ({ table, lock: 'ACCESS EXCLUSIVE', work: 'read' }));
}

export async function readPending(sql: Sql): Promise<Pending[]> {
  const pending = await findPending(sql);
  const tables = await readTables(sql);
  const indexes = await sql<{ index: string; table: string }[]>`
    select indexname as index, tablename as table from pg_indexes where schemaname = 'public'`;
  const tableOfIndex = new Map(indexes.map(({ index, table }) => [index, table]));
  const found = pending.map(({ name, text }) => {
    const locks = locksOf(text, (index) => tableOfIndex.get(index));
    return { name, locks: locks.filter(({ table }) => tables.has(table)) };
  });
  const names = await locksOfNameOrder(sql);
  if (names.length > 0) found.push({ name: otherIcu, locks: names });
  const takes_time = found.some(({ locks }) => locks.some(({ work }) => work !== 'none'));
  const speed = takes_time ? await measureTables(sql) : null;
  return found.map(({ name, locks }) => {
    const told = locks.map((lock): Told => {
      const size = tables.get(lock.table)!;
      const seconds = speed ? size.bytes * speed[lock.work] : 0;
      return { ...lock, waits: waiting[lock.lock], ...size, seconds: Math.round(seconds * 1000) / 1000 };
    });
    return { name, seconds: told.reduce((sum, lock) => sum + lock.seconds, 0), locks: told };
  });
}

const inSeconds = (seconds: number) => (seconds < 0.1 ? 'less than 0.1 s' : `about ${seconds.toFixed(1)} s`);

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
  for (const { name, locks, seconds } of pending) {
    say(locks.length === 0 ? name : `${name}: its locks last ${inSeconds(seconds)}`);
    for (const { table, lock, waits, work, rows, bytes, seconds: own } of locks)
      say(
        `  ${table}: ${lock}, ${waits} wait to its end; ${workWords[work]} (${Math.round(rows)} rows, ${inMegabytes(bytes)}, ${work === 'rows' ? 'at most ' : ''}${inSeconds(own)})`,
      );
    if (locks.length === 0) say('  touches no table that is there');
  }
}
