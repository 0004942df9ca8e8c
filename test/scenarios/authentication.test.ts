import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { newSecret } from '../../src/platform/credentials.ts';
import { type App, startApp } from '../harness.ts';
import { assertInvalidKey, idOf, newKey, rotateKey, keyWorks } from '../support/api-keys.ts';
import { assertRefused } from '../support/resource-checks.ts';

const behindProxy = { env: { FOLIO_TRUSTED_PROXIES: '127.0.0.1' } };
const from = (ip: string) => ({ 'X-Forwarded-For': ip });

test('given a key in either header, when a call is made, then Authorization wins even when it is no Bearer', async (t) => {
  const app = await startApp(t, { fresh: true });
  const { live_key: key, test_key: other } = await app.given.company();
  const basic = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
  const cases: [headers: Record<string, string>, code: string | null][] = [
    [{ Authorization: `Bearer ${key}` }, null],
    [{ Authorization: `bearer ${key}` }, null],
    [{ Authorization: `BEARER  ${key} ` }, null],
    [{ 'X-API-Key': key }, null],
    [{ Authorization: `Bearer ${key}`, 'X-API-Key': 'nonsense' }, null],
    [{ Authorization: 'Bearer nonsense', 'X-API-Key': key }, 'invalid_api_key'],
    [{ Authorization: basic, 'X-API-Key': key }, 'invalid_api_key'],
    [{ Authorization: '', 'X-API-Key': key }, 'invalid_api_key'],
    [{ Authorization: 'Bearer', 'X-API-Key': key }, 'invalid_api_key'],
    [{ Authorization: key }, 'invalid_api_key'],
    [{ Authorization: `Bearer ${key} ${key}` }, 'invalid_api_key'],
    [{ 'X-API-Key': `Bearer ${key}` }, 'invalid_api_key'],
    [{ 'X-API-Key': '' }, 'invalid_api_key'],
    [{}, 'missing_api_key'],
  ];
  for (const [headers, code] of cases) {
    const answer = await app.get('/v1/account', { headers });
    if (code === null) assert.equal(answer.status, 200, JSON.stringify(headers));
    else assertRefused(answer, 401, code);
    const challenge = `Bearer resource_metadata="${app.url}/.well-known/oauth-protected-resource/v1"`;
    const error = code === 'invalid_api_key' ? ', error="invalid_token"' : '';
    assert.equal(answer.headers['www-authenticate'], code === null ? undefined : `${challenge}${error}`);
  }
  const both = { Authorization: `Bearer ${key}`, 'X-API-Key': other };
  const read = await app.get('/v1/account/company', { headers: both });
  assert.equal(read.body.data.environment, 'live');
});

test('given a key that is unusable for whatever cause, when it is used, then the answer is the same to the byte', async (t) => {
  const app = await startApp(t, { ...behindProxy, fresh: true });
  const { live_key: key } = await app.given.company();
  const revoked = await newKey(app, key);
  await app.post(`/v1/account/api-keys/${revoked.id}/revoke`, { key });
  const expires_at = new Date(app.clock.now().getTime() + 1000).toISOString();
  const expired = await newKey(app, key, { expires_at });
  const rotated = await newKey(app, key);
  await rotateKey(app, key, rotated.id);
  app.clock.advance(24 * 3_600_000);
  const elsewhere = await newKey(app, key, { allowed_ips: ['192.0.2.1'] });
  const usable = await newKey(app, key);
  const secrets = {
    unknown: newSecret('live'),
    malformed: 'svc_live_short',
    empty: '',
    long: `svc_live_${'x'.repeat(5000)}`,
    revoked: revoked.secret,
    expired: expired.secret,
    previous: rotated.secret,
    address: elsewhere.secret,
    prefix: usable.prefix,
    other_environment: usable.secret.replace('svc_live_', 'svc_test_'),
    other_case: usable.secret.replace('svc_live_', 'SVC_LIVE_'),
    id: usable.id,
  };
  const seen = new Set<string>();
  for (const [cause, secret] of Object.entries(secrets)) {
    const answer = await app.get('/v1/account', {
      headers: { 'X-API-Key': secret, ...from('198.51.100.7') },
    });
    assertInvalidKey(answer);
    const { 'x-request-id': request_id, date: _, ...headers } = answer.headers;
    assert.equal(answer.body.error.request_id, request_id, cause);
    seen.add(JSON.stringify([answer.status, headers, answer.text.replaceAll(String(request_id), 'ID')]));
  }
  assert.equal(seen.size, 1, [...seen].join('\n'));
});

const addressCases: [allowed: string[], ip: string, ok: boolean][] = [
  [[], '203.0.113.9', true],
  [['203.0.113.9'], '203.0.113.9', true],
  [['203.0.113.9'], '203.0.113.10', false],
  [['203.0.113.9'], '::ffff:203.0.113.9', true],
  [['::ffff:203.0.113.9'], '203.0.113.9', true],
  [['203.0.113.0/24'], '203.0.113.255', true],
  [['203.0.113.0/24'], '::ffff:203.0.113.255', true],
  [['203.0.113.0/24'], '203.0.114.0', false],
  [['203.0.113.8/31'], '203.0.113.9', true],
  [['203.0.113.8/31'], '203.0.113.10', false],
  [['0.0.0.0/0'], '203.0.113.9', true],
  [['0.0.0.0/0'], '2001:db8::1', false],
  [['::/0'], '203.0.113.9', false],
  [['2001:db8::1'], '2001:DB8:0:0:0:0:0:1', true],
  [['2001:db8::1'], '2001:db8::2', false],
  [['2001:db8::/32'], '2001:db8:ffff::1', true],
  [['2001:db8::/32'], '2001:db9::1', false],
  [['10.0.0.1', '2001:db8::/64', '192.0.2.0/30'], '192.0.2.3', true],
  [['10.0.0.1', '2001:db8::/64', '192.0.2.0/30'], '192.0.2.4', false],
];

test('given a list of addresses, when a key is used from inside and outside, then only inside it opens', async (t) => {
  const app = await startApp(t, { ...behindProxy, fresh: true });
  const { live_key: key } = await app.given.company();
  for (const [allowed_ips, ip, ok] of addressCases) {
    const { secret } = await newKey(app, key, { allowed_ips });
    const answer = await app.get('/v1/account', { key: secret, headers: from(ip) });
    assert.equal(answer.status, ok ? 200 : 401, `${ip} for ${allowed_ips.join(' ')}`);
  }
});

test('given a use from an address outside the list, when the audit log is read, then it tells which key and from where', async (t) => {
  const app = await startApp(t, { ...behindProxy, fresh: true });
  const { live_key: key } = await app.given.company();
  const made = await newKey(app, key, { allowed_ips: ['192.0.2.0/24'] });
  const refused = await app.get('/v1/account', { key: made.secret, headers: from('198.51.100.7') });
  assertInvalidKey(refused);
  await app.service.flush();
  const query = { action: 'api_key.address_refused' };
  const { body } = await app.get('/v1/audit-log', { key, query });
  assert.equal(body.data.length, 1);
  const { id, created_at, ...entry } = body.data[0];
  assert.deepEqual(entry, {
    object: 'audit_entry',
    actor: 'system',
    actor_id: null,
    actor_name: 'authentication',
    actor_key_id: made.id,
    actor_user_id: null,
    actor_user_name: null,
    action: 'api_key.address_refused',
    target: { object: 'api_key', id: made.id },
    details: { ip: '198.51.100.7' },
    ip: '198.51.100.7',
    request_id: refused.headers['x-request-id'],
  });
  const shown = (await app.get(`/v1/account/api-keys/${made.id}`, { key })).body.data;
  assert.equal(shown.last_used_at, null, 'a refused use is no use');
});

async function failTimes(app: App, times: number, ip: string): Promise<void> {
  for (let i = 0; i < times; i++) {
    assertInvalidKey(await app.get('/v1/account', { key: newSecret('live'), headers: from(ip) }));
  }
}

test('given twenty failures in a minute, when the address goes on, then it waits; a key that is valid passes', async (t) => {
  const app = await startApp(t, { ...behindProxy, fresh: true });
  const acme = await app.given.company();
  const used = await newKey(app, acme.live_key);
  const fresh = await newKey(app, acme.live_key);
  const ended = await newKey(app, acme.live_key);
  const headers = from('198.51.100.7');
  for (const { secret } of [used, ended]) await app.get('/v1/account', { key: secret, headers });
  await app.post(`/v1/account/api-keys/${ended.id}/revoke`, { key: acme.live_key });
  app.clock.advance(3_600_000 - 30_000);
  const start = app.clock.now().getTime();
  await failTimes(app, 19, '198.51.100.7');
  assert.equal(
    (await app.get('/v1/account', { key: fresh.secret, headers })).status,
    200,
    'nineteen are no block',
  );
  // A missing key is no attempt.
  for (let i = 0; i < 5; i++)
    assertRefused(await app.get('/v1/account', { headers }), 401, 'missing_api_key');
  await failTimes(app, 1, '198.51.100.7');

  const never = await newKey(app, acme.live_key);
  const waits = async (secret: string, seconds: number) => {
    const answer = await app.get('/v1/account', { key: secret, headers });
    assertRefused(answer, 429, 'too_many_auth_failures');
    assert.equal(answer.body.error.type, 'rate_limit_error');
    assert.equal(answer.headers['retry-after'], String(seconds));
    assert.match(answer.body.error.message, new RegExp(` ${seconds} segundos`));
  };
  await waits(newSecret('live'), 60);
  await waits('nonsense', 60);
  // A revoked key that was in use looks like one that never existed.
  await waits(ended.secret, 60);
  for (const { secret } of [used, fresh, never]) {
    assert.equal((await app.get('/v1/account', { key: secret, headers })).status, 200);
  }
  assertInvalidKey(await app.get('/v1/account', { key: newSecret('live'), headers: from('198.51.100.8') }));
  app.clock.advance(59_001);
  await waits(newSecret('live'), 1);
  app.clock.set(new Date(start + 60_000));
  await failTimes(app, 1, '198.51.100.7');
  assert.equal((await app.get('/v1/account', { key: acme.test_key, headers })).status, 200);
});

test('given twenty failures from one IPv6 network, when any address of it goes on, then it waits; the next network does not', async (t) => {
  const app = await startApp(t, { ...behindProxy, fresh: true });
  for (let i = 1; i <= 20; i++) await failTimes(app, 1, `2001:db8:0:7:${i}::${i}`);
  const tried = (ip: string) => app.get('/v1/account', { key: newSecret('live'), headers: from(ip) });
  assertRefused(await tried('2001:db8:0:7:ffff::1'), 429, 'too_many_auth_failures');
  assertInvalidKey(await tried('2001:db8:0:8::1'));
  // IPv4 within IPv6 is one address, not a network.
  for (let i = 1; i <= 20; i++) await failTimes(app, 1, `::ffff:192.0.2.${i}`);
  assertInvalidKey(await tried('::ffff:192.0.2.21'));
});

test('given no trusted proxy, when requests come through one, then the log warns once', async (t) => {
  const warnings = (app: App) => app.log_lines.filter((line) => line.includes('FOLIO_TRUSTED_PROXIES'));
  const plain = await startApp(t, { fresh: true });
  await plain.get('/healthz');
  assert.deepEqual(warnings(plain), []);
  for (let i = 0; i < 3; i++) await plain.get('/v1/account', { headers: from('198.51.100.7') });
  assert.equal(warnings(plain).length, 1);
  assert.equal(JSON.parse(warnings(plain)[0]!).level, 40);
  const trusting = await startApp(t, { ...behindProxy, fresh: true });
  await trusting.get('/v1/account', { headers: from('198.51.100.7') });
  assert.deepEqual(warnings(trusting), []);
});

test('given many wrong secrets at once, when all are answered, then just twenty were tried', async (t) => {
  const app = await startApp(t, { fresh: true });
  const answers = await Promise.all(
    Array.from({ length: 30 }, () => app.get('/v1/account', { key: newSecret('live') })),
  );
  const statuses = answers.map((a) => a.status).sort();
  assert.deepEqual(statuses, [...Array(20).fill(401), ...Array(10).fill(429)]);
});

test('given no key, when anything under /v1 is asked for, then it is 401 before it is 404', async (t) => {
  const app = await startApp(t, { fresh: true });
  const { live_key: key } = await app.given.company();
  for (const path of [
    '/v1',
    '/v1/',
    '/v1/nowhere',
    '/v1/account/',
    '/v1/clients/x/y',
    '/v1?x=1',
    '/%761/account',
    '/v1%2Faccount',
    '/v1/../v1/account',
  ]) {
    assertRefused(await app.get(path), 401, 'missing_api_key');
    if (/account$/.test(path)) continue;
    assertRefused(await app.get(path, { key }), 404, 'resource_not_found');
  }
  assertRefused(await app.put('/v1/account', { body: {} }), 401, 'missing_api_key');
  assertRefused(await app.put('/v1/account', { key, body: {} }), 405, 'method_not_allowed');
  assert.equal((await app.get('/nowhere')).status, 404);
});

/** A client would normalise the target. @returns the status line */
function rawGet(app: App, target: string, headers: string): Promise<string> {
  const { hostname, port } = new URL(app.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET ${target} HTTP/1.1\r\nHost: x\r\n${headers}Connection: close\r\n\r\n`),
    );
    let text = '';
    socket
      .on('data', (chunk) => (text += chunk))
      .on('end', () => resolve(text.split('\r\n', 1)[0]!))
      .on('error', reject);
  });
}

test('given a target in another spelling, when it is asked for, then it needs its key like the usual one', async (t) => {
  const app = await startApp(t, { fresh: true });
  const { live_key: key } = await app.given.company();
  for (const target of [
    '/v1/account',
    'http://elsewhere.test/v1/account',
    '/%76%31/account',
    '/v1/%61ccount',
  ]) {
    assert.equal(await rawGet(app, target, ''), 'HTTP/1.1 401 Unauthorized', target);
    assert.equal(await rawGet(app, target, `X-API-Key: ${key}\r\n`), 'HTTP/1.1 200 OK', target);
  }
  for (const target of [
    '//v1/account',
    '/v1//account',
    'http://elsewhere.test/v1/nowhere',
    '/%761/nowhere',
  ]) {
    const status = await rawGet(app, target, '');
    assert.match(status, /^HTTP\/1.1 40[14] /, target);
  }
});

test('given two processes, when a key is revoked or rotated in one, then the other knows at once', async (t) => {
  const one = await startApp(t, { fresh: true });
  const two = await startApp(t, { fresh: true });
  const { live_key } = await one.given.company();
  const made = await newKey(one, live_key);
  assert.deepEqual([await keyWorks(one, made.secret), await keyWorks(two, made.secret)], [true, true]);
  const { secret } = await rotateKey(two, live_key, made.id);
  const warned = await one.get('/v1/account', { key: made.secret });
  assert.match(String(warned.headers.warning), /^199 /);
  assert.ok(await keyWorks(one, secret));
  await two.post(`/v1/account/api-keys/${made.id}/revoke`, { key: live_key });
  for (const app of [one, two]) {
    assert.deepEqual([await keyWorks(app, made.secret), await keyWorks(app, secret)], [false, false]);
  }
});

test("given a browser's headers, when /v1 is called, then no CORS header answers", async (t) => {
  const app = await startApp(t, { fresh: true });
  const { live_key: key } = await app.given.company();
  const headers = {
    Origin: 'https://shop.example',
    'Access-Control-Request-Method': 'POST',
    'Access-Control-Request-Headers': 'authorization',
  };
  const answers = [
    await app.get('/v1/account', { key, headers }),
    await app.get('/v1/account', { headers }),
    await app.post('/v1/clients', { key, headers, body: { name: 'Uno' } }),
    await app.get('/v1/nowhere', { key, headers }),
  ];
  const preflight = await fetch(new URL('/v1/clients', app.url), { method: 'OPTIONS', headers });
  assert.equal(preflight.status, 401);
  const names = [...answers.flatMap((a) => Object.keys(a.headers)), ...preflight.headers.keys()];
  assert.deepEqual(
    names.filter((name) => name.startsWith('access-control')),
    [],
  );
});

test('given calls with a key, when time passes, then last_used_at moves at most once a minute, over all processes', async (t) => {
  const one = await startApp(t, { fresh: true });
  const two = await startApp(t, { fresh: true });
  const { live_key } = await one.given.company();
  const { id, secret } = await newKey(one, live_key);
  const start = one.clock.now().getTime();
  const call = async (app: App, seconds: number) => {
    app.clock.set(new Date(start + seconds * 1000));
    assert.ok(await keyWorks(app, secret));
    await app.service.flush();
    const [row] = await app.sql<
      { last_used_at: Date | null }[]
    >`select last_used_at from api_keys where id = ${id}`;
    return row?.last_used_at ? (row.last_used_at.getTime() - start) / 1000 : null;
  };
  assert.equal(await call(one, 5), 5);
  assert.equal(await call(one, 40), 5);
  assert.equal(await call(two, 50), 5);
  assert.equal(await call(two, 64), 5);
  assert.equal(await call(two, 200), 200);
  assert.equal(await call(one, 201), 200);
  assert.equal(await call(one, 261), 261);
  const shown = await one.get(`/v1/account/api-keys/${id}`, { key: live_key });
  assert.equal(shown.body.data.last_used_at, new Date(start + 261_000).toISOString());
  assert.equal(await idOf(one, secret), id);
});
