import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../../../../test/harness.ts';
import {
  assertHidesForeignIds,
  assertNeedsScope,
  assertRefused,
  create,
} from '../../../../test/support/resource-checks.ts';
import { insertDraftInvoice } from '../../../../test/support/stored-invoice.ts';

/** Deleted products have no event, so the audit log tells of them. */
async function deletionsIn(app: App, key: string): Promise<unknown[]> {
  const { body } = await app.get('/v1/audit-log', { key, query: { action: 'product.delete' } });
  return body.data.map((entry: Record<string, unknown>) => [entry.actor, entry.target, entry.details]);
}

test('given a product on no document, when it is deleted, then it is gone and its code free', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const { id } = await create(app, '/v1/products', key, { name: 'Silla', code: 'S-1' });
  const answer = await app.delete(`/v1/products/${id}`, { key });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body, { data: { id, object: 'product', deleted: true } });
  assertRefused(await app.get(`/v1/products/${id}`, { key }), 404, 'resource_not_found');
  assert.deepEqual(await app.eventTypes(acme, id), ['product.created']);
  await create(app, '/v1/products', key, { name: 'Otra', code: 'S-1' });
  assert.deepEqual(await deletionsIn(app, key), [['api_key', { object: 'product', id }, { code: 'S-1' }]]);
});

test('given a product on an invoice, when it is deleted, then it is archived, once', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const product = await create(app, '/v1/products', key, { name: 'Silla', code: 'S-1', unit_price: 24.9 });
  await insertDraftInvoice(app, acme.company_id, { product_id: product.id });
  app.clock.advance(1000);
  const archived = { ...product, is_active: false, updated_at: app.clock.now().toISOString() };
  for (let i = 0; i < 2; i++) {
    const answer = await app.delete(`/v1/products/${product.id}`, { key });
    assert.deepEqual(answer.body, { data: { id: product.id, object: 'product', deleted: true } });
    assert.deepEqual((await app.get(`/v1/products/${product.id}`, { key })).body.data, archived);
    app.clock.advance(1000);
  }
  assert.deepEqual(await app.eventTypes(acme, product.id), ['product.created', 'product.updated']);
  assert.deepEqual(await deletionsIn(app, key), []);
  await create(app, '/v1/products', key, { name: 'Otra', code: 'S-1' });
});

test('given a product with more than ten thousand prices, when it is deleted, then it is archived with them; with as many as go in one transaction it is gone', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const product = await create(app, '/v1/products', key, { name: 'Silla', unit_price: 24.9 });
  const list = await create(app, '/v1/price-lists', key, { name: 'Mayoristas' });
  await app.sql`
    insert into price_list_items (company_id, id, price_list_id, product_id, min_quantity, unit_price, created_at, updated_at)
    select ${acme.company_id}, gen_random_uuid(), ${list.id}, ${product.id}, step, 20, now(), now()
      from generate_series(1, 10001) as step`;
  const path = `/v1/products/${product.id}`;
  const prices = async () => {
    const [row] =
      await app.sql`select count(*)::int as count from price_list_items where product_id = ${product.id}`;
    return row!.count as number;
  };
  const answer = await app.delete(path, { key });
  assert.deepEqual(answer.body, { data: { id: product.id, object: 'product', deleted: true } });
  assert.equal((await app.get(path, { key })).body.data?.is_active, false);
  assert.equal(await prices(), 10_001);

  await app.sql`delete from price_list_items where product_id = ${product.id} and min_quantity = 1`;
  assert.equal((await app.delete(path, { key })).status, 200);
  assertRefused(await app.get(path, { key }), 404, 'resource_not_found');
  assert.equal(await prices(), 0);
});

test("given another company's product, when it is deleted, then it does not exist", async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const other = await app.given.company();
  const { id } = await create(app, '/v1/products', other.live_key, { name: 'Silla' });
  await assertHidesForeignIds(app, 'DELETE', (x) => `/v1/products/${x}`, id, { key: acme.live_key });
  await assertNeedsScope(app, other, 'products:delete', 'DELETE', `/v1/products/${id}`);
});
