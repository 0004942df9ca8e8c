/** Purchases through the public API: created, received, paid. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../test/harness.ts';

const path = '/v1/purchase_invoices';

test('given a supplier, when its invoice is registered, then it is received with a number, and read and listed as created', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const supplier = (await app.post('/v1/suppliers', { key, body: { name: 'Papelera', tax_id: 'B00000018' } }))
    .body.data;
  const made = await app.post(path, {
    key,
    body: {
      supplier_id: supplier.id,
      number: 'A-2026/881',
      issued_on: '2026-01-02',
      received_on: '2026-01-02',
      lines: [{ description: 'Papel', quantity: 10, unit_price: 10, tax_rate: 21 }],
      expected_total: 121,
    },
  });
  assert.equal(made.status, 201, made.text);
  const { data } = made.body;
  assert.equal(data.reception_number, 'C2026-000001');
  assert.equal(data.status, 'received');
  assert.equal(data.deductible_total, 21);
  const got = await app.get(`${path}/${data.id}`, { key });
  assert.deepEqual(got.body.data, data);
  const listed = await app.get(path, { key });
  assert.deepEqual(listed.body.data, [data]);
});
