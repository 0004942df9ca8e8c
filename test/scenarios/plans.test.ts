import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defineOperation } from '../../src/kernel/operation.ts';
import { One, Type } from '../../src/kernel/schema.ts';
import { boostCompany, createOperatorKey, setPlan } from '../../src/modules/companies/index.ts';
import { startApp } from '../harness.ts';
import { idOf, newKey } from '../support/api-keys.ts';
import { holdLock, waitersOf } from '../support/held-lock.ts';
import { assertRefused } from '../support/resource-checks.ts';
import { until } from '../support/worker-place.ts';

/** A plan or the sandbox may exclude the scope. */
function needs(scope: string) {
  return defineOperation({
    name: `probe_${scope.replace(':', '_')}`,
    method: 'GET',
    path: `/v1/probe/${scope.replace(':', '-')}`,
    scope,
    tag: 'probe',
    summary: 'Prueba.',
    transaction: 'read',
    mcp: false,
    output: One(Type.Object({ ok: Type.Boolean() })),
    errors: [],
    handle: async () => ({ data: { ok: true } }),
  });
}
const probes = [
  'employees:read',
  'companies:read',
  'payouts:read',
  'paygw_autoinvoicing:write',
  'stores:read',
].map(needs);
const pathOf = (scope: string) => `/v1/probe/${scope.replace(':', '-')}`;

test('given a plan with modules, when it is lowered, then keys keep their scopes and calls that need the module are 403', async (t) => {
  const app = await startApp(t, { more_operations: probes });
  const acme = await app.given.company({ plan: 'scale' });
  const scopes = ['account:read', 'employees:read', 'companies:read', 'stores:read'];
  const named = await newKey(app, acme.live_key, { scopes });
  const statuses = async (key: string) => {
    const answers = await Promise.all(scopes.slice(1).map((scope) => app.get(pathOf(scope), { key })));
    for (const answer of answers) if (answer.status !== 200) assertRefused(answer, 403, 'insufficient_scope');
    return answers.map((a) => a.status);
  };
  for (const [plan, expected] of [
    ['scale', [200, 200, 200]],
    ['growth', [200, 403, 403]],
    ['free', [403, 403, 403]],
    ['scale', [200, 200, 200]],
  ] as const) {
    await setPlan(app.db, acme.company_id, plan, app.clock.now());
    for (const key of [named.secret, acme.live_key]) assert.deepEqual(await statuses(key), expected, plan);
    const { data } = (await app.get('/v1/account', { key: named.secret })).body;
    assert.deepEqual([data.scopes, data.tier], [scopes, plan]);
    const shown = (await app.get(`/v1/account/api-keys/${named.id}`, { key: acme.live_key })).body.data;
    assert.deepEqual([shown.scopes, shown.tier], [scopes, plan]);
  }
});

test('given a key with every scope in the sandbox, when it needs one that sandbox or plan refuse, then it is 403', async (t) => {
  const app = await startApp(t, { more_operations: probes });
  const acme = await app.given.company({ plan: 'scale' });
  const read = async (key: string, scope: string) => (await app.get(pathOf(scope), { key })).status;
  for (const [scope, live, test] of [
    ['employees:read', 200, 200],
    ['stores:read', 200, 200],
    ['companies:read', 200, 403],
    ['payouts:read', 200, 403],
    ['paygw_autoinvoicing:write', 200, 403],
  ] as const) {
    assert.deepEqual(
      [await read(acme.live_key, scope), await read(acme.test_key, scope)],
      [live, test],
      scope,
    );
  }
  const answer = await app.get(pathOf('payouts:read'), { key: acme.test_key });
  assert.equal(answer.body.error.type, 'authorization_error');
  assert.match(answer.body.error.message, /payouts:read/);
});

test('given a capacity boost, when it is in force, then tier and limits are the higher ones until its end, modules are not', async (t) => {
  const env = { FOLIO_RATE_LIMITS: '{"free":[2,2],"starter":[3,3],"growth":[5,5]}' };
  const app = await startApp(t, { env, more_operations: probes });
  const acme = await app.given.company({ plan: 'starter' });
  app.clock.set('2026-05-04T10:00:00Z');
  const minute = () => app.clock.advance(60_000);
  const tierAndLimit = async (key: string) => {
    const { body, headers } = await app.get('/v1/account', { key });
    return [body.data.tier, /q=(\d+)/.exec(String(headers['ratelimit-policy']))?.[1]];
  };
  assert.deepEqual(await tierAndLimit(acme.live_key), ['starter', '3']);
  await boostCompany(app.db, acme.company_id, 'growth', new Date('2026-05-04T10:10:00Z'), app.clock.now());
  minute();
  for (const key of [acme.live_key, acme.test_key])
    assert.deepEqual(await tierAndLimit(key), ['growth', '5']);
  assertRefused(await app.get(pathOf('employees:read'), { key: acme.live_key }), 403, 'insufficient_scope');
  const made = await newKey(app, acme.live_key);
  assert.equal(made.tier, 'growth');
  assert.deepEqual(await tierAndLimit(made.secret), ['growth', '5']);
  const listed = await app.get('/v1/account/api-keys', { key: acme.live_key });
  assert.deepEqual([...new Set(listed.body.data.map((k: { tier: string }) => k.tier))], ['growth']);
  assert.equal((await app.get('/v1/account/company', { key: acme.live_key })).body.data.tier, 'growth');

  app.clock.set('2026-05-04T10:09:59.999Z');
  assert.deepEqual(await tierAndLimit(acme.live_key), ['growth', '5']);
  app.clock.set('2026-05-04T10:10:00Z');
  for (const key of [acme.live_key, acme.test_key, made.secret])
    assert.deepEqual(await tierAndLimit(key), ['starter', '3']);
  assert.equal((await app.get('/v1/account/company', { key: acme.test_key })).body.data.tier, 'starter');

  // A boost below the plan changes nothing.
  await boostCompany(app.db, acme.company_id, 'free', new Date('2026-05-04T11:00:00Z'), app.clock.now());
  minute();
  assert.deepEqual(await tierAndLimit(acme.live_key), ['starter', '3']);
  const id = await idOf(app, acme.live_key);
  assert.equal(
    (await app.get(`/v1/account/api-keys/${id}`, { key: acme.live_key })).body.data.tier,
    'starter',
  );
});

test('given a change of plan at that moment, when a key is made, gets another secret, or the tier is lifted, then nothing keeps the plan before', async (t) => {
  const app = await startApp(t, { fresh: true });
  const { company_id, live_key: key } = await app.given.company({ plan: 'scale' });
  const now = app.clock.now();
  const of_sandbox = await newKey(app, key, { environment: 'test' });
  const make = (environment: string) =>
    app.post('/v1/account/api-keys', { key, body: { name: 'Otra', scopes: ['invoices:read'], environment } });
  const makeAsOperator = (environment: 'live' | 'test') => {
    const asked = { company_id, environment, scopes: ['invoices:read'], name: 'Otra', api_version: null };
    return createOperatorKey(app.db, asked, () => undefined, now);
  };
  const cases: [what: string, call: () => Promise<unknown>][] = [
    ['a live key', () => make('live')],
    ['a test key', () => make('test')],
    ['a secret', () => app.post(`/v1/account/api-keys/${of_sandbox.id}/rotate_secret`, { key })],
    ['a live key by the operator', () => makeAsOperator('live')],
    ['a test key by the operator', () => makeAsOperator('test')],
    ['a tier', () => boostCompany(app.db, company_id, 'growth', new Date(now.getTime() + 60_000), now)],
  ];
  for (const [n, [what, call]] of cases.entries()) {
    const plan = n % 2 ? 'scale' : 'free';
    // The change stops at its entry in the audit log.
    const held = await holdLock(t, app, (sql) => sql`lock table audit_log in share mode`);
    const changing = setPlan(app.db, company_id, plan, now);
    await until(async () => (await waitersOf(app)) === 1);
    const meanwhile = call();
    await until(async () => (await waitersOf(app)) === 2);
    await held.release();
    await Promise.all([changing, meanwhile]);
    const found = await app.sql`select distinct plan from credentials where key_company_id = ${company_id}`;
    assert.deepEqual([...found], [{ plan }], what);
  }
  // Connections report their counts when they end.
  await app.stop();
  const [ended] = await app.sql<{ deadlocks: number }[]>`
    select deadlocks::integer from pg_stat_database where datname = current_database()`;
  assert.equal(ended?.deadlocks, 0);
});
