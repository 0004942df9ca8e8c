/**
 * Updates and deletes; rows.ts inserts. Foreign keys say what may not be deleted, so a new document needs no list
 * here.
 */
import type { Tx } from '../kernel/operation.ts';
import { sqlStates } from '../kernel/sql-states.ts';
import { sqlState } from './db.ts';
import type { Columns } from './rows.ts';

const statements = new WeakMap<Columns, string>();

function updateText(table: string, columns: Columns): string {
  let text = statements.get(columns);
  if (text === undefined) {
    const names = Object.keys(columns);
    text =
      `update ${table} t set ${names.map((n) => `${n} = x.${n}`).join(', ')} ` +
      `from json_to_record($3::text::json) as x(${names.map((n) => `${n} ${columns[n]}`).join(', ')}) ` +
      'where t.company_id = $1 and t.id = $2';
    statements.set(columns, text);
  }
  return text;
}

/** The caller has locked the row. A column absent from `row` becomes null. */
export async function updateRow(
  tx: Tx,
  company_id: string,
  table: string,
  columns: Columns,
  id: string,
  row: object,
): Promise<void> {
  await tx
    .unsafe(updateText(table, columns), [company_id, id, JSON.stringify(row)], { prepare: true })
    .execute();
}

/** @returns false, with the row unchanged, when a foreign key refers to it */
export async function removeRow(tx: Tx, company_id: string, table: string, id: string): Promise<boolean> {
  await tx.unsafe('savepoint before_removal');
  try {
    await tx`delete from ${tx(table)} where company_id = ${company_id} and id = ${id}`;
    return true;
  } catch (error) {
    if (sqlState(error) !== sqlStates.foreign_key_violation) throw error;
    await tx.unsafe('rollback to savepoint before_removal');
    return false;
  }
}
