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

/** How many pieces of long values of a table a read took from where PostgreSQL keeps them apart. */
export function countPiecesRead(
  { db }: { db: Pick<Database, 'read'> },
  company_id: string,
  table: string,
  work: (tx: Tx) => Promise<unknown>,
): Promise<number> {
  return db.read(company_id, async (tx) => {
    const piecesOf = async () => {
      const [row] = await tx<{ pieces: number }[]>`
        select coalesce(s.idx_tup_fetch, 0)::int as pieces from pg_stat_xact_all_tables s
         where s.relid = (select c.reltoastrelid from pg_class c where c.relname = ${table})`;
      return row!.pieces;
    };
    const before = await piecesOf();
    await work(tx);
    return (await piecesOf()) - before;
  });
}
