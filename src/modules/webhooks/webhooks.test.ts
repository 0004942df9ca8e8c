/** Each operation: who may call it, and what it audits. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../../../test/harness.ts';
import { assertHidesForeignIds, assertRefused, create } from '../../../test/support/resource-checks.ts';
import { newId } from '../../kernel/uuid7.ts';

const path = '/v1/webhook_endpoints';
const body = { url: 'https://hooks.example.com/folio', enabled_events: ['invoice.*'] };

const ofEndpoint = [
  ['get_webhook_endpoint', 'GET', ''],
  ['update_webhook_endpoint', 'PUT', '', { description: 'x' }],
  ['delete_webhook_endpoint', 'DELETE', ''],
  ['enable_webhook_endpoint', 'POST', '/enable'],
  ['disable_webhook_endpoint', 'POST', '/disable'],
  ['rotate_webhook_secret', 'POST', '/rotate_secret'],
  ['ping_webhook_endpoint', 'POST', '/ping'],
  ['send_webhook_test_event', 'POST', '/test_event'],
  ['list_webhook_deliveries', 'GET', '/deliveries'],
] as const;
for (const [name, method, action, sent] of ofEndpoint) {
  test(`given another company's endpoint, when ${name} is called, then there is none, and it stays as it was`, async (t) => {
    const app = await startApp(t);
    const [acme, other] = [await app.given.company(), await app.given.company()];
    const { id } = await create(app, path, other.live_key, body);
    const before = (await app.get(`${path}/${id}`, { key: other.live_key })).body;
    await assertHidesForeignIds(app, method, (x) => `${path}/${x}${action}`, id, {
      key: acme.live_key,
      ...(sent ? { body: sent } : {}),
    });
    assert.deepEqual((await app.get(`${path}/${id}`, { key: other.live_key })).body, before);
  });
}

async function ping(app: App, key: string, endpoint_id: string) {
  const answer = await app.post(`${path}/${endpoint_id}/ping`, { key });
  assert.equal(answer.status, 202, answer.text);
  return answer.body.data;
}

for (const [name, method, action] of [
  ['get_webhook_delivery', 'GET', ''],
  ['replay_webhook_delivery', 'POST', '/replay'],
] as const) {
  test(`given a delivery of another endpoint or company, when ${name} is called, then there is none`, async (t) => {
    const app = await startApp(t);
    const [acme, other] = [await app.given.company(), await app.given.company()];
    const key = acme.live_key;
    const [first, second] = [await create(app, path, key, body), await create(app, path, key, body)];
    const foreign = await create(app, path, other.live_key, body);
    const of_second = await ping(app, key, second.id);
    const of_other = await ping(app, other.live_key, foreign.id);
    const at = (endpoint_id: string, id: string) => `${path}/${endpoint_id}/deliveries/${id}${action}`;
    await assertHidesForeignIds(app, method, (x) => at(first.id, x), of_second.id, { key });
    await assertHidesForeignIds(app, method, (x) => at(first.id, x), of_other.id, { key });
    await assertHidesForeignIds(app, method, (x) => at(x, of_other.id), foreign.id, { key });
  });
}

test('given an endpoint, when ping_webhook_endpoint is called, then its delivery waits, and get_webhook_delivery and list_webhook_deliveries show it', async (t) => {
  const app = await startApp(t);
  const { test_key: key } = await app.given.company();
  const { id } = await create(app, path, key, body);
  const queued = await ping(app, key, id);
  assert.deepEqual(
    [queued.object, queued.event_type, queued.event_id, queued.status, queued.attempt],
    ['webhook_delivery', 'webhook.ping', null, 'queued', 0],
  );
  const read = await app.get(`${path}/${id}/deliveries/${queued.id}`, { key });
  assert.deepEqual([read.status, read.body.data.id, read.body.data.status], [200, queued.id, 'queued']);
  const list = async (status: string) => {
    const answer = await app.get(`${path}/${id}/deliveries`, { key, query: { status } });
    return answer.body.data.map((one: { id: string }) => one.id);
  };
  assert.deepEqual([await list('queued'), await list('delivered')], [[queued.id], []]);
  assert.deepEqual((await app.get('/v1/events', { key })).body.data, [], 'a ping is no event');
});

test('given a delivery, when replay_webhook_delivery is called, then it is the same one, and the audit log says who asked', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const { id } = await create(app, path, key, body);
  const queued = await ping(app, key, id);
  const replayed = await app.post(`${path}/${id}/deliveries/${queued.id}/replay`, { key });
  assert.deepEqual(
    [replayed.status, replayed.body.data.id, replayed.body.data.status, replayed.body.data.attempt],
    [202, queued.id, 'queued', 0],
  );
  const log = await app.get('/v1/audit-log', { key, query: { action: 'webhook_delivery.replayed' } });
  assert.deepEqual(
    log.body.data.map((entry: { target: object }) => entry.target),
    [{ object: 'webhook_delivery', id: queued.id }],
  );
});

test('given a delivery that is replayed, when list_webhook_deliveries is asked for what changed since, then it is there before it is sent', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const { id } = await create(app, path, key, body);
  const replayed = await ping(app, key, id);
  await ping(app, key, id);
  const start = app.clock.now().getTime();
  app.clock.set(new Date(start + 7_200_000));
  const answer = await app.post(`${path}/${id}/deliveries/${replayed.id}/replay`, { key });
  assert.equal(answer.status, 202, answer.text);
  const changed = async (bound: string, hours: number) => {
    const at = new Date(start + hours * 3_600_000).toISOString();
    const { body } = await app.get(`${path}/${id}/deliveries`, { key, query: { [`updated[${bound}]`]: at } });
    return body.data.map((one: { id: string }) => one.id);
  };
  assert.deepEqual(await changed('gte', 1), [replayed.id]);
  assert.ok(!(await changed('lt', 1)).includes(replayed.id));
  assert.deepEqual(await changed('gt', 3), []);
});

test('given endpoints, when list_webhook_endpoints is called, then the newest is first, in pages, by status', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.unshift((await create(app, path, key, body)).id);
  await app.post(`${path}/${ids[1]}/disable`, { key });
  const list = async (query: Record<string, string>) => {
    const answer = await app.get(path, { key, query });
    return answer.body.data.map((one: { id: string }) => one.id);
  };
  assert.deepEqual(await list({}), ids);
  assert.deepEqual(await list({ limit: '2', starting_after: ids[0]! }), ids.slice(1));
  assert.deepEqual(await list({ status: 'disabled' }), [ids[1]]);
});

test('given scopes of webhooks, when create_webhook_endpoint is called, then reading is not enough', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const reads = await app.given.apiKey(acme, { scopes: ['webhooks:read'] });
  assertRefused(await app.post(path, { key: reads, body }), 403, 'insufficient_scope');
  const writes = await app.given.apiKey(acme, { scopes: ['webhooks:write'] });
  const { id } = await create(app, path, writes, body);
  assertRefused(await app.get(`${path}/${id}`, { key: writes }), 403, 'insufficient_scope');
  assertRefused(await app.get(`${path}/${newId()}`, { key: reads }), 404, 'resource_not_found');
});

test('given no published address, when list_webhook_source_ips is called, then the list is empty', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = await app.given.apiKey(acme, { scopes: ['taxes:read'] });
  const answer = await app.get('/v1/webhook_source_ips', { key });
  assert.deepEqual(answer.body, {
    data: { object: 'webhook_source_ips', id: acme.company_id, ips: [] },
  });
});
