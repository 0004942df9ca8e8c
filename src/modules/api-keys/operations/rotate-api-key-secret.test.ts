import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp, type TestCompany } from '../../../../test/harness.ts';
import { idOf, newKey, rotateKey, keyWorks } from '../../../../test/support/api-keys.ts';
import { assertNeedsScope, assertRefused } from '../../../../test/support/resource-checks.ts';
import { newId } from '../../../kernel/uuid7.ts';

const path = '/v1/account/api-keys';
const hour = 3_600_000;

test('given a key, when it is rotated, then it has a new prefix and secret and the answer just the specified fields', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  for (const environment of ['live', 'test'] as const) {
    const made = await newKey(app, key, { environment, scopes: ['account:read', 'invoices:read'] });
    const { status, body } = await app.post(`${path}/${made.id}/rotate_secret`, { key });
    assert.equal(status, 200);
    const { prefix, secret, ...rest } = body.data;
    assert.match(secret, new RegExp(`^svc_${environment}_[0-9A-Za-z]{24}$`));
    assert.equal(prefix, secret.slice(0, 13));
    assert.notEqual(prefix, made.prefix);
    assert.deepEqual(rest, { object: 'api_key', id: made.id, scopes: made.scopes, environment });
    const shown = (await app.get(`${path}/${made.id}`, { key })).body.data;
    assert.equal(shown.prefix, prefix);
    assert.deepEqual([await keyWorks(app, made.secret), await keyWorks(app, secret)], [true, true]);
  }
});

test('given a rotated key, when the hours pass, then the previous secret warns how many are left, then is refused', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const made = await newKey(app, key, { scopes: ['account:read', 'invoices:read'] });
  const rotated_at = app.clock.now().getTime();
  const { secret } = await rotateKey(app, key, made.id);
  const ends_at = new Date(rotated_at + 24 * hour).toISOString();
  for (const [ms, hours] of [
    [0, 24],
    [1, 24],
    [hour, 23],
    [hour + 1, 23],
    [12 * hour, 12],
    [23 * hour - 1, 2],
    [23 * hour, 1],
    [24 * hour - 1, 1],
  ] as const) {
    app.clock.set(new Date(rotated_at + ms));
    const warning = `199 svc "This secret was rotated and stops working in ${hours} ${hours === 1 ? 'hour' : 'hours'}"`;
    // Refusals carry the warning too.
    for (const [url, status] of [
      ['/v1/account', 200],
      ['/v1/clients', 403],
      ['/v1/nowhere', 404],
      ['/v1/invoices?x=1', 422],
    ] as const) {
      const { headers, ...answer } = await app.get(url, { key: made.secret });
      assert.equal(answer.status, status);
      assert.equal(headers.warning, warning, `${url} after ${ms} ms`);
      assert.equal(headers['service-key-secret-expires'], ends_at);
    }
    const { headers } = await app.get('/v1/account', { key: secret });
    assert.deepEqual([headers.warning, headers['service-key-secret-expires']], [undefined, undefined]);
  }
  app.clock.set(new Date(rotated_at + 24 * hour));
  assert.deepEqual([await keyWorks(app, made.secret), await keyWorks(app, secret)], [false, true]);
});

test('given a rotated key that expires within its grace, when the previous secret is used, then it tells the hours until the key expires', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const now = app.clock.now().getTime();
  for (const [expires_in, ends_in, hours] of [
    [5 * hour, 5 * hour, '5 hours'],
    [24 * hour - 1, 24 * hour - 1, '24 hours'],
    [30 * hour, 24 * hour, '24 hours'],
  ] as const) {
    const made = await newKey(app, key, { expires_at: new Date(now + expires_in).toISOString() });
    await rotateKey(app, key, made.id);
    const { headers } = await app.get('/v1/account', { key: made.secret });
    assert.equal(headers['service-key-secret-expires'], new Date(now + ends_in).toISOString());
    assert.equal(headers.warning, `199 svc "This secret was rotated and stops working in ${hours}"`);
  }
});

async function secretsOf(app: App, key_id: string): Promise<number> {
  const [row] = await app.sql<
    { count: number }[]
  >`select count(*)::int as count from credentials where key_id = ${key_id}`;
  return row!.count;
}

test('given a rotated key, when its 24 hours are over, then the previous secret is purged and not earlier', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  for (const environment of ['live', 'test']) {
    const { id } = await newKey(app, acme.live_key, { environment });
    await rotateKey(app, acme.live_key, id);
    app.clock.advance(24 * hour - 1000);
    await app.service.worker.runDue(acme.company_id);
    assert.equal(await secretsOf(app, id), 2, 'still within the grace');
    app.clock.advance(1000);
    await app.service.worker.runDue(acme.company_id);
    assert.equal(await secretsOf(app, id), 1, 'purged');
  }
});

async function setSandboxClock(
  app: App,
  company: TestCompany,
  offset_ms: number,
  frozen_at: Date | null,
): Promise<void> {
  const { sandbox_company_id } = company;
  for (const table of ['companies', 'credentials']) {
    await app.sql`
      update ${app.sql(table)} set clock_offset_ms = ${offset_ms}, clock_frozen_at = ${frozen_at} where company_id = ${sandbox_company_id}`;
  }
}

test('given a sandbox with a clock of its own, when its key is rotated, then grace, warning and purge follow that clock', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { company_id } = acme;
  const day = 24 * hour;
  await setSandboxClock(app, acme, 30 * day, null);
  const ahead = await newKey(app, acme.test_key);
  await rotateKey(app, acme.test_key, ahead.id);
  const { headers } = await app.get('/v1/account', { key: ahead.secret });
  const ends_at = new Date(app.clock.now().getTime() + 31 * day).toISOString();
  assert.equal(headers['service-key-secret-expires'], ends_at);
  assert.match(String(headers.warning), /in 24 hours/);
  app.clock.advance(day);
  assert.ok(!(await keyWorks(app, ahead.secret)));
  await app.service.worker.runDue(company_id);
  assert.equal(await secretsOf(app, ahead.id), 1, 'purged');

  // While the clock stands still, the grace does not end.
  const frozen_at = new Date(app.clock.now().getTime() + 40 * day);
  await setSandboxClock(app, acme, 0, frozen_at);
  const still = await newKey(app, acme.test_key);
  await rotateKey(app, acme.test_key, still.id);
  app.clock.advance(3 * day);
  await app.service.worker.runDue(company_id);
  assert.ok(await keyWorks(app, still.secret));
  await setSandboxClock(app, acme, 42 * day, null);
  assert.ok(!(await keyWorks(app, still.secret)));
  app.clock.advance(day);
  await app.service.worker.runDue(company_id);
  assert.equal(await secretsOf(app, still.id), 1, 'purged after all');
});

test('given a key rotated twice, when its secrets are used, then only the last two open', async (t) => {
  const app = await startApp(t);
  const { live_key: key, company_id } = await app.given.company();
  const { id, secret: first } = await newKey(app, key);
  const { secret: second } = await rotateKey(app, key, id);
  app.clock.advance(23 * hour);
  const { secret: third } = await rotateKey(app, key, id);
  const usable = async () => [
    await keyWorks(app, first),
    await keyWorks(app, second),
    await keyWorks(app, third),
  ];
  assert.deepEqual(await usable(), [false, true, true]);
  // The second secret has its own 24 hours. The first rotation's job must leave it alone.
  app.clock.advance(2 * hour);
  await app.service.worker.runDue(company_id);
  assert.deepEqual(await usable(), [false, true, true]);
  app.clock.advance(22 * hour);
  await app.service.worker.runDue(company_id);
  assert.deepEqual(await usable(), [false, false, true]);
  assert.equal(await secretsOf(app, id), 1);
});

test('given callers that rotate at once, when all are answered, then two secrets open: the last and one before', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const { id, secret } = await newKey(app, key);
  const rotated = await Promise.all(Array.from({ length: 6 }, () => rotateKey(app, key, id)));
  const secrets = [secret, ...rotated.map((r) => r.secret)];
  const opens = await Promise.all(secrets.map((s) => keyWorks(app, s)));
  assert.equal(opens.filter(Boolean).length, 2);
  assert.equal(await secretsOf(app, id), 2);
});

test('given a key that rotates itself, when it goes on, then either secret is the same key', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const id = await idOf(app, acme.test_key);
  const headers = { 'Idempotency-Key': 'rotar' };
  const first = await app.post(`${path}/${id}/rotate_secret`, { key: acme.test_key, headers });
  const again = await app.post(`${path}/${id}/rotate_secret`, { key: first.body.data.secret, headers });
  assert.equal(again.text, first.text);
  assert.equal(again.headers['idempotent-replayed'], 'true');
  assert.equal(await idOf(app, acme.test_key), id);
});

test("given a key that is revoked, expired or not the company's, when it is rotated, then it is refused", async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const other = await app.given.company();
  const key = acme.live_key;
  const revoked = await newKey(app, key);
  await app.post(`${path}/${revoked.id}/revoke`, { key });
  const expired = await newKey(app, key, {
    expires_at: new Date(app.clock.now().getTime() + 1).toISOString(),
  });
  app.clock.advance(1);
  const live = await newKey(app, key);
  const foreign = await newKey(app, other.live_key);
  for (const [caller, id, status, code] of [
    [key, revoked.id, 409, 'invalid_status_transition'],
    [key, expired.id, 409, 'invalid_status_transition'],
    [key, foreign.id, 404, 'api_key_not_found'],
    [key, newId(), 404, 'api_key_not_found'],
    [key, 'none', 404, 'api_key_not_found'],
    [acme.test_key, live.id, 404, 'api_key_not_found'],
  ] as const) {
    assertRefused(await app.post(`${path}/${id}/rotate_secret`, { key: caller }), status, code);
  }
  assertRefused(
    await app.post(`${path}/${live.id}/rotate_secret`, { key, body: { grace: 0 } }),
    422,
    'parameter_invalid',
    'grace',
  );
  const shown = (await app.get(`${path}/${live.id}`, { key })).body.data;
  assert.equal(shown.prefix, live.prefix);
  await assertNeedsScope(app, acme, 'account:write', 'POST', `${path}/${live.id}/rotate_secret`);
});
