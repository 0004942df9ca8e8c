/** Copies a stored row many times in SQL, and makes jobs due. The rows are right by construction: triggers and keys are skipped. */
import type { Sql, TransactionSql } from 'postgres';
import { dueKind } from '../src/platform/jobs.ts';

type Run = Sql | TransactionSql;

async function ownColumns(sql: Run, table: string): Promise<string[]> {
  const rows = await sql<{ name: string }[]>`
    select quote_ident(column_name) as name from information_schema.columns
     where table_name = ${table} and is_generated = 'NEVER' order by ordinal_position`;
  return rows.map(({ name }) => name);
}

/**
 * @param model SQL: which rows of the table are copied
 * @param of SQL: the rows `x`, one for each copy
 * @param changes SQL: a jsonb object of what differs
 */
export async function copyRows(
  sql: Run,
  table: string,
  { model, of, changes }: { model: string; of: string; changes: string },
): Promise<void> {
  const columns = await ownColumns(sql, table);
  await sql.unsafe(`
    insert into ${table} (${columns.join(', ')})
    select ${columns.map((name) => `r.${name}`).join(', ')}
      from (select to_jsonb(t) as row from ${table} t where ${model}) m, (${of}) x,
           jsonb_populate_record(null::${table}, m.row || ${changes}) r`);
}

/** @param of SQL: rows with company_id and id of the job. @param at SQL: when it is due */
export async function addJobs(
  sql: Run,
  { kind, of, at, schedule = 'null' }: { kind: string; of: string; at: string; schedule?: string },
): Promise<void> {
  await sql.unsafe(`
    insert into jobs (company_id, id, kind, payload, clock, run_at, schedule, status)
    select x.company_id, x.id, '${kind}', '{}', 'company', ${at}, ${schedule}, 'queued' from (${of}) x`);
  await sql.unsafe(`
    insert into due_work (company_id, id, kind, due_at)
    select x.company_id, x.id, '${dueKind(kind)}', ${at} from (${of}) x`);
}

/** In one transaction, which wakes the service's worker. @returns milliseconds on the clock of `performance`, before the commit */
export async function makeDue(owner: Sql, write: (sql: TransactionSql) => Promise<void>): Promise<number> {
  let started = 0;
  await owner.begin(async (sql) => {
    await sql.unsafe('set local session_replication_role = replica');
    await write(sql);
    await sql.unsafe("notify folio_due, 'bench'");
    started = performance.now();
  });
  return started;
}
