import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onOwnDatabase } from '../../../test/harness.ts';
import { countRowsRead } from '../../../test/support/rows-read.ts';
import { listNumbered, type NumberedRow } from './integrity.store.ts';

/** What is known of a table decides which plan PostgreSQL takes. */
const startApp = onOwnDatabase();

test('given thousands of invoices of one series, when their numbers are walked through, then a page reads its own rows alone', async (t) => {
  const app = await startApp(t);
  const { live_key: key, company_id } = await app.given.company();
  const body = {
    type: 'F2',
    lines: [{ description: 'x', unit_price: 1, tax_rate: 21 }],
    options: { issue: true },
  };
  const made = await app.post('/v1/invoices', { key, body });
  assert.equal(made.status, 201, made.text);
  const columns = await app.sql<{ name: string }[]>`
    select quote_ident(column_name) as name from information_schema.columns
     where table_name = 'invoices' and is_generated = 'NEVER' and column_name not in ('id', 'number', 'series_number')`;
  const others = columns.map(({ name }) => name).join(', ');
  await app.sql.unsafe(`
    insert into invoices (id, number, series_number, ${others})
    select gen_random_uuid(), 'X-' || n, 10 + n, ${others} from invoices, generate_series(1, 3000) n`);
  await app.sql`analyze invoices`;
  const size = 100;
  const pageAfter = (after: NumberedRow | null) =>
    countRowsRead<NumberedRow[]>(app, company_id, 'invoices', async (tx) => [
      ...(await listNumbered(tx, company_id, after, size)),
    ]);
  let walked = 0;
  let after: NumberedRow | null = null;
  do {
    const { found, read }: { found: NumberedRow[]; read: number } = await pageAfter(after);
    // Where the page before ended, and whether there is more.
    assert.ok(read <= size + 2, `${read} rows after ${walked}`);
    walked += found.length;
    after = found.at(-1) ?? null;
  } while (after !== null && walked % size === 0);
  assert.equal(walked, 3001);
});
