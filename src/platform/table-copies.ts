/**
 * Whole tables in PostgreSQL's COPY text, out of one snapshot and into an empty database. What other tables reference
 * comes first.
 */
import type { Readable, Writable } from 'node:stream';
import type { Sql } from 'postgres';
import { guardedTransaction } from './guarded-transaction.ts';

export type TableShape = {
  name: string;
  /** Without those that the database computes. */
  columns: readonly string[];
};

/** Not the list of migrations: that follows from them. */
export async function readTables(sql: Sql): Promise<TableShape[]> {
  const tables = await sql<TableShape[]>`
    select c.relname as name,
           array_agg(a.attname::text order by a.attnum) filter (where a.attgenerated = '') as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> 'schema_migrations'
     group by c.relname order by c.relname`;
  const references = await sql<{ from: string; to: string }[]>`
    select f.relname as from, t.relname as to
      from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
     where k.contype = 'f' and k.connamespace = 'public'::regnamespace and f.oid <> t.oid`;
  return inOrder(tables, references);
}

function inOrder(
  tables: readonly TableShape[],
  references: readonly { from: string; to: string }[],
): TableShape[] {
  const ordered: TableShape[] = [];
  let rest = [...tables];
  while (rest.length > 0) {
    const waiting = new Set(rest.map(({ name }) => name));
    const isReady = ({ name }: TableShape) =>
      references.every(({ from, to }) => from !== name || !waiting.has(to));
    const ready = rest.filter(isReady);
    if (ready.length === 0) throw new Error(`Tables reference one another: ${[...waiting].join(', ')}.`);
    ordered.push(...ready);
    rest = rest.filter((table) => !isReady(table));
  }
  return ordered;
}

const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;
const target = ({ name, columns }: TableShape) =>
  `public.${quoted(name)} (${columns.map(quoted).join(', ')})`;

/** Whether the login may read every table, and sees all of its rows. */
export async function mayReadAll(sql: Sql): Promise<boolean> {
  const [found] = await sql<{ may: boolean }[]>`
    select coalesce(bool_and(has_table_privilege(oid, 'select') and not row_security_active(oid)), true) as may
      from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`;
  return found!.may;
}

/**
 * One snapshot of all, as `pg_dump` takes it. Fails where row-level security would hide rows from the login.
 */
export function readSnapshot<T>(sql: Sql, work: (sql: Sql) => Promise<T>): Promise<T> {
  return guardedTransaction(sql, 'isolation level repeatable read read only', async (tx) => {
    await tx.unsafe(
      'set local row_security = off; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0',
    );
    return work(tx);
  });
}

/**
 * Gives the rows to a reader. One that fails, as on a full disk, leaves some of them: they are passed over, because the
 * connection takes no statement before.
 */
export async function copyOut<T>(
  sql: Sql,
  table: TableShape,
  read: (rows: Readable) => Promise<T>,
): Promise<T> {
  const rows = await sql.unsafe(`copy ${target(table)} to stdout`).readable();
  const copied = Promise.withResolvers<void>();
  // All rows of a small table come in one piece with the beginning, before anybody can listen. No public field tells it.
  const { ended } = (rows as Readable & { _readableState: { ended: boolean } })._readableState;
  if (ended) copied.resolve();
  const push = rows.push.bind(rows);
  rows.push = (part: Buffer | null) => {
    if (part === null) copied.resolve();
    return rows.destroyed || push(part);
  };
  // While rows wait, the driver reads nothing from the server. If the last row had to wait, it would never read again.
  rows.once('end', () => rows._read(0));
  try {
    return await read(rows);
  } catch (error) {
    rows.destroy();
    rows._read(0);
    await copied.promise;
    throw error;
  }
}

export async function copyIn(sql: Sql, table: TableShape): Promise<Writable> {
  return sql.unsafe(`copy ${target(table)} from stdin`).writable();
}

async function setForced(sql: Sql, tables: readonly string[], word: 'force' | 'no force'): Promise<void> {
  await sql.unsafe(
    tables.map((name) => `alter table public.${quoted(name)} ${word} row level security`).join(';'),
  );
}

/** Tables of the schema whose rows even their owner sees only for one company. */
async function forcedTables(sql: Sql): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_class
     where relnamespace = 'public'::regnamespace and relkind = 'r' and relforcerowsecurity`;
  return rows.map(({ name }) => name);
}

/** Whether another session of a service or command is there. */
export async function isWorkedOn(sql: Sql): Promise<boolean> {
  const others = await sql`
    select 1 from pg_stat_activity
     where datname = current_database() and application_name like 'folio%' and pid <> pg_backend_pid() limit 1`;
  return others.length > 0;
}

/** How many rows were written since the server started. Sessions that have ended are counted. */
export async function countWrites(sql: Sql): Promise<string> {
  const [found] = await sql<{ writes: string }[]>`
    select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0)::text as writes
      from pg_stat_user_tables where schemaname = 'public'`;
  return found!.writes;
}

/** Looks at the rows of all companies, and leaves all as it was. @throws 55P03 after two seconds where somebody works on a table */
async function lookAtAll(sql: Sql, look: (tx: Sql) => Promise<void>): Promise<void> {
  const undone = new Error('undone');
  const looking = guardedTransaction(sql, '', async (tx) => {
    await tx.unsafe("set local lock_timeout = '2s'; set local statement_timeout = 0");
    await setForced(tx, await forcedTables(tx), 'no force');
    await look(tx);
    throw undone;
  });
  await looking.catch((error: unknown) => {
    if (error !== undone) throw error;
  });
}

/** @throws as `lookAtAll`. @returns the tables with a row of any company */
export async function filledTables(sql: Sql): Promise<string[]> {
  let filled: string[] = [];
  await lookAtAll(sql, async (tx) => {
    filled = await withRows(tx);
  });
  return filled;
}

/** Where row-level security is not forced on the owner. */
async function withRows(tx: Sql): Promise<string[]> {
  const filled: string[] = [];
  for (const { name } of await readTables(tx)) {
    const [found] = await tx.unsafe(`select exists (select from public.${quoted(name)}) as has_rows`);
    if (found?.has_rows) filled.push(name);
  }
  return filled;
}

/** Whether each table has as many rows as that. @throws as `lookAtAll` */
export async function hasAsManyRows(
  sql: Sql,
  tables: readonly { name: string; rows: number }[],
): Promise<boolean> {
  let is_same = true;
  await lookAtAll(sql, async (tx) => {
    const there = new Set((await readTables(tx)).map(({ name }) => name));
    for (const { name, rows } of [...tables].sort((a, b) => a.rows - b.rows)) {
      if (!is_same) return;
      const [found] = there.has(name)
        ? await tx.unsafe<{ rows: number }[]>(`select count(*)::float8 as rows from public.${quoted(name)}`)
        : [];
      is_same = found?.rows === rows;
    }
  });
  return is_same;
}

/**
 * Empties the tables and fills them, all or nothing. Meanwhile row-level security is not forced on their owner, which
 * may be no superuser.
 * @param beforeFill is told the tables with a row, which nobody else can write any more
 * @param beforeCommit what either throws leaves the tables as they were
 */
export async function refillTables(
  sql: Sql,
  tables: readonly TableShape[],
  fill: (sql: Sql, table: TableShape) => Promise<void>,
  beforeFill: (filled: readonly string[]) => void = () => undefined,
  beforeCommit: () => Promise<void> = async () => undefined,
): Promise<void> {
  await guardedTransaction(sql, '', async (tx) => {
    await tx.unsafe('set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0');
    const forced = await forcedTables(tx);
    await setForced(tx, forced, 'no force');
    const all = tables.map(({ name }) => `public.${quoted(name)}`).join(', ');
    await tx.unsafe(`lock table ${all} in access exclusive mode`);
    beforeFill(await withRows(tx));
    await tx.unsafe(`truncate ${all}`);
    for (const table of tables) await fill(tx, table);
    await setForced(tx, forced, 'force');
    await beforeCommit();
  });
  await sql.unsafe('analyze');
}
