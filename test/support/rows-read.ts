import type { Tx } from '../../src/kernel/operation.ts';
import type { Database } from '../../src/platform/db.ts';

/** By this transaction so far. */
export async function rowsReadOf(tx: Tx, table: string): Promise<number> {
  const [row] = await tx<{ rows: number }[]>`
    select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables
     where relname = ${table}`;
  return row!.rows;
}

/** How many rows of a table a read took from disk or index, whatever it found. */
export function countRowsRead<T>(
  { db }: { db: Pick<Database, 'read'> },
  company_id: string,
  table: string,
  work: (tx: Tx) => Promise<T>,
): Promise<{ found: T; read: number }> {
  return db.read(company_id, async (tx) => {
    const before = await rowsReadOf(tx, table);
    const found = await work(tx);
    return { found, read: (await rowsReadOf(tx, table)) - before };
  });
}
