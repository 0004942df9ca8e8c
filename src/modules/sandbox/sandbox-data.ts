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
    const { deleted, ids } = await deleteSome(tx, company_id, table, limit);
    if (table.has_files) scan_ids = ids;
    left -= deleted;
    if (deleted === limit) return { is_empty: false, scan_ids };
  }
  return { is_empty: true, scan_ids };
}

async function deleteSome(
  tx: Tx,
  company_id: string,
  { name, has_files = false }: SandboxTable,
  limit: number,
): Promise<{ deleted: number; ids: readonly string[] }> {
  const id = has_files ? tx`t.id` : tx`null::uuid`;
  const [row] = await tx<{ found: number; deleted: number; ids: string[] }[]>`
    with found as materialized (select t.ctid as place from ${tx(name)} t where t.company_id = ${company_id} limit ${limit}),
         gone as (delete from ${tx(name)} t where t.company_id = ${company_id}
                   and t.ctid = any(array(select found.place from found)) returning ${id} as id)
    select (select count(*)::integer from found) as found, (select count(*)::integer from gone) as deleted,
           array(select gone.id from gone where gone.id is not null) as ids`;
  const { found = 0, deleted = 0, ids = [] } = row ?? {};
  if (deleted < found) throw new Error(`${name} holds rows that the service may not delete.`);
  return { deleted, ids };
}
