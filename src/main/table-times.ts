/** Measures how long this server takes to read a table through or to write it anew, with a small table that is rolled back. */
import { randomUUID } from 'node:crypto';
import type { Sql } from 'postgres';
import { guardedTransaction } from '../platform/guarded-transaction.ts';
import type { TableLock } from '../platform/migration-locks.ts';

/** Some ten megabytes, so the cost of a call hardly counts. */
const sampleRows = 100_000;

/** Seconds for each byte. */
export type TableSpeed = Readonly<Record<TableLock['work'], number>>;

class Measured extends Error {}

/** It changes nothing: the rows are of a transaction that is rolled back. */
export async function measureTables(sql: Sql): Promise<TableSpeed> {
  const name = `folio_speed_${randomUUID().replaceAll('-', '')}`;
  let speed: TableSpeed | undefined;
  const measuring = guardedTransaction(sql, '', async (tx) => {
    const secondsOf = async (text: string) => {
      const began = performance.now();
      await tx.unsafe(text);
      return (performance.now() - began) / 1000;
    };
    await tx.unsafe(
      `create table ${name} as select gen_random_uuid() as id, repeat('x', 60) as text from generate_series(1, ${sampleRows}) n`,
    );
    const [{ bytes } = { bytes: 1 }] = await tx<{ bytes: number }[]>`
      select pg_relation_size(${name}::regclass)::float8 as bytes`;
    // An index needs all rows read and sorted.
    const indexed = await secondsOf(`create index on ${name} (id)`);
    const copied = await secondsOf(`create table ${name}_copy as table ${name}`);
    const written = (copied + indexed) / bytes;
    speed = { none: 0, rows: written, read: indexed / bytes, rewritten: written };
    throw new Measured();
  });
  await measuring.catch((error: unknown) => {
    if (!(error instanceof Measured)) throw error;
  });
  return speed!;
}
