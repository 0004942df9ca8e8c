/** What a claim and its release read of the table of all due work. Who wins is told in worker.test.ts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sql } from 'postgres';
import { onOwnDatabase } from '../../test/harness.ts';
import { rowsReadOf } from '../../test/support/rows-read.ts';
import type { Tx } from '../kernel/operation.ts';
import { newId } from '../kernel/uuid7.ts';
import type { DueRow } from './due-work.ts';
import { readRevisions, releaseLeases, renewLeases, winDue } from './leases.ts';

const startApp = onOwnDatabase();

test('given thousands of due jobs, when some are claimed, renewed and released, then few rows are read', async (t) => {
  const app = await startApp(t);
  const now = new Date();
  await app.sql`
    insert into due_work (company_id, id, kind, due_at)
    select gen_random_uuid(), gen_random_uuid(), 'job:test', ${now} from generate_series(1, 3000)`;
  const due = await app.sql<DueRow[]>`select company_id, id, kind from due_work limit 3`;
  const lease = { id: newId(), now, until: new Date(now.getTime() + 60_000) };
  await app.sql.begin(async (tx) => {
    const sql = tx as unknown as Sql & Tx;
    const held = await winDue(sql, due, lease);
    assert.equal(held.length, 3);
    assert.equal((await renewLeases(sql, held, lease.until)).size, 3);
    assert.equal((await readRevisions(sql, held)).size, 3);
    assert.equal((await releaseLeases(sql, held)).size, 3);
    const read = await rowsReadOf(sql, 'due_work');
    assert.ok(read <= 50, `${read} rows`);
  });
});
