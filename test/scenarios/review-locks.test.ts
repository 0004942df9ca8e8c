/** Locks: what happens to requests that meet on the same rows. Each would be a deadlock or a fault of ours without care. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { startApp } from '../harness.ts';
import { holdLock, waitersOf } from '../support/held-lock.ts';

test('given edits of the company that meet, each with an idempotency key, when they run, then all are carried out', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const answers = await Promise.all(
    Array.from({ length: 8 }, (_, i) =>
      app.put('/v1/account/company', { key, headers: { 'Idempotency-Key': randomUUID() }, body: { phone: `+34 91 000 000${i}` } }),
    ),
  );
  assert.deepEqual(answers.map((answer) => answer.status), Array(8).fill(200));
});

test('given a client that is deleted while its invoice is about to be stored, when it is gone, then the invoice is refused', async (t) => {
  const app = await startApp(t);
  const company = await app.given.company();
  const key = company.live_key;
  const client = await app.post('/v1/clients', { key, body: { name: 'Suministros del Norte SL' } });
  const client_id: string = client.body.data.id;
  const held = await holdLock(app, (sql) => sql`delete from contacts where company_id = ${company.company_id} and id = ${client_id}`);
  t.after(() => held.release());
  const creation = app.post('/v1/invoices', { key, body: { client_id, lines: [{ description: 'Uno', unit_price: 10, tax_rate: 21 }] } });
  while ((await waitersOf(app)) === 0) await setImmediate();
  await held.release('commit');
  const answer = await creation;
  assert.deepEqual([answer.status, answer.body.error.code, answer.body.error.param], [422, 'parameter_invalid', 'client_id']);
});

test('given a client that is deleted while a draft is given it, when it is gone, then the edit is refused', async (t) => {
  const app = await startApp(t);
  const company = await app.given.company();
  const key = company.live_key;
  const client = await app.post('/v1/clients', { key, body: { name: 'Suministros del Norte SL' } });
  const client_id: string = client.body.data.id;
  const draft = await app.post('/v1/invoices', { key, body: { lines: [{ description: 'Uno', unit_price: 10, tax_rate: 21 }] } });
  const held = await holdLock(app, (sql) => sql`delete from contacts where company_id = ${company.company_id} and id = ${client_id}`);
  t.after(() => held.release());
  const edit = app.put(`/v1/invoices/${draft.body.data.id}`, { key, body: { client_id } });
  while ((await waitersOf(app)) === 0) await setImmediate();
  await held.release('commit');
  const answer = await edit;
  assert.deepEqual([answer.status, answer.body.error.code, answer.body.error.param], [422, 'parameter_invalid', 'client_id']);
});
