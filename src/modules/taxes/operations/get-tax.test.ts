import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { assertHidesForeignIds, assertNeedsScope, create } from '../../../../test/support/resource-checks.ts';

test('given a tax, when it is retrieved, then it is the one created', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const tax = await create(app, '/v1/taxes', acme.live_key, { name: 'IVA', kind: 'vat', rate: 4.5 });
  const answer = await app.get(`/v1/taxes/${tax.id}`, { key: acme.live_key });
  assert.deepEqual(answer.body, { data: tax });
  await assertNeedsScope(app, acme, 'taxes:read', 'GET', `/v1/taxes/${tax.id}`);
});

test("given another company's tax, when it is retrieved, then it does not exist", async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const other = await app.given.company();
  const { id } = await create(app, '/v1/taxes', other.live_key, { name: 'IVA', kind: 'vat', rate: 4 });
  await assertHidesForeignIds(app, 'GET', (x) => `/v1/taxes/${x}`, id, { key: acme.live_key });
});
