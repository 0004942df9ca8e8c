/** Requests meet on the same rows. Without ordered locks each would be a deadlock or a 500. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { startApp } from '../harness.ts';
import { holdLock, waitersOf } from '../support/held-lock.ts';
import { until } from '../support/worker-place.ts';

test('given edits of the company that meet, each with an idempotency key, when they run, then all are carried out', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      app.put('/v1/account/company', {
        key,
        headers: { 'Idempotency-Key': randomUUID() },
        body: { phone: `+34 91 000 000${i}` },
      }),
    ),
  );
  assert.deepEqual(
    answers.map((answer) => answer.status),
    Array(8).fill(200),
  );
});

test('given invoices due in another order than they were made, when they become overdue, then they are locked by id', async (t) => {
  const app = await startApp(t);
  app.clock.set('2026-05-20T10:00:00Z');
  const { live_key: key, company_id } = await app.given.company();
  const ids: string[] = [];
  for (const due_on of ['2026-05-24', '2026-05-22']) {
    const lines = [{ description: 'Mesa', unit_price: 10, tax_rate: 21 }];
    const made = await app.post('/v1/invoices', {
      key,
      body: { type: 'F2', due_on, lines, options: { issue: true } },
    });
    ids.push(made.body.data.id);
  }
  const [first = '', second = ''] = ids;
  app.clock.set('2026-05-26T01:00:00Z');
  const held = await holdLock(
    t,
    app,
    (sql) => sql`select from invoices where company_id = ${company_id} and id = ${first} for update`,
  );
  const run = app.service.worker.runDue(company_id);
  await until(async () => (await waitersOf(app)) > 0);
  const free = await app.sql`
    select id from invoices where company_id = ${company_id} and id = ${second} for update skip locked`;
  assert.equal(free.length, 1, 'the second is not locked before the first');
  await held.release();
  await run;
  const { body } = await app.get('/v1/invoices', { key });
  assert.deepEqual(
    body.data.map((invoice: { status: string }) => invoice.status),
    ['overdue', 'overdue'],
  );
});

test('given a client that is deleted while a draft is given it, when it is gone, then the edit is refused', async (t) => {
  const app = await startApp(t);
  const { live_key: key, company_id } = await app.given.company();
  const client = await app.post('/v1/clients', { key, body: { name: 'Suministros del Norte SL' } });
  const client_id: string = client.body.data.id;
  const lines = [{ description: 'Uno', unit_price: 10, tax_rate: 21 }];
  const draft = await app.post('/v1/invoices', { key, body: { lines } });
  const held = await holdLock(
    t,
    app,
    (sql) => sql`delete from contacts where company_id = ${company_id} and id = ${client_id}`,
  );
  const edit = app.put(`/v1/invoices/${draft.body.data.id}`, { key, body: { client_id } });
  await until(async () => (await waitersOf(app)) > 0);
  await held.release('commit');
  const answer = await edit;
  assert.deepEqual(
    [answer.status, answer.body.error?.code, answer.body.error?.param],
    [422, 'parameter_invalid', 'client_id'],
  );
});
