/** What a page costs the database beyond its rows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../test/harness.ts';
import type { PageRequest } from '../kernel/page.ts';
import { readPageRows } from './page-rows.ts';

test('given lists with ever new filters, when they are read, then a connection keeps a bounded number of statements', async (t) => {
  const app = await startApp(t);
  const { company_id } = await app.given.company();
  const page: PageRequest = { limit: 5, order: { field: 'created', descending: true }, cursor: null };
  const kept = await app.db.read(company_id, async (tx) => {
    for (let filters = 0; filters < 600; filters++) {
      const where = tx`and t.name <> ${'x'} ${tx.unsafe(`and ${filters} = ${filters}`)}`;
      const rows = await readPageRows<{ role: string }>(tx, company_id, page, { table: 'contacts', where });
      assert.deepEqual(rows, []);
    }
    const [row] = await tx<{ count: number }[]>`
      select count(*)::int from pg_prepared_statements where statement like '%from "contacts" t%'`;
    return row!.count;
  });
  assert.ok(kept > 0, 'what is asked for again and again is prepared');
  assert.ok(kept <= 300, `${kept} statements are kept`);
});
