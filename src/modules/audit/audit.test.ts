/** Each company reads its own logs, with the scope for it. Other stories test what logs say. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../test/harness.ts';
import { assertRefused, create } from '../../../test/support/resource-checks.ts';
import { until } from '../../../test/support/worker-place.ts';

const endpoint = { url: 'https://hooks.example.com/folio', enabled_events: ['*'] };

test("given another company's changes, when list_audit_log is called, then only the caller's own are there", async (t) => {
  const app = await startApp(t);
  const [acme, other] = [await app.given.company(), await app.given.company()];
  const mine = await create(app, '/v1/webhook_endpoints', acme.live_key, endpoint);
  await create(app, '/v1/webhook_endpoints', other.live_key, endpoint);
  const query = { action: 'webhook_endpoint.created' };
  const { body } = await app.get('/v1/audit-log', { key: acme.live_key, query });
  const targets = body.data.map((entry: { target: object }) => entry.target);
  assert.deepEqual(targets, [{ object: 'webhook_endpoint', id: mine.id }]);
  assert.deepEqual((await app.get('/v1/audit-log', { key: acme.test_key, query })).body.data, []);
});

test("given another company's requests, when list_request_logs is called, then they are not there", async (t) => {
  const app = await startApp(t);
  const [acme, other] = [await app.given.company(), await app.given.company()];
  const asked = await app.get('/v1/account', { key: other.live_key });
  const query = { request_id: String(asked.headers['x-request-id']) };
  await until(async () => {
    await app.service.flush();
    const { body } = await app.get('/v1/request-logs', { key: other.live_key, query });
    return body.data.length > 0;
  });
  const own = await app.get('/v1/request-logs', { key: other.live_key, query });
  assert.equal(own.body.data[0]?.operation, 'get_account');
  assert.deepEqual((await app.get('/v1/request-logs', { key: acme.live_key, query })).body.data, []);
});

for (const [name, path, scope] of [
  ['list_audit_log', '/v1/audit-log', 'account:read'],
  ['list_request_logs', '/v1/request-logs', 'developers:read'],
] as const) {
  test(`given a key without ${scope}, when ${name} is called, then it is refused`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const without = await app.given.apiKey(acme, { scopes: ['contacts:read'] });
    assertRefused(await app.get(path, { key: without }), 403, 'insufficient_scope');
    const just = await app.given.apiKey(acme, { scopes: [scope] });
    assert.equal((await app.get(path, { key: just })).status, 200);
    const odd = await app.get(path, { key: just, query: { starting_after: 'nothing' } });
    assertRefused(odd, 422, 'parameter_invalid_cursor');
  });
}
