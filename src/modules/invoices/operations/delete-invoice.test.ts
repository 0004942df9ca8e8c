import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';

const body = { type: 'F2', lines: [{ description: 'Trabajo', unit_price: 100, tax_rate: 21 }] };

test('given a draft, when deleted, then it is gone and the event stays', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { id } = (await app.post('/v1/invoices', { key: acme.live_key, body })).body.data;
  const res = await app.delete(`/v1/invoices/${id}`, { key: acme.live_key });
  assert.deepEqual([res.status, res.body], [200, { data: { id, object: 'invoice', deleted: true } }]);
  assert.equal((await app.get(`/v1/invoices/${id}`, { key: acme.live_key })).status, 404);
  assert.deepEqual(await app.eventTypes(acme, id), ['invoice.created', 'invoice.deleted']);
});

test('given an issued invoice, when deleted, then 409 and it stays', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const { id } = (await app.post('/v1/invoices', { key, body: { ...body, options: { issue: true } } })).body
    .data;
  const res = await app.delete(`/v1/invoices/${id}`, { key });
  assert.deepEqual([res.status, res.body.error.code], [409, 'invalid_status_transition']);
  assert.equal((await app.get(`/v1/invoices/${id}`, { key })).status, 200);
});
