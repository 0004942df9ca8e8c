import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../harness.ts';
import { yearAt } from '../support/this-year.ts';

test('given a new company, when it issues an invoice, then that has a number and its events are in the log', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const address = { line1: 'Calle Mayor, 1', postal_code: '28013', city: 'Madrid', country: 'ES' };
  const put = await app.put('/v1/account/company', { key, body: { address } });
  assert.equal(put.status, 200);

  const client = await app.post('/v1/clients', {
    key,
    body: { name: 'Librería Norte SL', tax_id: 'B12345674', address },
  });
  assert.equal(client.status, 201);

  const draft = await app.post('/v1/invoices', {
    key,
    body: {
      client_id: client.body.data.id,
      lines: [
        { description: 'Consultoría', quantity: 3, unit_price: 80, tax_rate: 21 },
        { description: 'Manual impreso', quantity: 2, unit_price: 15.5, tax_rate: 4 },
        { description: 'Desplazamiento', unit_price: 24.9, discount_percent: 10, tax_rate: 21 },
      ],
    },
  });
  assert.equal(draft.status, 201);
  assert.equal(draft.body.data.status, 'draft');
  assert.equal(draft.body.data.number, null);

  const { id } = draft.body.data;
  const issued = await app.post(`/v1/invoices/${id}/issue`, { key });
  assert.equal(issued.status, 200);
  assert.equal(issued.body.data.number, `F${yearAt(app.clock.now())}-000001`);

  const read = await app.get(`/v1/invoices/${id}`, { key });
  assert.deepEqual(read.body, issued.body);
  assert.equal(read.body.data.status, 'issued');
  assert.equal(read.body.data.client.tax_id, 'B12345674');
  // 240.00 + 31.00 + 22.41; VAT 21 % of 262.41 and 4 % of 31.00
  assert.equal(read.body.data.subtotal, 293.41);
  assert.equal(read.body.data.taxes_total, 56.35);
  assert.equal(read.body.data.total, 349.76);

  assert.deepEqual(await app.eventTypes(acme, id), ['invoice.created', 'invoice.number_assigned']);
  const events = await app.get('/v1/events', { key, query: { aggregate_id: id } });
  assert.deepEqual(
    events.body.data.map((e: { type: string; sequence: number }) => [e.type, e.sequence]),
    [
      ['invoice.number_assigned', 2],
      ['invoice.created', 1],
    ],
  );
});
