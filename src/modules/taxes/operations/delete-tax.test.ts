import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { recurrence } from '../../../../test/support/recurrences.ts';
import {
  assertHidesForeignIds,
  assertNeedsScope,
  assertRefused,
  create,
} from '../../../../test/support/resource-checks.ts';

test('given a tax that nobody uses, when it is deleted, then it is gone', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const { id } = await create(app, '/v1/taxes', key, { name: 'IVA', kind: 'vat', rate: 4 });
  const answer = await app.delete(`/v1/taxes/${id}`, { key });
  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, { data: { id, object: 'tax', deleted: true } });
  assertRefused(await app.get(`/v1/taxes/${id}`, { key }), 404, 'resource_not_found');
  assertRefused(await app.delete(`/v1/taxes/${id}`, { key }), 404, 'resource_not_found');
});

test('given the tax of a product or of a contact, when it is deleted, then it stays', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const users = [
    ['/v1/products', 'taxes_id'],
    ['/v1/clients', 'default_taxes_id'],
  ] as const;
  for (const [path, field] of users) {
    const tax = await create(app, '/v1/taxes', key, { name: 'IVA', kind: 'vat', rate: 4 });
    const user = await create(app, path, key, { name: 'Uno', [field]: tax.id });
    for (const headers of [{}, { 'idempotency-key': `borra-${tax.id}` }]) {
      assertRefused(
        await app.delete(`/v1/taxes/${tax.id}`, { key, headers }),
        422,
        'business_rule_violation',
        'tax',
      );
    }
    assert.deepEqual((await app.get(`/v1/taxes/${tax.id}`, { key })).body.data, tax);
    await app.put(`${path}/${user.id}`, { key, body: { [field]: null } });
    assert.equal((await app.delete(`/v1/taxes/${tax.id}`, { key })).status, 200);
  }
});

test('given a tax that a recurrence names, when it is deleted, then it stays until none goes on with it', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const tax = await create(app, '/v1/taxes', key, { name: 'IVA', kind: 'vat', rate: 4 });
  const lines = [{ description: 'Cuota', unit_price: 50, taxes_id: tax.id }];
  await create(app, '/v1/quotes', key, { lines });
  const path = '/v1/recurring_invoices';
  const { id } = await create(
    app,
    path,
    key,
    recurrence({ starts_on: '2150-01-31', lines, status: 'paused' }),
  );
  const refused = await app.delete(`/v1/taxes/${tax.id}`, { key });
  assertRefused(refused, 422, 'business_rule_violation', 'tax');
  assert.match(refused.body.error.message, /factura recurrente/);
  assert.equal((await app.post(`${path}/${id}/cancel`, { key })).status, 200);
  assert.equal((await app.delete(`/v1/taxes/${tax.id}`, { key })).status, 200);
});

test("given another company's tax, when it is deleted, then it does not exist", async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const other = await app.given.company();
  const { id } = await create(app, '/v1/taxes', other.live_key, { name: 'IVA', kind: 'vat', rate: 4 });
  await assertHidesForeignIds(app, 'DELETE', (x) => `/v1/taxes/${x}`, id, { key: acme.live_key });
  await assertNeedsScope(app, other, 'taxes:delete', 'DELETE', `/v1/taxes/${id}`);
});
