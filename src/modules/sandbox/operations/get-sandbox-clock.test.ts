import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { assertRefused } from '../../../../test/support/resource-checks.ts';

const path = '/v1/sandbox/clock';

test('given a new sandbox, when its clock is read, then it runs with real time', async (t) => {
  const app = await startApp(t);
  const { test_key: key, sandbox_company_id: id } = await app.given.company();
  for (let reads = 0; reads < 2; reads++) {
    const { status, body } = await app.get(path, { key });
    assert.equal(status, 200);
    const now = app.clock.now().toISOString();
    assert.deepEqual(body, { data: { object: 'sandbox_clock', id, now, frozen: false } });
    app.clock.advance(1500);
  }
});

test('given a live key or one without the scope, when the clock is read, then it is refused', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const live = await app.get(path, { key: acme.live_key });
  assertRefused(live, 403, 'insufficient_scope');
  assert.match(live.body.error.message, /account:read en el entorno de pruebas/);
  const environment = 'test';
  const without = await app.given.apiKey(acme, { environment, scopes: ['invoices:read'] });
  assertRefused(await app.get(path, { key: without }), 403, 'insufficient_scope');
  const just = await app.given.apiKey(acme, { environment, scopes: ['account:read'] });
  assert.equal((await app.get(path, { key: just })).status, 200);
});
