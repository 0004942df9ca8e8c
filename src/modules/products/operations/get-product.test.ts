import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { assertHidesForeignIds, assertNeedsScope, create } from '../../../../test/support/resource-checks.ts';

test('given a product, when it is retrieved, then it is the one created', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const product = await create(app, '/v1/products', acme.live_key, { name: 'Silla', is_active: false });
  const answer = await app.get(`/v1/products/${product.id}`, { key: acme.live_key });
  assert.deepEqual(answer.body, { data: product });
  await assertNeedsScope(app, acme, 'products:read', 'GET', `/v1/products/${product.id}`);
});

test('given the tax of a product, when it changes, then the product shows it as it is now', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const tax = await create(app, '/v1/taxes', key, { name: 'IVA', kind: 'vat', rate: 21 });
  const { id } = await create(app, '/v1/products', key, { name: 'Silla', taxes_id: tax.id });
  await app.put(`/v1/taxes/${tax.id}`, { key, body: { name: 'IVA reducido', rate: 10 } });
  const { body } = await app.get(`/v1/products/${id}`, { key });
  assert.deepEqual(body.data.taxes, { id: tax.id, name: 'IVA reducido', rate: 10 });
});

test("given another company's product, when it is retrieved, then it does not exist", async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const other = await app.given.company();
  const { id } = await create(app, '/v1/products', other.live_key, { name: 'Silla' });
  await assertHidesForeignIds(app, 'GET', (x) => `/v1/products/${x}`, id, { key: acme.live_key });
});
