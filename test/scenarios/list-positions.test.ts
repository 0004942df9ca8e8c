/**
 * Every order of the long lists finds its cursor's position in an index (ADR 16). Row-level security limits the planner
 * to leakproof comparisons. With any other it reads all earlier rows.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sharedSorts } from '../../src/modules/sales/documents.list.ts';
import { inSpanishOrder } from '../../src/platform/page-rows.ts';
import { startApp } from '../harness.ts';

const id = '00000000-0000-7000-8000-000000000000';

const orders = [
  { table: 'invoices', where: '', sort: sharedSorts.total, at: '12100' },
  { table: 'invoices', where: '', sort: sharedSorts.number, at: `'F2026-000001'` },
  {
    table: 'contacts',
    where: 'and t.client_state is not null',
    sort: inSpanishOrder('t.name_key'),
    at: `'acme'`,
  },
  {
    table: 'contacts',
    where: 'and t.supplier_state is not null',
    sort: inSpanishOrder('t.name_key'),
    at: `'acme'`,
  },
  { table: 'products', where: '', sort: inSpanishOrder('t.name_key'), at: `'acme'` },
  { table: 'price_lists', where: '', sort: inSpanishOrder('t.name_key'), at: `'acme'` },
];

test('given a cursor, when a page is read in any order, then the index goes straight to its position', async (t) => {
  const app = await startApp(t);
  const { company_id } = await app.given.company();
  for (const { table, where, sort, at } of orders) {
    const plan = await app.db.read(company_id, async (tx) => {
      // The planner would choose no index for almost empty tables. The test asks what an index could do.
      await tx.unsafe(
        'set local enable_seqscan = off; set local enable_sort = off; set local enable_bitmapscan = off',
      );
      const rows = await tx.unsafe<Record<string, string>[]>(
        `explain select t.id from ${table} t where t.company_id = '${company_id}' ${where} and (${sort}, t.id) > (${at}, '${id}')
          order by ${sort}, t.id limit 21`,
      );
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    });
    assert.match(plan, /Index Cond: .*ROW\(/, `${table} by ${sort}:\n${plan}`);
  }
});
