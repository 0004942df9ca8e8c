/** Pages without documents, whose connection may be lost. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { onOwnDatabase } from '../../../test/harness.ts';
import { holdLock, waitersOf } from '../../../test/support/held-lock.ts';
import { until } from '../../../test/support/worker-place.ts';

/** The test locks tables. */
const startApp = onOwnDatabase();

const lists = [
  ['/v1/invoices', 'invoice_lines'],
  ['/v1/quotes', 'quote_lines'],
  ['/v1/purchase_invoices', 'purchase_invoice_lines'],
  ['/v1/recurring_invoices', 'recurring_invoice_lines'],
] as const;

test('given lists without documents, when lines cannot be read and whoever waits for them loses the connection, then the lists are answered, and nothing fails unheard', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const unheard: unknown[] = [];
  const note = (error: unknown) => void unheard.push(error);
  process.on('unhandledRejection', note);
  t.after(() => process.off('unhandledRejection', note));
  for (const [path, lines] of lists) {
    const held = await holdLock(t, app, (sql) => sql`lock table ${sql(lines)} in access exclusive mode`);
    let is_answered = false;
    const listing = app.get(path, { key }).finally(() => {
      is_answered = true;
    });
    await until(async () => is_answered || (await waitersOf(app)) > 0);
    await app.sql`
      select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and usename = 'folio_service' and wait_event_type = 'Lock'`;
    const answer = await listing;
    await held.release();
    await turn();
    assert.deepEqual(unheard, [], path);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body, { data: [], has_more: false, next_cursor: null });
  }
});
