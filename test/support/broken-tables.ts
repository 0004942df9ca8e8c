/** Breaks each step of a call by triggers that raise, and shows what the call left behind. */
import type { Sql } from 'postgres';
import type { App } from '../harness.ts';

export type Breakage = {
  when?: 'write' | 'commit';
  /** SQLSTATE; by default a plain raised exception (P0001). */
  code?: string;
  /** By default it always fails. */
  times?: number;
  /** A condition on `new` that chooses rows; by default all of the company. */
  only?: string;
};

let count = 0;

/** @returns the function that mends the table */
export async function breakTable(
  app: App,
  table: string,
  company_id: string,
  { when = 'write', code = 'P0001', times, only = 'true' }: Breakage = {},
): Promise<() => Promise<void>> {
  count += 1;
  const name = `broken_${count}`;
  // A rollback does not undo a sequence, so it counts the failures.
  const limit = times === undefined ? 'true' : `nextval('${name}_seq') <= ${times}`;
  const timing =
    when === 'write'
      ? `create trigger ${name} before insert or update on ${table}`
      : `create constraint trigger ${name} after insert or update on ${table} deferrable initially deferred`;
  await app.sql.unsafe(`
    create sequence ${name}_seq;
    grant usage on sequence ${name}_seq to folio_service;
    create function ${name}() returns trigger language plpgsql as $$ begin
      if ${limit} then raise exception 'broken on purpose' using errcode = '${code}'; end if;
      return new;
    end $$;
    ${timing} for each row when (new.company_id = '${company_id}' and (${only})) execute function ${name}();`);
  return async () => {
    await app.sql.unsafe(
      `drop trigger ${name} on ${table}; drop function ${name}(); drop sequence ${name}_seq`,
    );
  };
}

/** Written beside the call, even when it fails. */
const written_aside = new Set(['request_logs', 'audit_log', 'api_keys', 'rate_windows', 'schema_migrations']);

export async function tablesOfCalls(sql: Sql): Promise<string[]> {
  const tables = await sql<{ name: string }[]>`
    select c.relname as name from pg_class c
     where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and not c.relispartition
       and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'company_id')
     order by 1`;
  return tables.map((t) => t.name).filter((name) => !written_aside.has(name));
}

/** By database: looking them up takes time. */
const tables_known = new WeakMap<Sql, Promise<string[]>>();

/** By table, the number of the companies' rows and their digest. */
export async function stateOf(sql: Sql, company_ids: readonly string[]): Promise<Record<string, string>> {
  const tables = tables_known.get(sql) ?? tablesOfCalls(sql);
  tables_known.set(sql, tables);
  // A parameter each: of a list PostgreSQL supposes ten, so it would keep no plan. Planning takes half of the time.
  const ids = company_ids.map((_, i) => `$${i + 1}`).join();
  const parts = (await tables).map(
    (name) =>
      `select '${name}' as name, count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text)), '') as state
         from ${name} t where company_id in (${ids})`,
  );
  const rows = await sql.unsafe<{ name: string; state: string }[]>(
    parts.join(' union all '),
    [...company_ids],
    { prepare: true },
  );
  return Object.fromEntries(rows.map((r) => [r.name, r.state]));
}
