import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sql } from 'postgres';
import { startApp } from '../../../../test/harness.ts';
import { holdLock, waitersOf } from '../../../../test/support/held-lock.ts';
import { until } from '../../../../test/support/worker-place.ts';

const path = '/v1/webhook_endpoints';
const body = { url: 'https://hooks.example.com/folio', enabled_events: ['invoice.paid', 'payment.*'] };

test('given an endpoint, when it is created, then its secret is told once and it listens', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const made = await app.post(path, { key, body: { ...body, description: 'Contabilidad' } });
  assert.equal(made.status, 201, made.text);
  const { id, secret, ...rest } = made.body.data;
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/);
  assert.deepEqual(
    [
      rest.object,
      rest.status,
      rest.timeout_seconds,
      rest.enabled_events,
      rest.ip_allowlist,
      rest.consecutive_failures,
    ],
    ['webhook_endpoint', 'enabled', 10, body.enabled_events, [], 0],
  );
  const read = await app.get(`${path}/${id}`, { key });
  assert.deepEqual(read.body.data, { id, ...rest });
  const list = await app.get(path, { key, query: { status: 'enabled' } });
  assert.deepEqual(
    list.body.data.map((one: { id: string }) => one.id),
    [id],
  );
  const [stored] = await app.sql<
    { sealed_secret: Buffer }[]
  >`select sealed_secret from webhook_endpoints where id = ${id}`;
  assert.ok(!stored?.sealed_secret.toString('latin1').includes(secret.slice(6)), 'the secret is sealed');
});

test('given a key, when the creation is sent again, then the same secret is answered, and it is stored sealed', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const call = { key: acme.live_key, headers: { 'idempotency-key': 'once' }, body };
  const first = await app.post(path, call);
  const again = await app.post(path, call);
  assert.equal(again.headers['idempotent-replayed'], 'true');
  assert.deepEqual(again.body, first.body);
  const [row] = await app.sql<{ answer: string | null }[]>`
    select answer from idempotency_keys where company_id = ${acme.company_id} and key = 'once'`;
  assert.equal(row?.answer, null);
});

const refused = [
  ['an address without TLS', { url: 'http://hooks.example.com' }, 'url'],
  ['a private address', { url: 'https://192.168.1.10/hook' }, 'url'],
  ['the metadata address', { url: 'https://169.254.169.254/' }, 'url'],
  ['loopback by name', { url: 'https://localhost/hook' }, 'url'],
  ['an address with a password', { url: 'https://a:b@hooks.example.com' }, 'url'],
  ['no address', { url: 'hooks' }, 'url'],
  ['an unknown event', { enabled_events: ['invoice.paid', 'invoice.eaten'] }, 'enabled_events.1'],
  ['an unknown family', { enabled_events: ['meal.*'] }, 'enabled_events.0'],
  ['the ping, which is no event', { enabled_events: ['webhook.ping'] }, 'enabled_events.0'],
  ['no event', { enabled_events: [] }, 'enabled_events'],
  ['a time of nothing', { timeout_seconds: 0 }, 'timeout_seconds'],
  ['a time too long', { timeout_seconds: 31 }, 'timeout_seconds'],
  ['a range that is none', { ip_allowlist: ['here'] }, 'ip_allowlist.0'],
  ['a list that matches no source', { ip_allowlist: ['203.0.113.0/24'] }, 'ip_allowlist'],
  ['an unknown key', { colour: 'red' }, 'colour'],
] as const;
for (const [what, wrong, param] of refused) {
  test(`given ${what}, when an endpoint is created or changed, then parameter_invalid names ${param}`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const key = acme.live_key;
    const made = await app.post(path, { key, body: { ...body, ...wrong } });
    assert.deepEqual(
      [made.status, made.body.error.code, made.body.error.param],
      [422, 'parameter_invalid', param],
    );
    const { id } = (await app.post(path, { key, body })).body.data;
    const put = await app.put(`${path}/${id}`, { key, body: wrong });
    assert.deepEqual(
      [put.status, put.body.error.code, put.body.error.param],
      [422, 'parameter_invalid', param],
    );
  });
}

test('given an endpoint, when what GET answered is edited and sent back whole, then the edit holds', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const { id } = (await app.post(path, { key, body })).body.data;
  await app.post(`${path}/${id}/rotate_secret`, { key });
  const read = (await app.get(`${path}/${id}`, { key })).body.data;
  const put = await app.put(`${path}/${id}`, { key, body: { ...read, description: 'Tienda' } });
  assert.equal(put.status, 200, put.text);
  assert.deepEqual(
    { ...put.body.data, updated_at: null },
    { ...read, description: 'Tienda', updated_at: null },
  );

  // Deliveries go on between reading and writing.
  await app.sql`
    update webhook_endpoints set consecutive_failures = 3, failing_since = now(), last_success_at = now() where id = ${id}`;
  const later = await app.put(`${path}/${id}`, { key, body: put.body.data });
  assert.deepEqual([later.status, later.body.data.consecutive_failures], [200, 3]);

  const other = { id: acme.company_id, object: 'invoice', created_at: '2026-01-01T00:00:00.000Z' };
  for (const [param, value] of Object.entries(other)) {
    const refused = await app.put(`${path}/${id}`, { key, body: { ...later.body.data, [param]: value } });
    assert.deepEqual([refused.status, refused.body.error.param], [422, param]);
  }
});

test('given an endpoint, when a change says what is there already, then it stays as it was and no log tells of it', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const { id } = (await app.post(path, { key, body })).body.data;
  const read = await app.get(`${path}/${id}`, { key });
  app.clock.advance(60_000);
  for (const same of [read.body.data, {}, { enabled_events: body.enabled_events }, { status: 'enabled' }]) {
    const put = await app.put(`${path}/${id}`, { key, body: same });
    assert.deepEqual([put.status, put.body.data], [200, read.body.data], put.text);
  }
  const again = await app.post(`${path}/${id}/enable`, { key });
  assert.deepEqual([again.status, again.body.data], [200, read.body.data], again.text);
  assert.equal((await app.get(`${path}/${id}`, { key })).headers.etag, read.headers.etag);
  for (let twice = 0; twice < 2; twice++) await app.post(`${path}/${id}/disable`, { key });
  const log = await app.get('/v1/audit-log', { key, query: { limit: '50' } });
  const actions = log.body.data
    .filter((entry: { target: { id: string } }) => entry.target.id === id)
    .map((entry: { action: string }) => entry.action);
  assert.deepEqual(actions, ['webhook_endpoint.disabled', 'webhook_endpoint.created']);
});

test('given addresses that mean the same, when they are stored, then the address that is called is what is shown', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  for (const [url, stored] of [
    ['HTTPS://Hooks.EXAMPLE.com:443/a/../folio', 'https://hooks.example.com/folio'],
    ['https://hooks.example.com', 'https://hooks.example.com/'],
    ['https://hooks.example.com.:8443/folio', 'https://hooks.example.com:8443/folio'],
    ['  https://hooks.example.com/folio ', 'https://hooks.example.com/folio'],
    ['https://España.example/ñ?q=a b#dentro', 'https://xn--espaa-rta.example/%C3%B1?q=a%20b'],
  ] as const) {
    const made = await app.post(path, { key, body: { ...body, url } });
    assert.deepEqual([made.status, made.body.data?.url], [201, stored], made.text);
    const { id } = (await app.post(path, { key, body })).body.data;
    const put = await app.put(`${path}/${id}`, { key, body: { url } });
    assert.deepEqual([put.status, put.body.data.url], [200, stored]);
  }
  const long = `https://hooks.example.com/${'ñ'.repeat(500)}`;
  const refused = await app.post(path, { key, body: { ...body, url: long } });
  assert.deepEqual([refused.status, refused.body.error.param], [422, 'url'], 'each ñ is six characters');
});

test('given source addresses that are no longer the same, when the rest is changed, then the old list is no fault', async (t) => {
  const before = await startApp(t, { env: { FOLIO_EGRESS_IPS: '198.51.100.7' } });
  const acme = await before.given.company();
  const key = acme.live_key;
  const made = await before.post(path, { key, body: { ...body, ip_allowlist: ['198.51.100.7'] } });
  const after = await startApp(t, { env: { FOLIO_EGRESS_IPS: '198.51.100.8' } });
  const read = await after.get(`${path}/${made.body.data.id}`, { key });
  const put = await after.put(`${path}/${made.body.data.id}`, {
    key,
    body: { ...read.body.data, description: 'Otra' },
  });
  assert.equal(put.status, 200, put.text);
});

test('given source addresses, when a list holds one of them, then it is kept, and they are published', async (t) => {
  const app = await startApp(t, { env: { FOLIO_EGRESS_IPS: '198.51.100.7,198.51.100.8' } });
  const acme = await app.given.company();
  const key = acme.live_key;
  const made = await app.post(path, { key, body: { ...body, ip_allowlist: ['198.51.100.8/32'] } });
  assert.deepEqual(made.body.data.ip_allowlist, ['198.51.100.8/32']);
  const ips = await app.get('/v1/webhook_source_ips', { key });
  assert.deepEqual(ips.body.data.ips, ['198.51.100.7', '198.51.100.8']);
});

test('given an endpoint, when its secret is rotated, then another is told and the previous one holds for a day', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const { id, secret } = (await app.post(path, { key, body })).body.data;
  const rotated = await app.post(`${path}/${id}/rotate_secret`, { key });
  assert.equal(rotated.status, 200, rotated.text);
  assert.notEqual(rotated.body.data.secret, secret);
  const until = new Date(rotated.body.data.previous_secret_valid_until).getTime();
  assert.equal(until - app.clock.now().getTime(), 24 * 3_600_000);
  const read = await app.get(`${path}/${id}`, { key });
  assert.equal(read.body.data.previous_secret_valid_until, rotated.body.data.previous_secret_valid_until);
  assert.equal(read.body.data.secret, undefined);
});

test('given an endpoint, when it is disabled, enabled, changed and deleted, then each change holds and is audited', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const { id } = (await app.post(path, { key, body })).body.data;
  const listening = async () => {
    const [row] = await app.sql<{ webhook_endpoints_enabled: number }[]>`
      select webhook_endpoints_enabled from companies where company_id = ${acme.company_id}`;
    return row?.webhook_endpoints_enabled;
  };
  assert.equal(await listening(), 1);
  for (let twice = 0; twice < 2; twice++) {
    assert.equal((await app.post(`${path}/${id}/disable`, { key })).body.data.status, 'disabled');
    assert.equal(await listening(), 0);
  }
  assert.equal(
    (await app.put(`${path}/${id}`, { key, body: { status: 'enabled' } })).body.data.status,
    'enabled',
  );
  assert.equal(await listening(), 1);
  assert.equal((await app.post(`${path}/${id}/disable`, { key })).body.data.status, 'disabled');
  for (let twice = 0; twice < 2; twice++) {
    assert.equal((await app.post(`${path}/${id}/enable`, { key })).body.data.status, 'enabled');
    assert.equal(await listening(), 1);
  }
  const put = await app.put(`${path}/${id}`, {
    key,
    body: { enabled_events: ['*'], description: null, timeout_seconds: 3 },
  });
  assert.deepEqual(
    [put.body.data.enabled_events, put.body.data.timeout_seconds, put.body.data.url],
    [['*'], 3, body.url],
  );
  // A company's counts are locked after its row, as they are when another endpoint is disabled meanwhile.
  await app.sql`update webhook_endpoints set failing_since = now() where id = ${id}`;
  await app.sql`insert into watched values (${acme.company_id}, 'endpoints_failing', 1, now())`;
  const counted = (sql: Sql) =>
    sql`select from watched where company_id = ${acme.company_id} for update nowait`;
  const held = await holdLock(
    t,
    app,
    (sql) => sql`select from companies where company_id = ${acme.company_id} for no key update`,
  );
  const going = app.delete(`${path}/${id}`, { key });
  await until(async () => (await waitersOf(app)) > 0);
  assert.equal((await counted(held.sql)).count, 1);
  await held.release();
  const gone = await going;
  assert.equal((await counted(app.sql)).count, 0);
  assert.deepEqual(gone.body.data, { id, object: 'webhook_endpoint', deleted: true });
  assert.equal(await listening(), 0);
  assert.equal((await app.get(`${path}/${id}`, { key })).status, 404);
  const log = await app.get('/v1/audit-log', { key, query: { limit: '50' } });
  const actions = log.body.data
    .filter((entry: { target: { id: string } }) => entry.target.id === id)
    .map((entry: { action: string }) => entry.action);
  for (const action of ['created', 'disabled', 'enabled', 'updated', 'deleted'])
    assert.ok(actions.includes(`webhook_endpoint.${action}`), action);
});

test('given another company, when it asks for an endpoint, then there is none for it', async (t) => {
  const app = await startApp(t);
  const [acme, other] = [await app.given.company(), await app.given.company()];
  const { id } = (await app.post(path, { key: acme.live_key, body })).body.data;
  const key = other.live_key;
  const answers = await Promise.all([
    app.get(`${path}/${id}`, { key }),
    app.put(`${path}/${id}`, { key, body: { description: 'x' } }),
    app.delete(`${path}/${id}`, { key }),
    ...['rotate_secret', 'enable', 'disable'].map((move) => app.post(`${path}/${id}/${move}`, { key })),
  ]);
  for (const answer of answers)
    assert.deepEqual([answer.status, answer.body.error.code], [404, 'resource_not_found']);
});
