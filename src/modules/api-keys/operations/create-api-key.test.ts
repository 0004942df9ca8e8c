import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { assertInvalidKey, idOf, newKey, keyWorks } from '../../../../test/support/api-keys.ts';
import { holdLock, waitersOf } from '../../../../test/support/held-lock.ts';
import {
  assertNeedsScope,
  assertRefused,
  assertRefusesUnknownKey,
} from '../../../../test/support/resource-checks.ts';
import { findSecrets } from '../../../../test/support/secret-search.ts';
import { until } from '../../../../test/support/worker-place.ts';

const path = '/v1/account/api-keys';
const plain = { name: 'Informes', scopes: ['invoices:read'] };

test('given a name and scopes, when a key is created, then the answer has its secret and just the specified fields', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  for (const [environment, form] of [
    ['live', /^svc_live_[0-9A-Za-z]{24}$/],
    ['test', /^svc_test_[0-9A-Za-z]{24}$/],
  ] as const) {
    const sent = { ...plain, scopes: ['invoices:read', 'account:read'], environment };
    const { status, body } = await app.post(path, { key: acme.live_key, body: sent });
    assert.equal(status, 201);
    const { id, prefix, secret, ...rest } = body.data;
    assert.match(secret, form);
    assert.equal(prefix, secret.slice(0, 13));
    assert.deepEqual(rest, { object: 'api_key', ...sent, tier: 'scale' });
    assert.equal(await idOf(app, secret), id);
    assertInvalidKey(await app.get('/v1/account', { key: prefix }));
  }
});

test('given callers of both environments, when a key is created, then a test key makes test keys only', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  for (const [caller, asked, made] of [
    ['live_key', undefined, 'live'],
    ['live_key', 'live', 'live'],
    ['live_key', 'test', 'test'],
    ['test_key', undefined, 'test'],
    ['test_key', 'test', 'test'],
  ] as const) {
    const key = await newKey(app, acme[caller], asked === undefined ? {} : { environment: asked });
    assert.equal(key.environment, made, `${caller} asks for ${asked}`);
    const read = await app.get('/v1/account/company', { key: key.secret });
    assert.equal(read.body.data.id, made === 'live' ? acme.company_id : acme.sandbox_company_id);
  }
  const refused = await app.post(path, { key: acme.test_key, body: { ...plain, environment: 'live' } });
  assertRefused(refused, 422, 'parameter_invalid', 'environment');
});

const wrongFields: [body: Record<string, unknown>, param: string][] = [
  [{ scopes: ['invoices:read'] }, 'name'],
  [{ ...plain, name: '' }, 'name'],
  [{ ...plain, name: 'x'.repeat(121) }, 'name'],
  [{ ...plain, name: null }, 'name'],
  [{ ...plain, name: 7 }, 'name'],
  [{ ...plain, name: 'a\0b' }, 'name'],
  [{ name: 'Informes' }, 'scopes'],
  [{ ...plain, scopes: [] }, 'scopes'],
  [{ ...plain, scopes: 'invoices:read' }, 'scopes'],
  [{ ...plain, scopes: ['invoices:read', 'invoices:read'] }, 'scopes'],
  [{ ...plain, scopes: ['invoices:read', 1] }, 'scopes.1'],
  [{ ...plain, environment: 'production' }, 'environment'],
  [{ ...plain, environment: null }, 'environment'],
  [{ ...plain, expires_at: '2020-01-01T00:00:00Z' }, 'expires_at'],
  [{ ...plain, expires_at: '2030-01-01' }, 'expires_at'],
  [{ ...plain, expires_at: '2030-02-30T00:00:00Z' }, 'expires_at'],
  [{ ...plain, expires_at: 1893456000 }, 'expires_at'],
  [{ ...plain, allowed_ips: '10.0.0.1' }, 'allowed_ips'],
  [{ ...plain, allowed_ips: ['10.0.0.1', '10.0.0.256'] }, 'allowed_ips.1'],
  [{ ...plain, allowed_ips: ['10.0.0.0/33'] }, 'allowed_ips.0'],
  [{ ...plain, allowed_ips: ['10.0.0.0/-1'] }, 'allowed_ips.0'],
  [{ ...plain, allowed_ips: ['10.0.0.0/8/8'] }, 'allowed_ips.0'],
  [{ ...plain, allowed_ips: ['2001:db8::/129'] }, 'allowed_ips.0'],
  [{ ...plain, allowed_ips: ['example.org'] }, 'allowed_ips.0'],
  [{ ...plain, allowed_ips: [''] }, 'allowed_ips.0'],
  [{ ...plain, secret: 'svc_live_mine' }, 'secret'],
];

test('given a field at fault, when a key is created, then it is refused by name', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  for (const [body, param] of wrongFields) {
    const answer = await app.post(path, { key, body });
    assertRefused(answer, 422, 'parameter_invalid', param);
    assert.deepEqual(
      answer.body.error.errors.map((e: { param: string }) => e.param),
      [param],
    );
  }
  await assertRefusesUnknownKey(app, 'POST', path, key, plain);
  const limits = {
    name: '€'.repeat(120),
    expires_at: new Date(app.clock.now().getTime() + 1).toISOString(),
    allowed_ips: ['127.0.0.1', '10.0.0.0/8', '2001:db8::/32', '::1', '::ffff:192.0.2.1'],
  };
  await newKey(app, key, limits);
  await newKey(app, key, { expires_at: null, allowed_ips: null });
});

test('given several fields at fault, when a key is created, then each is listed and the first is named', async (t) => {
  const app = await startApp(t);
  const { test_key: key } = await app.given.company({ plan: 'free' });
  const body = {
    name: 'Todo mal',
    scopes: ['invoices:read', 'invoices:steal', 'employees:read', 'companies:read'],
    environment: 'live',
    expires_at: '2020-01-01T00:00:00Z',
    allowed_ips: ['10.0.0.1', 'nowhere'],
  };
  const answer = await app.post(path, { key, body });
  assertRefused(answer, 422, 'invalid_scope', 'scopes.1');
  assert.deepEqual(
    answer.body.error.errors.map((e: { param: string; code: string }) => [e.param, e.code]),
    [
      ['scopes.1', 'invalid_scope'],
      ['scopes.2', 'scope_not_allowed_by_plan'],
      ['scopes.3', 'scope_not_allowed_by_plan'],
      ['environment', 'parameter_invalid'],
      ['expires_at', 'parameter_invalid'],
      ['allowed_ips.1', 'parameter_invalid'],
    ],
  );
  assert.ok(answer.body.error.errors.every((e: { message: string }) => e.message !== ''));
});

const scopeCases: [
  plan: 'free' | 'growth' | 'scale',
  environment: string,
  scope: string,
  code: string | null,
][] = [
  ['scale', 'live', '*', null],
  ['scale', 'test', '*', null],
  ['free', 'live', '*', null],
  ['scale', 'live', 'invoices:steal', 'invalid_scope'],
  ['scale', 'live', 'invoices', 'invalid_scope'],
  ['scale', 'live', 'invoices:*', 'invalid_scope'],
  ['scale', 'live', 'INVOICES:READ', 'invalid_scope'],
  ['scale', 'live', 'invoices.read', 'invalid_scope'],
  ['scale', 'live', 'constructor', 'invalid_scope'],
  ['scale', 'live', 'gateway_a:read', 'invalid_scope'],
  ['scale', 'live', 'gateway_a:write', 'invalid_scope'],
  ['scale', 'live', 'gateway_b:read', 'invalid_scope'],
  ['scale', 'live', 'gateway_b:write', 'invalid_scope'],
  ['free', 'live', 'employees:read', 'scope_not_allowed_by_plan'],
  ['growth', 'live', 'employees:read', null],
  ['growth', 'live', 'companies:read', 'scope_not_allowed_by_plan'],
  ['growth', 'live', 'stores:write', 'scope_not_allowed_by_plan'],
  ['growth', 'live', 'automations:read', 'scope_not_allowed_by_plan'],
  ['free', 'live', 'api_keys:write', null],
  ['scale', 'live', 'companies:delete', null],
  ['scale', 'test', 'companies:read', 'scope_not_allowed_in_sandbox'],
  ['scale', 'test', 'companies:write', 'scope_not_allowed_in_sandbox'],
  ['scale', 'test', 'companies:delete', 'scope_not_allowed_in_sandbox'],
  ['scale', 'test', 'api_keys:read', 'scope_not_allowed_in_sandbox'],
  ['scale', 'test', 'api_keys:write', 'scope_not_allowed_in_sandbox'],
  ['scale', 'test', 'api_keys:delete', 'scope_not_allowed_in_sandbox'],
  ['scale', 'test', 'payouts:read', 'scope_not_allowed_in_sandbox'],
  ['scale', 'test', 'paygw_autoinvoicing:write', 'scope_not_allowed_in_sandbox'],
  ['scale', 'test', 'paygw_autoinvoicing:read', null],
  ['scale', 'test', 'stores:write', null],
];

test('given scopes that catalogue, plan or sandbox refuse, when a key is created, then each is named with its cause', async (t) => {
  const app = await startApp(t);
  const companies = {
    free: await app.given.company({ plan: 'free' }),
    growth: await app.given.company({ plan: 'growth' }),
    scale: await app.given.company({ plan: 'scale' }),
  };
  for (const [plan, environment, scope, code] of scopeCases) {
    const body = { name: 'Prueba', scopes: ['account:read', scope], environment };
    const answer = await app.post(path, { key: companies[plan].live_key, body });
    if (code === null) {
      assert.equal(answer.status, 201, `${scope}: ${answer.text}`);
      continue;
    }
    assertRefused(answer, 422, code, 'scopes.1');
    const { message, ...issue } = answer.body.error.errors[0];
    assert.deepEqual(issue, { param: 'scopes.1', code });
  }
});

test('given a tier in the body, when a key is created, then it is ignored', async (t) => {
  const app = await startApp(t);
  const { live_key } = await app.given.company({ plan: 'starter' });
  for (const tier of ['scale', '', 7, null, { of: ['gold'] }]) {
    const key = await newKey(app, live_key, { tier });
    assert.equal(key.tier, 'starter');
  }
});

test('given an Idempotency-Key, when the creation is repeated, then the same secret is answered, stored nowhere in plain', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const call = (key: string, body: object) =>
    app.post(path, { key, body, headers: { 'Idempotency-Key': 'crear-1' } });
  const first = await call(acme.live_key, plain);
  const again = await call(acme.live_key, plain);
  assert.equal(again.status, 201);
  assert.equal(again.text, first.text);
  assert.equal(again.headers['idempotent-replayed'], 'true');
  assertRefused(await call(acme.live_key, { ...plain, name: 'Otra' }), 409, 'idempotency_key_reused');
  const listed = await app.get(path, { key: acme.live_key });
  assert.equal(listed.body.data.filter((k: { name: string }) => k.name === plain.name).length, 1);
  // The test key is another caller: a shared record would hand it a live secret.
  const sandbox = await call(acme.test_key, plain);
  assert.equal(sandbox.body.data.environment, 'test');
  assert.equal((await call(acme.test_key, plain)).text, sandbox.text);
  assert.deepEqual(await findSecrets(app, [first.body.data.secret, sandbox.body.data.secret]), []);
});

test('given an expiry, when it is reached, then the key opens nothing and is not active', async (t) => {
  const app = await startApp(t);
  const { live_key } = await app.given.company();
  const expires_at = new Date(app.clock.now().getTime() + 60_000).toISOString();
  const key = await newKey(app, live_key, { expires_at });
  app.clock.advance(59_999);
  assert.ok(await keyWorks(app, key.secret));
  app.clock.advance(1);
  assert.ok(!(await keyWorks(app, key.secret)));
  const { data } = (await app.get(`${path}/${key.id}`, { key: live_key })).body;
  assert.deepEqual([data.is_active, data.is_revoked, data.expires_at], [false, false, expires_at]);
});

test('given a key of a sandbox, when the clock of the sandbox reaches its expiry, then it is shown as not active', async (t) => {
  const app = await startApp(t);
  const { live_key, test_key } = await app.given.company();
  const expires_at = new Date(app.clock.now().getTime() + 86_400_000).toISOString();
  const { id } = await newKey(app, test_key, { environment: 'test', expires_at });
  const shown = async (key: string) => [
    (await app.get(`${path}/${id}`, { key })).body.data.is_active,
    (await app.get(path, { key })).body.data.find((one: { id: string }) => one.id === id).active,
  ];
  assert.deepEqual(await shown(live_key), [true, true]);
  const moved = await app.put('/v1/sandbox/clock', {
    key: test_key,
    body: { now: expires_at, frozen: true },
  });
  assert.equal(moved.status, 200, moved.text);
  for (const key of [live_key, test_key]) assert.deepEqual(await shown(key), [false, false]);
});

test('given a key that makes another, when the audit log is read, then it names the granting key and no secret', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const made = await newKey(app, acme.live_key, plain);
  const { body } = await app.get('/v1/audit-log', {
    key: acme.live_key,
    query: { action: 'api_key.created' },
  });
  const [entry] = body.data;
  const granted_by = await idOf(app, acme.live_key);
  assert.deepEqual(entry.target, { object: 'api_key', id: made.id });
  assert.deepEqual([entry.actor, entry.actor_key_id], ['api_key', granted_by]);
  assert.deepEqual(entry.details, { scopes: plain.scopes, environment: 'live', granted_by });
});

test('given a key without account:write, when it makes a key, then it is refused', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  await assertNeedsScope(app, acme, 'account:write', 'POST', path, { body: plain });
});

test('given as many keys in force as a company may have, when one more is made, then it is refused until one ends', async (t) => {
  const app = await startApp(t, { env: { FOLIO_API_KEYS_MAX: '5' } });
  const acme = await app.given.company();
  const [one] = [await newKey(app, acme.live_key), await newKey(app, acme.live_key, { environment: 'test' })];
  const expires_at = new Date(app.clock.now().getTime() + 60_000).toISOString();
  await newKey(app, acme.test_key, { expires_at });
  for (const key of [acme.live_key, acme.test_key]) {
    const refused = await app.post(path, { key, body: plain });
    assertRefused(refused, 422, 'business_rule_violation');
    assert.match(refused.body.error.message, /5 claves/);
  }
  await app.post(`${path}/${one.id}/revoke`, { key: acme.live_key });
  await newKey(app, acme.live_key);
  app.clock.advance(60_001);
  // The expired one no longer counts; of two at once only one gets its place.
  const answers = await Promise.all([0, 1].map(() => app.post(path, { key: acme.live_key, body: plain })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422]);
  const other = await app.given.company();
  await newKey(app, other.live_key);
});

test('given several that make live keys at once, when their company is free, then each has its key, and none waits for another that waits for it', async (t) => {
  const app = await startApp(t, { fresh: true });
  const { company_id, live_key: key } = await app.given.company();
  const held = await holdLock(
    t,
    app,
    (sql) => sql`select 1 from companies where company_id = ${company_id} for no key update`,
  );
  const calls = [1, 2, 3].map((n) => app.post(path, { key, body: { ...plain, name: `${n}` } }));
  await until(async () => (await waitersOf(app)) === 3);
  await held.release();
  assert.deepEqual(
    (await Promise.all(calls)).map(({ status }) => status),
    [201, 201, 201],
  );
  // Connections report their counts when they end.
  await app.stop();
  const [found] = await app.sql<{ deadlocks: number }[]>`
    select deadlocks::integer from pg_stat_database where datname = current_database()`;
  assert.equal(found?.deadlocks, 0);
});
