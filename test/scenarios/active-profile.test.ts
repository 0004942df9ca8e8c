import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../src/kernel/uuid7.ts';
import { type App, startApp, type TestCompany } from '../harness.ts';
import { idOf, newKey, rotateKey } from '../support/api-keys.ts';
import { assertRefused, create } from '../support/resource-checks.ts';

const as = (company_id: string) => ({ 'X-Active-Profile': company_id });

type Family = { master: TestCompany; child: TestCompany };

async function givenFamily(app: App): Promise<Family> {
  const master = await app.given.company({ name: 'Gestoría Sur SL' });
  const child = await app.given.company({ name: 'Panadería SL', parent_id: master.company_id, plan: 'free' });
  return { master, child };
}

test("given a master and its child, when the master works for it, then it is the child's data in the key's environment", async (t) => {
  const app = await startApp(t);
  const { master, child } = await givenFamily(app);
  for (const [key, own_id, child_id] of [
    [master.live_key, master.company_id, child.company_id],
    [master.test_key, master.sandbox_company_id, child.sandbox_company_id],
  ] as const) {
    const settings = async (headers: Record<string, string>) => {
      const { status, body, text } = await app.get('/v1/account/company', { key, headers });
      assert.equal(status, 200, text);
      return [body.data.id, body.data.environment];
    };
    const environment = key === master.live_key ? 'live' : 'test';
    assert.deepEqual(await settings({}), [own_id, environment]);
    assert.deepEqual(await settings(as(child_id)), [child_id, environment]);
    assert.deepEqual(await settings(as(child_id.toUpperCase())), [child_id, environment]);
    const made = await app.post('/v1/clients', {
      key,
      headers: as(child_id),
      body: { name: 'Para la hija' },
    });
    assert.equal(made.status, 201);
    const path = `/v1/clients/${made.body.data.id}`;
    assert.equal((await app.get(path, { key, headers: as(child_id) })).status, 200);
    assertRefused(await app.get(path, { key }), 404, 'resource_not_found');
    const child_key = environment === 'live' ? child.live_key : child.test_key;
    assert.equal((await app.get(path, { key: child_key })).status, 200);
  }
});

test('given an id that the key may not work for, when it is sent, then no profile is found and nothing is written', async (t) => {
  const app = await startApp(t);
  const { master, child } = await givenFamily(app);
  const archived = await app.given.company({ parent_id: master.company_id });
  await app.sql`update company_children set is_archived = true where child_id in ${app.sql([archived.company_id, archived.sandbox_company_id])}`;
  const stranger = await app.given.company();
  const other = await givenFamily(app);
  // The command line cannot make grandchildren. A master key would not reach one anyway.
  const grandchild = await app.given.company();
  await app.sql`
    insert into company_children (company_id, child_id, owner_id)
    values (${child.company_id}, ${grandchild.company_id}, ${grandchild.company_id})`;
  const cases: [name: string, key: string, profile: string][] = [
    ['a key without children', stranger.live_key, child.company_id],
    ['a child that names its master', child.live_key, master.company_id],
    ['a child that names itself', child.live_key, child.company_id],
    ['its own id', master.live_key, master.company_id],
    ['its own id, sandbox', master.test_key, master.sandbox_company_id],
    ['a grandchild', master.live_key, grandchild.company_id],
    ['an archived child', master.live_key, archived.company_id],
    ['an archived child, sandbox', master.test_key, archived.sandbox_company_id],
    ['a test key and the live child', master.test_key, child.company_id],
    ['a live key and the sandbox child', master.live_key, child.sandbox_company_id],
    ['its own sandbox', master.live_key, master.sandbox_company_id],
    ["another's child", master.live_key, other.child.company_id],
    ['nobody', master.live_key, newId()],
  ];
  const rows = async () => (await app.sql`select count(*)::int as count from contacts`)[0]?.count;
  const before = await rows();
  for (const [name, key, profile] of cases) {
    const answer = await app.post('/v1/clients', { key, headers: as(profile), body: { name: 'No' } });
    assert.equal(answer.status, 404, name);
    assertRefused(answer, 404, 'profile_not_found', 'X-Active-Profile');
    assert.equal(answer.body.error.type, 'not_found_error');
    assertRefused(await app.get('/v1/nowhere', { key, headers: as(profile) }), 404, 'profile_not_found');
  }
  for (const profile of [
    '',
    'none',
    child.company_id.slice(1),
    `${child.company_id} `,
    `{${child.company_id}}`,
    `${child.company_id}, ${child.company_id}`,
  ]) {
    const answer = await app.get('/v1/account', { key: master.live_key, headers: as(profile) });
    if (profile.trim() === child.company_id)
      assert.equal(answer.status, 200, 'a header has no spaces around it');
    else assertRefused(answer, 400, 'parameter_invalid_uuid', 'X-Active-Profile');
  }
  assert.equal(await rows(), before);
  assertRefused(await app.get('/v1/account', { headers: as(child.company_id) }), 401, 'missing_api_key');
});

test("given a master key, when it works for a child, then scope, tier and plan are still the key's", async (t) => {
  const app = await startApp(t);
  const { master, child } = await givenFamily(app);
  const key = await app.given.apiKey(master, { scopes: ['account:read', 'contacts:read'] });
  const headers = as(child.company_id);
  assert.equal((await app.get('/v1/clients', { key, headers })).status, 200);
  assertRefused(
    await app.post('/v1/clients', { key, headers, body: { name: 'No' } }),
    403,
    'insufficient_scope',
  );
  assert.equal((await app.get('/v1/account', { key, headers })).body.data.tier, 'scale');
  const made = await newKey(app, master.live_key);
  assert.equal(made.tier, 'scale');
  const answer = await app.post('/v1/account/api-keys', {
    key: master.live_key,
    headers,
    body: { name: 'De la hija', scopes: ['account:read'] },
  });
  assert.equal(answer.body.data.tier, 'free');
  assert.equal(
    (await app.get('/v1/account/company', { key: answer.body.data.secret })).body.data.id,
    child.company_id,
  );
  const listed = await app.get('/v1/account/api-keys', { key: child.live_key });
  assert.ok(listed.body.data.some((k: { id: string }) => k.id === answer.body.data.id));
  assertRefused(
    await app.get(`/v1/account/api-keys/${answer.body.data.id}`, { key: master.live_key }),
    404,
    'api_key_not_found',
  );
});

test('given one Idempotency-Key for master and child, when both use it, then each has its own record', async (t) => {
  const app = await startApp(t);
  const { master, child } = await givenFamily(app);
  const call = (headers: Record<string, string>, name: string) =>
    app.post('/v1/clients', {
      key: master.live_key,
      headers: { ...headers, 'Idempotency-Key': 'alta-1' },
      body: { name },
    });
  const own = await call({}, 'Propio');
  const childs = await call(as(child.company_id), 'De la hija');
  assert.deepEqual([own.status, childs.status], [201, 201]);
  const again = await call(as(child.company_id), 'De la hija');
  assert.deepEqual([again.text, again.headers['idempotent-replayed']], [childs.text, 'true']);
  // The record belongs to the child, so the child's own key replays it.
  const direct = await app.post('/v1/clients', {
    key: child.live_key,
    headers: { 'Idempotency-Key': 'alta-1' },
    body: { name: 'Otra' },
  });
  assertRefused(direct, 409, 'idempotency_key_reused', 'Idempotency-Key');
});

test('given a limit of requests, when a master works for children, then all count on its key, refused profiles too', async (t) => {
  const app = await startApp(t, { env: { FOLIO_RATE_LIMITS: '{"scale":[4,1],"free":[100,100]}' } });
  const { master, child } = await givenFamily(app);
  app.clock.set('2026-05-04T10:00:00Z');
  const call = (headers: Record<string, string>) => app.get('/v1/account', { key: master.live_key, headers });
  const remaining = [];
  for (const headers of [{}, as(child.company_id), as(newId()), as('none')]) {
    const answer = await call(headers);
    remaining.push([answer.status, /r=(\d+)/.exec(String(answer.headers.ratelimit))?.[1]]);
  }
  assert.deepEqual(remaining, [
    [200, '3'],
    [200, '2'],
    [404, '1'],
    [400, '0'],
  ]);
  assertRefused(await call(as(child.company_id)), 429, 'rate_limit_exceeded');
  assert.equal((await app.get('/v1/account', { key: child.live_key })).status, 200);
});

test('given a refused profile, when the answer is read, then version and warning are those of the key', async (t) => {
  const app = await startApp(t);
  const { master } = await givenFamily(app);
  const key = await app.given.apiKey(master, { scopes: ['*'], api_version: '2026-06-01' });
  await rotateKey(app, key, await idOf(app, key));
  for (const profile of ['none', newId()]) {
    const { headers } = await app.get('/v1/account', { key, headers: as(profile) });
    assert.equal(headers['service-version'], '2026-06-01');
    assert.match(String(headers.warning), /^199 /);
  }
});

test("given work for a child, when logs are read, then the child's hold it with the master's key", async (t) => {
  const app = await startApp(t);
  const { master, child } = await givenFamily(app);
  const key_id = await idOf(app, master.live_key);
  const headers = as(child.company_id);
  await create(app, '/v1/clients', child.live_key, { name: 'Uno' });
  const put = await app.put('/v1/account/company', {
    key: master.live_key,
    headers,
    body: { phone: '+34 600 000 000' },
  });
  assert.equal(put.status, 200, put.text);
  const audit = await app.get('/v1/audit-log', { key: child.live_key, query: { action: 'company.updated' } });
  // The first keys of both have one name.
  const told = [[key_id, 'Primera clave (empresa gestora)']];
  assert.deepEqual(
    audit.body.data.map((e: { actor_key_id: string; actor_name: string }) => [e.actor_key_id, e.actor_name]),
    told,
  );
  const masters = await app.get('/v1/audit-log', {
    key: master.live_key,
    query: { action: 'company.updated' },
  });
  assert.deepEqual(masters.body.data, []);
  await app.service.flush();
  const logged = await app.get('/v1/request-logs', { key: child.live_key, query: { method: 'PUT' } });
  assert.deepEqual(
    logged.body.data.map((e: { key_id: string; path: string }) => [e.key_id, e.path]),
    [[key_id, '/v1/account/company']],
  );
  assert.deepEqual(
    logged.body.data.map((e: { key_id: string; actor_name: string }) => [e.key_id, e.actor_name]),
    told,
  );
});

test("given a key without api_keys:*, when it works for a child, then it neither sees nor makes the child's keys", async (t) => {
  const app = await startApp(t);
  const { master, child } = await givenFamily(app);
  const headers = as(child.company_id);
  const child_key = await idOf(app, child.live_key);
  const path = `/v1/account/api-keys/${child_key}`;
  const body = { name: 'Toda la hija', scopes: ['*'] };
  const calls = (key: string) => ({
    'api_keys:read': [app.get('/v1/account/api-keys', { key, headers }), app.get(path, { key, headers })],
    'api_keys:write': [
      app.post('/v1/account/api-keys', { key, headers, body }),
      app.post(`${path}/rotate_secret`, { key, headers }),
      app.post(`${path}/revoke`, { key, headers }),
    ],
  });
  const account = ['account:read', 'account:write'];
  const key = await app.given.apiKey(master, { scopes: account });
  for (const [scope, answers] of Object.entries(calls(key))) {
    for (const answer of await Promise.all(answers)) {
      assertRefused(answer, 403, 'insufficient_scope');
      assert.ok(answer.body.error.message.includes(scope), answer.text);
    }
  }
  assert.equal((await app.get('/v1/account', { key: child.live_key })).status, 200);
  const own = await app.post('/v1/account/api-keys', { key, body });
  assert.equal(own.status, 201, 'for its own company account:write is enough');
  app.given.secrets.push(own.body.data.secret);

  const manager = await app.given.apiKey(master, { scopes: [...account, 'api_keys:read', 'api_keys:write'] });
  const made = await newKey(app, child.live_key);
  assert.equal((await app.get('/v1/account/api-keys', { key: manager, headers })).status, 200);
  const revoked = await app.post(`/v1/account/api-keys/${made.id}/revoke`, { key: manager, headers });
  assert.equal(revoked.status, 200, revoked.text);
  const bare = await app.given.apiKey(master, { scopes: ['api_keys:read', 'api_keys:write'] });
  assertRefused(await app.get('/v1/account/api-keys', { key: bare, headers }), 403, 'insufficient_scope');
});

test('given a test key of a master, when it works for the sandbox of a child, then it has no way to its keys', async (t) => {
  const app = await startApp(t);
  const { master, child } = await givenFamily(app);
  const headers = as(child.sandbox_company_id);
  const answer = await app.get('/v1/account/api-keys', { key: master.test_key, headers });
  assertRefused(answer, 403, 'insufficient_scope');
});
