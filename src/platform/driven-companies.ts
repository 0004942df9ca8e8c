/**
 * While one process does a company's due work in due order, as after a move of its clock, the loops of all others leave the company
 * alone. A row of due_work says so, under an id of no job: it is never due, and its lease runs out after a process that died.
 */
import type { Sql } from 'postgres';
import type { Tx } from '../kernel/operation.ts';
import { neverDue } from './leases.ts';

const kind = 'driven';
const id = '00000000-0000-0000-0000-000000000000';
const drivenMs = 60_000;
/** Then the one who drives says so again. */
export const driveAgainMs = drivenMs / 3;

/** @param lease_id of the one who drives: the last one counts */
export function markDriven(sql: Sql | Tx, company_id: string, lease_id: string, now: Date) {
  return sql`
    insert into due_work (company_id, id, kind, due_at, lease_id, lease_until)
    values (${company_id}, ${id}, ${kind}, ${neverDue}, ${lease_id}, ${new Date(now.getTime() + drivenMs)})
        on conflict (company_id, id) do update set lease_id = excluded.lease_id, lease_until = excluded.lease_until`;
}

export function endDriven(sql: Sql, company_id: string, lease_id: string) {
  return sql`delete from due_work where company_id = ${company_id} and id = ${id} and lease_id = ${lease_id}`;
}

/** Asked after candidates were found: the mark is committed with what made them due. */
export async function findDriven(sql: Sql, company_ids: readonly string[], now: Date): Promise<string[]> {
  if (company_ids.length === 0) return [];
  const rows = await sql<{ company_id: string }[]>`
    select d.company_id from due_work d
     where d.company_id in (
       select x.v::uuid from json_array_elements_text(${JSON.stringify(company_ids)}::text::json) as x(v)
        limit ${sql.unsafe(String(company_ids.length))})
       and d.id = ${id} and d.lease_until > ${now}`;
  return rows.map(({ company_id }) => company_id);
}
