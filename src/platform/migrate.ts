/**
 * Brings a database to the current structure. Each .sql file runs in its own transaction; an advisory lock serves
 * processes that start at once. Forward only: a changed file is refused once it was applied.
 */
import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import type { Sql } from 'postgres';
import { sqlStates } from '../kernel/sql-states.ts';
import { readSql, sqlState } from './db.ts';

export const migrationsFolder = new URL('../../migrations/', import.meta.url);

/** No superuser, cannot bypass row-level security, owns nothing. */
export const serviceRole = 'folio_service';

const lockNumber = 7_310_446;

/** Another build made the database. The message is for the operator. */
export class MigrationRefused extends Error {}

type Migration = { name: string; text: string; hash: string };

function readMigrations(): Migration[] {
  return readdirSync(migrationsFolder)
    .filter((name) => name.endsWith('.sql'))
    .sort()
    .map((name) => {
      const text = readSql(new URL(name, migrationsFolder));
      return { name, text, hash: createHash('sha256').update(text).digest('hex') };
    });
}

/** @param becomes_service whether the connecting user serves, too, so it must be able to become the role; true when left out */
async function ensureRole(
  sql: Sql,
  {
    role_can_login: can_login,
    becomes_service = true,
  }: { role_can_login: boolean; becomes_service?: boolean },
): Promise<void> {
  await sql.unsafe(`do $$ begin
    if not exists (select from pg_roles where rolname = '${serviceRole}') then
      create role ${serviceRole} ${can_login ? 'login' : 'nologin'} nosuperuser nobypassrls nocreatedb nocreaterole;
    end if;
  exception when duplicate_object or unique_violation then null;
  end $$`);
  if (becomes_service && !(await canBecome(sql))) await sql.unsafe(`grant ${serviceRole} to current_user`);
  await sql.unsafe(`grant usage on schema public to ${serviceRole}`);
}

/** @returns whether the user may neither become the role of the service nor grant it to itself */
export const mayNotServe = (error: unknown): boolean =>
  sqlState(error) === sqlStates.not_allowed &&
  /to (set|grant) role|admin option on role/.test((error as Error).message);

/** Tried, not asked: since PostgreSQL 16 the maker of a role may not become it. */
async function canBecome(sql: Sql): Promise<boolean> {
  try {
    await sql.unsafe(`begin; set local role ${serviceRole}; rollback`);
    return true;
  } catch (error) {
    await sql.unsafe('rollback');
    if (sqlState(error) !== sqlStates.not_allowed) throw error;
    return false;
  }
}

/** A database's structure: what was applied to it, in order. */
export type AppliedMigration = { name: string; hash: string };

/** @returns undefined for a database that is not Folio's */
export async function appliedMigrations(sql: Sql): Promise<AppliedMigration[] | undefined> {
  const [found] = await sql`select to_regclass('public.schema_migrations') as there`;
  if (found?.there == null) return undefined;
  return sql<AppliedMigration[]>`select name, hash from schema_migrations order by name`;
}

/** @returns the name of the first that this build does not have, or has otherwise */
export function unknownMigration(applied: readonly AppliedMigration[]): string | undefined {
  const own = readMigrations();
  return applied.find(({ name, hash }, i) => own[i]?.name !== name || own[i].hash !== hash)?.name;
}

type Done = ReadonlyMap<string, string>;

async function readDone(sql: Sql): Promise<Done> {
  const rows = await sql<{ name: string; hash: string }[]>`select name, hash from schema_migrations`;
  return new Map(rows.map((row) => [row.name, row.hash]));
}

/** @throws MigrationRefused before anything is applied */
function pendingOf(done: Done): Migration[] {
  return readMigrations().filter(({ name, hash }) => {
    const known = done.get(name);
    if (known !== undefined && known !== hash)
      throw new MigrationRefused(
        `The migration ${name} was changed after it had been applied to this database: run the build that applied it, or use another database.`,
      );
    return known === undefined;
  });
}

/**
 * What `migrate` would apply. Changes nothing.
 * @throws MigrationRefused as it would
 */
export async function findPending(sql: Sql): Promise<{ name: string; text: string }[]> {
  const [found] = await sql<{ is_there: boolean }[]>`
    select to_regclass('public.schema_migrations') is not null as is_there`;
  return pendingOf(found?.is_there ? await readDone(sql) : new Map());
}

/**
 * @param sql one connection, logged in as the schema's owner
 * @param options.last the last one to apply; all when left out
 */
export async function migrate(
  sql: Sql,
  options: { role_can_login: boolean; becomes_service?: boolean; last?: string },
): Promise<string[]> {
  const applied: string[] = [];
  await sql`select pg_advisory_lock(${lockNumber})`;
  try {
    await ensureRole(sql, options);
    await sql.unsafe(`create table if not exists schema_migrations (
      name text primary key, hash text not null, applied_at timestamptz not null default now())`);
    await sql.unsafe(`grant select on schema_migrations to ${serviceRole}`);
    const { last } = options;
    const pending = pendingOf(await readDone(sql));
    for (const { name, text, hash } of pending.filter((m) => last === undefined || m.name <= last)) {
      await sql.unsafe(
        `begin;\n${text}\n;insert into schema_migrations (name, hash) values ('${name}', '${hash}');\ncommit;`,
      );
      applied.push(name);
    }
    await rebuildNameOrder(sql);
  } catch (error) {
    await sql.unsafe('rollback').catch(() => undefined);
    throw error;
  } finally {
    await sql`select pg_advisory_unlock(${lockNumber})`.catch(() => undefined);
  }
  return applied;
}

/** Indexes by name that another ICU than the one of here has ordered. */
export function staleNameIndexes(sql: Sql): Promise<{ index: string; table: string }[]> {
  return sql<{ index: string; table: string }[]>`
    select i.indexrelid::regclass::text as index, t.relname as table
      from pg_collation c
      join pg_index i on c.oid = any (i.indcollation::oid[])
      join pg_class t on t.oid = i.indrelid
     where c.collname = 'spanish_names' and c.collnamespace = 'public'::regnamespace
       and c.collversion <> pg_collation_actual_version(c.oid)
     order by t.relname`;
}

/** Another ICU may put names in another order than the one their indexes were built in. Pages would then miss rows. */
async function rebuildNameOrder(sql: Sql): Promise<void> {
  const stale = await staleNameIndexes(sql);
  if (stale.length === 0) return;
  const rebuilt = stale.map(({ index }) => `reindex index ${index};`).join('\n');
  await sql.unsafe(`begin;\n${rebuilt}\nalter collation spanish_names refresh version;\ncommit;`);
}

export async function isMigrated(sql: Sql): Promise<boolean> {
  const rows = await sql<{ name: string }[]>`select name from schema_migrations`;
  const names = new Set(rows.map((r) => r.name));
  return readMigrations().every((m) => names.has(m.name));
}
