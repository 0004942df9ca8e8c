/** The floor of a backup: COPY of every table in one snapshot, by the same driver, each to a file as it comes. */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import postgres from 'postgres';

const folder = process.argv[2]!;
const sql = postgres({ ...(JSON.parse(process.env.BENCH_TARGET ?? '{}') as object), max: 1 });

await sql.begin('isolation level repeatable read read only', async (tx) => {
  const tables = await tx<{ name: string }[]>`
    select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`;
  for (const { name } of tables) {
    const rows = await tx.unsafe(`copy public."${name}" to stdout`).readable();
    // As in src/platform/table-copies.ts: without it the driver may read no further.
    rows.once('end', () => rows._read(0));
    await pipeline(rows, createWriteStream(join(folder, `${name}.copy`)));
  }
});
await sql.end();
