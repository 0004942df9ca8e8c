/** Deletes what the modules say that a sandbox is emptied of. */
import type { Tx } from '../../kernel/operation.ts';
import type { SandboxTable } from './ports.ts';

/** @param rows_max in this transaction, lines not counted */
export async function emptyTables(
  tx: Tx,
  company_id: string,
  tables: readonly SandboxTable[],
  rows_max: number,
): Promise<{ is_empty: boolean; scan_ids: readonly string[] }> {
  let left = rows_max;
  let scan_ids: readonly string[] = [];
  for (const table of tables) {
    const limit = Math.min(left, table.at_once ?? left);
    const { found, ids } = await deleteFound(tx, company_id, table, limit);
    if (table.has_files) scan_ids = ids;
    left -= found;
    if (found === limit) return { is_empty: false, scan_ids };
  }
  return { is_empty: true, scan_ids };
}

/** Others may write the same row again and again; this many times is no chance. */
const looksMax = 5;

/**
 * A row that another transaction writes at that moment has another place when it is committed, or none. So whoever waited
 * for it looks again: the next statement sees what was committed.
 */
async function deleteFound(
  tx: Tx,
  company_id: string,
  table: SandboxTable,
  limit: number,
): Promise<{ found: number; ids: readonly string[] }> {
  const ids: string[] = [];
  let most = 0;
  for (let look = 1; ; look++) {
    const some = await deleteSome(tx, company_id, table, limit);
    ids.push(...some.ids);
    most = Math.max(most, some.found);
    if (some.deleted === some.found) return { found: most, ids };
    if (look === looksMax) throw new Error(`${table.name} holds rows that the service may not delete.`);
  }
}

async function deleteSome(
  tx: Tx,
  company_id: string,
  { name, has_files = false }: SandboxTable,
  limit: number,
): Promise<{ found: number; deleted: number; ids: readonly string[] }> {
  const id = has_files ? tx`t.id` : tx`null::uuid`;
  const [row] = await tx<{ found: number; deleted: number; ids: string[] }[]>`
    with found as materialized (select t.ctid as place from ${tx(name)} t where t.company_id = ${company_id} limit ${limit}),
         gone as (delete from ${tx(name)} t where t.company_id = ${company_id}
                   and t.ctid = any(array(select found.place from found)) returning ${id} as id)
    select (select count(*)::integer from found) as found, (select count(*)::integer from gone) as deleted,
           array(select gone.id from gone where gone.id is not null) as ids`;
  const { found = 0, deleted = 0, ids = [] } = row ?? {};
  return { found, deleted, ids };
}
