/** Tokens at /v1: who they are, what they may do, and when they stop. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setPlan } from '../../src/modules/companies/index.ts';
import { catalog } from '../../src/modules/catalog.ts';
import { type App, onOwnService, type TestCompany } from '../harness.ts';
import { memorySurface } from '../support/memory-surface.ts';
import {
  givenClient,
  givenPerson,
  grantCode,
  grantTokens,
  type Person,
  refreshTokens,
  sendToken,
  type TestClient,
} from '../support/oauth.ts';
import { assertRefused } from '../support/resource-checks.ts';

const startApp = onOwnService();

type Given = { app: App; acme: TestCompany; client: TestClient; person: Person };

async function given(t: TestContext): Promise<Given> {
  const app = await startApp(t);
  const acme = await app.given.company();
  return { app, acme, client: await givenClient(app, acme), person: await givenPerson(app, acme) };
}

type Logged = { actor: string; actor_id: string };

const metadata = (app: App) => `resource_metadata="${app.url}/.well-known/oauth-protected-resource/v1"`;

test('given no credential, a false one, or one that lacks a scope, then the answer says where to get a token', async (t) => {
  const { app, acme, client, person } = await given(t);
  const { access_token } = await grantTokens(app, person, client, { scope: 'invoices.read' });
  const poor = await app.given.apiKey(acme, { scopes: ['taxes:read'] });
  const cases = [
    [await app.get('/v1/invoices'), 401, ''],
    [await app.get('/v1/invoices', { key: `${access_token}x` }), 401, ', error="invalid_token"'],
    [await app.get('/v1/invoices', { key: poor }), 403, ''],
    [
      await app.get('/v1/quotes', { key: access_token }),
      403,
      ', error="insufficient_scope", scope="quotes.read"',
    ],
    // Closed to tokens: no scope would help.
    [await app.get('/v1/oauth/clients', { key: access_token }), 403, ', error="insufficient_scope"'],
  ] as const;
  for (const [answer, status, more] of cases) {
    assert.equal(answer.status, status, answer.text);
    assert.equal(answer.headers['www-authenticate'], `Bearer ${metadata(app)}${more}`);
  }
});

test('given a token for one surface, when it is shown at the other, then it is no credential', async (t) => {
  const { app, client, person } = await given(t);
  const { call } = memorySurface(app, catalog);
  const v1 = await grantTokens(app, person, client, { scope: 'invoices.read' });
  const mcp = await grantTokens(app, person, client, { scope: 'invoices.read', resource: `${app.url}/mcp` });

  assertRefused(await app.get('/v1/invoices', { key: mcp.access_token }), 401, 'invalid_api_key');
  const codeOf = async (secret: string) => {
    const answer = await call(secret, 'list_invoices', { audience: 'mcp' });
    return answer.ok ? 'ok' : answer.code;
  };
  assert.equal(await codeOf(mcp.access_token), 'ok');
  assert.equal(await codeOf(v1.access_token), 'invalid_api_key');
});

test('given a token, when the account is read, then it tells of the grant, and no other company is reached', async (t) => {
  const { app, acme, client, person } = await given(t);
  const { access_token: key } = await grantTokens(app, person, client, {
    scope: 'account.read invoices.read',
  });

  const { data } = (await app.get('/v1/account', { key })).body;
  assert.equal(data.object, 'oauth_grant');
  assert.equal(data.name, 'Gestoría en línea');
  assert.deepEqual(data.scopes, ['invoices:read', 'account:read']);
  assert.equal(data.account.id, acme.company_id);
  const child = await app.given.company({ parent_id: acme.company_id });
  const headers = { 'x-active-profile': child.company_id };
  assertRefused(await app.get('/v1/invoices', { key, headers }), 404, 'profile_not_found');

  await app.service.flush();
  const grant = (await app.get(`/v1/oauth/grants/${data.id}`, { key: acme.live_key })).body.data;
  assert.deepEqual(grant.user, { id: person.user_id, name: person.name });
  assert.deepEqual(grant.scopes, ['invoices.read', 'account.read']);
  assert.notEqual(grant.last_used_at, null);
  const log = await app.get('/v1/request-logs', { key: acme.live_key, query: { limit: '10' } });
  const of_tokens = log.body.data.filter(({ actor }: Logged) => actor === 'oauth');
  assert.deepEqual(
    of_tokens.map(({ actor_id }: Logged) => actor_id),
    [data.id, data.id],
  );
});

test('given a token, when it makes or rotates a key, then that key can do no more than itself', async (t) => {
  const { app, acme, client, person } = await given(t);
  const options = { scope: 'invoices.read account.write account.read', also: ['account.write'] };
  const { access_token: key } = await grantTokens(app, person, client, options);
  const path = '/v1/account/api-keys';
  const create = (scopes: string[], headers = {}) =>
    app.post(path, { key, headers, body: { name: 'x', scopes } });

  for (const [scopes, param] of [
    [['*'], 'scopes.0'],
    [['invoices:read', 'invoices:write'], 'scopes.1'],
  ] as const) {
    const refused = await create([...scopes]);
    assertRefused(refused, 403, 'insufficient_scope');
    assert.equal(refused.body.error.param, param);
  }
  // The person granted the live company alone.
  const body_of_sandbox = { name: 'x', scopes: ['invoices:read'], environment: 'test' };
  const of_sandbox = await app.post(path, { key, body: body_of_sandbox });
  assertRefused(of_sandbox, 403, 'insufficient_scope', 'environment');
  // To end one gives nobody anything, and the scope is to manage the keys of the company (docs/oauth.md).
  const own = await app.post(path, { key: acme.live_key, body: body_of_sandbox });
  app.given.secrets.push(own.body.data.secret);
  const revoke = (id: string, by: string) => app.post(`${path}/${id}/revoke`, { key: by });
  assert.equal((await revoke(own.body.data.id, key)).status, 200);
  const of_test = await grantTokens(app, person, client, { ...options, environment: 'test' });
  const live_id = (await app.get('/v1/account', { key: acme.live_key })).body.data.id;
  assertRefused(await revoke(live_id, of_test.access_token), 404, 'api_key_not_found');
  const made = await create(['invoices:read']);
  assert.equal(made.status, 201, made.text);
  app.given.secrets.push(made.body.data.secret);
  const rotated = await app.post(`${path}/${made.body.data.id}/rotate_secret`, { key });
  assert.equal(rotated.status, 200, rotated.text);

  const { data: mighty } = (await app.get('/v1/account', { key: acme.live_key })).body;
  assertRefused(await app.post(`${path}/${mighty.id}/rotate_secret`, { key }), 403, 'insufficient_scope');
  // Nor is the stored answer to somebody who may do more given out again.
  const headers = { 'idempotency-key': 'the same' };
  const body = { name: 'x', scopes: ['*'] };
  const by_key = await app.post(path, { key: acme.live_key, headers, body });
  assert.equal(by_key.status, 201);
  assertRefused(await create(['*'], headers), 409, 'idempotency_key_reused');
});

test('given what a token has made, when its grant ends, then it stays with the company, and the log tells which it is', async (t) => {
  const { app, acme, client, person } = await given(t);
  const options = { scope: 'invoices.read webhooks.write account.write', also: ['account.write'] };
  const { access_token } = await grantTokens(app, person, client, options);
  const made = await app.post('/v1/account/api-keys', {
    key: access_token,
    body: { name: 'x', scopes: ['invoices:read'] },
  });
  app.given.secrets.push(made.body.data.secret);
  const endpoint = await app.post('/v1/webhook_endpoints', {
    key: access_token,
    body: { url: 'https://hooks.example.com/folio', enabled_events: ['*'] },
  });
  app.given.secrets.push(endpoint.body.data.secret);
  const { data: grants } = (await app.get('/v1/oauth/grants', { key: acme.live_key })).body;
  const { id } = grants[0];
  assert.equal((await app.post(`/v1/oauth/grants/${id}/revoke`, { key: acme.live_key })).status, 200);
  assert.equal((await app.get('/v1/invoices', { key: access_token })).status, 401);

  assert.equal((await app.get('/v1/invoices', { key: made.body.data.secret })).status, 200);
  const { data: left } = (
    await app.get(`/v1/webhook_endpoints/${endpoint.body.data.id}`, { key: acme.live_key })
  ).body;
  assert.equal(left.status, 'enabled');
  for (const [action, target] of [
    ['api_key.created', made.body.data.id],
    ['webhook_endpoint.created', endpoint.body.data.id],
  ]) {
    const { data } = (await app.get('/v1/audit-log', { key: acme.live_key, query: { action } })).body;
    const entry = data.find((one: { target: { id: string } }) => one.target.id === target);
    assert.deepEqual([entry.actor, entry.actor_id], ['oauth', id], action);
  }
});

test('given a sandbox whose clock was moved, then a token to it lives an hour of real time', async (t) => {
  const { app, acme, client, person } = await given(t);
  const options = { scope: 'invoices.read account.read', environment: 'test' } as const;
  const { access_token: key } = await grantTokens(app, person, client, options);
  const body = { now: new Date(app.clock.now().getTime() + 86_400_000).toISOString(), frozen: false };
  const put = await app.put('/v1/sandbox/clock', { key: acme.test_key, body });
  assert.equal(put.status, 200, put.text);
  assert.equal((await app.get('/v1/invoices', { key })).status, 200);

  app.clock.advance(3_599_000);
  assert.equal((await app.get('/v1/invoices', { key })).status, 200);
  app.clock.advance(1000);
  assertRefused(await app.get('/v1/invoices', { key }), 401, 'invalid_api_key');
});

test('given a token, when the plan changes, then it counts with the next call', async (t) => {
  const { app, acme, client, person } = await given(t);
  const { access_token: key } = await grantTokens(app, person, client, { scope: 'account.read' });
  const tier = async () => (await app.get('/v1/account', { key })).body.data.tier;
  assert.equal(await tier(), 'scale');
  await setPlan(app.db, acme.company_id, 'free', app.clock.now());
  assert.equal(await tier(), 'free');
});

test('given a client of OAuth 2.1, which sends no address with its code, then it gets tokens; another address gets none', async (t) => {
  const { app, client, person } = await given(t);
  for (const [redirect_uri, status] of [
    [undefined, 200],
    ['', 200],
    [client.redirect_uri, 200],
    [`${client.redirect_uri}/`, 400],
  ] as const) {
    const { code, code_verifier } = await grantCode(app, person, client);
    const { client_id } = client;
    const form = { grant_type: 'authorization_code', code, redirect_uri, code_verifier, client_id };
    const answer = await sendToken(app, form);
    assert.equal(answer.status, status, `${redirect_uri}: ${answer.text}`);
    if (status === 200) app.given.secrets.push(answer.body.access_token, answer.body.refresh_token);
    else assert.equal(answer.body.error, 'invalid_grant');
  }
});

test('given a code, when it is used again, then all that came of it ends', async (t) => {
  const { app, acme, client, person } = await given(t);
  const tokens = await grantTokens(app, person, client, { scope: 'account.read' });
  const { data } = (await app.get('/v1/account', { key: tokens.access_token })).body;
  const code = app.given.secrets.findLast((secret) => secret.startsWith('svc_ac_'));
  const { client_id, redirect_uri } = client;
  const again = {
    grant_type: 'authorization_code',
    code,
    redirect_uri,
    client_id,
    code_verifier: 'x'.repeat(43),
  };

  const other = await givenClient(app, acme);
  const stolen = await sendToken(app, { ...again, client_id: other.client_id });
  assert.equal(stolen.body.error, 'invalid_grant');
  assert.equal((await app.get('/v1/account', { key: tokens.access_token })).status, 200);

  assert.equal((await sendToken(app, again)).body.error, 'invalid_grant');
  assertRefused(await app.get('/v1/account', { key: tokens.access_token }), 401, 'invalid_api_key');
  assert.equal((await refreshTokens(app, client, tokens.refresh_token)).body.error, 'invalid_grant');
  const log = await app.get('/v1/audit-log', {
    key: acme.live_key,
    query: { action: 'oauth_grant.reuse_detected' },
  });
  assert.deepEqual(
    log.body.data.map((one: { target: { id: string } }) => one.target.id),
    [data.id],
  );
});

test('given a used refresh token, then it answers for thirty seconds and five times, and later ends its family', async (t) => {
  const { app, client, person } = await given(t);
  const first = await grantTokens(app, person, client);
  const next = await refreshTokens(app, client, first.refresh_token);
  app.clock.advance(30_000);
  for (let i = 0; i < 5; i++)
    assert.equal((await refreshTokens(app, client, first.refresh_token)).status, 200, `repeat ${i}`);
  assert.equal((await refreshTokens(app, client, first.refresh_token)).body.error, 'invalid_grant');
  assert.equal((await app.get('/v1/invoices', { key: next.body.access_token })).status, 200);

  app.clock.advance(1);
  assert.equal((await refreshTokens(app, client, first.refresh_token)).body.error, 'invalid_grant');
  assertRefused(await app.get('/v1/invoices', { key: next.body.access_token }), 401, 'invalid_api_key');
  assert.equal((await refreshTokens(app, client, next.body.refresh_token)).body.error, 'invalid_grant');
});

test('given a refresh, then its scope may be less than the grant and never more, and thirty days unused end it', async (t) => {
  const { app, client, person } = await given(t);
  const { refresh_token } = await grantTokens(app, person, client, { scope: 'invoices.read quotes.read' });
  const scopeOf = async (scope: string) => {
    const { body } = await refreshTokens(app, client, refresh_token, { scope });
    return body.scope ?? body.error;
  };
  assert.equal(await scopeOf('quotes.read'), 'quotes.read');
  assert.equal(await scopeOf('svc.full offline_access'), 'invoices.read quotes.read');
  assert.equal(await scopeOf('invoices.read invoices.write'), 'invalid_scope');
  assert.equal(await scopeOf('invoices:read'), 'invalid_scope');
  const resource = `${app.url}/mcp`;
  const elsewhere = await refreshTokens(app, client, refresh_token, { resource });
  assert.equal(elsewhere.body.error, 'invalid_target');

  const last = await refreshTokens(app, client, refresh_token);
  app.clock.advance(30 * 24 * 3_600_000);
  assert.equal((await refreshTokens(app, client, last.body.refresh_token)).body.error, 'invalid_grant');
});

test('given a person who may no longer do what they granted, when the token is refreshed, then the grant ends', async (t) => {
  const { app, acme, client, person } = await given(t);
  const tokens = await grantTokens(app, person, client, { scope: 'invoices.write' });
  await app.sql`update members set role = 'reader' where company_id = ${acme.company_id}`;
  assert.equal((await refreshTokens(app, client, tokens.refresh_token)).body.error, 'invalid_grant');
  assertRefused(await app.get('/v1/invoices', { key: tokens.access_token }), 401, 'invalid_api_key');
});

test('given twenty exchanges of one code and fifty refreshes of one token, then one wins, and six are answered', async (t) => {
  const { app, client, person } = await given(t);
  const tokens = await grantTokens(app, person, client);
  const statuses = async (answers: Promise<{ status: number }>[]) =>
    (await Promise.all(answers)).filter(({ status }) => status === 200).length;
  const refreshes = Array.from({ length: 50 }, () => refreshTokens(app, client, tokens.refresh_token));
  assert.equal(await statuses(refreshes), 6);

  const { code, code_verifier } = await grantCode(app, person, client);
  const { client_id, redirect_uri } = client;
  const exchange = { grant_type: 'authorization_code', code, redirect_uri, code_verifier, client_id };
  assert.equal(await statuses(Array.from({ length: 20 }, () => sendToken(app, exchange))), 1);
});

test('given two processes, when one ends a grant, then the next call in the other is refused', async (t) => {
  const { app, acme, client, person } = await given(t);
  const other = await startApp(t, { fresh: true });
  const { access_token: key } = await grantTokens(app, person, client, { scope: 'account.read' });
  const { data } = (await other.get('/v1/account', { key })).body;
  const path = `/v1/oauth/grants/${data.id}/revoke`;
  const revoked = await app.post(path, { key: acme.live_key, body: { reason: 'Ya no se usa' } });
  assert.equal(revoked.status, 200, revoked.text);
  assertRefused(await other.get('/v1/account', { key }), 401, 'invalid_api_key');
});
