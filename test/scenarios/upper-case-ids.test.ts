/** An id in upper case is the same id (RFC 9562, section 4). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../harness.ts';

const upper = (id: string) => id.toUpperCase();

test('given ids in upper case, when they are sent in bodies, paths and queries, then they are the ids they are', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const make = async (path: string, body: object) => {
    const answer = await app.post(path, { key, body });
    assert.equal(answer.status, 201, answer.text);
    return answer.body.data;
  };
  const tax = await make('/v1/taxes', { name: 'IVA reducido', kind: 'vat', rate: 10 });
  const product = await make('/v1/products', { name: 'Mesa', unit_price: 10, taxes_id: upper(tax.id) });
  const client = await make('/v1/clients', { name: 'Norte SL', default_taxes_id: upper(tax.id) });
  const series = await make('/v1/series', { code: 'T', document_type: 'invoice' });
  const invoice = await make('/v1/invoices', {
    client_id: upper(client.id),
    series_id: upper(series.id),
    lines: [
      { product_id: upper(product.id) },
      { description: 'Uno', unit_price: 1, taxes_id: upper(tax.id) },
    ],
  });
  assert.deepEqual([invoice.client.id, invoice.series.id, invoice.total], [client.id, series.id, 12.1]);
  assert.deepEqual([invoice.lines[0].product.id, invoice.lines[1].taxes_id], [product.id, tax.id]);

  const path = `/v1/invoices/${upper(invoice.id)}`;
  const lines = invoice.lines.map((line: { id: string }) => ({ ...line, id: upper(line.id) }));
  assert.deepEqual((await app.put(path, { key, body: { lines } })).body.data, invoice);
  assert.equal((await app.post(`${path}/issue`, { key })).status, 200);
  const payment = await make(`${path}/payments`, { amount: 12.1, payment_method: 'cash' });
  assert.equal(payment.invoice_id, invoice.id);
  const reversal = { key, body: { reason: 'recording_error' } };
  assert.equal((await app.post(`${path}/payments/${upper(payment.id)}/reversal`, reversal)).status, 200);
  const listed = await app.get('/v1/invoices', { key, query: { client_id: upper(client.id) } });
  assert.deepEqual(
    listed.body.data.map((one: { id: string }) => one.id),
    [invoice.id],
  );
});
