import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Sql } from 'postgres';
import { startApp } from '../../test/harness.ts';
import { copyOut } from './table-copies.ts';

/** The stream holds so many before the connection is told to wait. */
const heldBytes = 65_536;
const rowBytes = 1024;

test('given a reader who is slower than the server, when a table is copied whole, then the connection goes on with the next statement', {
  timeout: 60_000,
}, async (t) => {
  const app = await startApp(t);
  await app.sql.begin(async (begun) => {
    const sql = begun as unknown as Sql;
    await sql.unsafe('create table copied_rows (text text)');
    // The last rows come in one piece with the end of the copy, or not: that depends on how many there are.
    for (let rows = heldBytes / rowBytes - 8; rows <= heldBytes / rowBytes + 40; rows++) {
      await sql.unsafe('truncate copied_rows');
      await sql`insert into copied_rows select repeat('x', ${rowBytes - 1}::int) from generate_series(1, ${rows}::int)`;
      const copy = await copyOut(sql, { name: 'copied_rows', columns: ['text'] });
      await sleep(20);
      let bytes = 0;
      for await (const part of copy) bytes += (part as Buffer).length;
      assert.equal(bytes, rows * rowBytes);
    }
    await sql.unsafe('drop table copied_rows');
  });
});
