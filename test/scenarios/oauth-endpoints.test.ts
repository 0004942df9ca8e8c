/** What the authorization server tells of itself, and how its endpoints take what is no good form. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pool, request } from 'undici';
import { type App, startApp } from '../harness.ts';
import {
  authorizeQuery,
  givenClient,
  givenPerson,
  grantCode,
  grantTokens,
  newVerifier,
  openConsent,
  refreshTokens,
  sendForm,
  sendToken,
} from '../support/oauth.ts';
import { oauthScopes } from '../../src/kernel/scopes.ts';

const server = '/.well-known/oauth-authorization-server';
const resource = '/.well-known/oauth-protected-resource';

function serverText(issuer: string): string {
  const names = oauthScopes.map(({ scope }) => scope.replace(':', '.'));
  assert.equal(names.length, 68);
  const scopes = [...names, 'svc.read', 'svc.write', 'svc.full'].map((name) => `"${name}"`).join(',');
  const methods = '["none","client_secret_basic","client_secret_post"]';
  return (
    `{"issuer":"${issuer}","authorization_endpoint":"${issuer}/oauth/authorize","token_endpoint":"${issuer}/oauth/token",` +
    `"revocation_endpoint":"${issuer}/oauth/revoke","scopes_supported":[${scopes}],"response_types_supported":["code"],` +
    `"response_modes_supported":["query"],"grant_types_supported":["authorization_code","refresh_token"],` +
    `"token_endpoint_auth_methods_supported":${methods},"revocation_endpoint_auth_methods_supported":${methods},` +
    `"code_challenge_methods_supported":["S256"],"authorization_response_iss_parameter_supported":true,` +
    `"client_id_metadata_document_supported":true,"service_documentation":"${issuer}/docs",` +
    `"ui_locales_supported":["es","en"],"protected_resources":["${issuer}/v1","${issuer}/mcp"]}`
  );
}

const resourceText = (issuer: string, name: 'v1' | 'mcp') =>
  `{"resource":"${issuer}/${name}","authorization_servers":["${issuer}"],"bearer_methods_supported":["header"],` +
  `"scopes_supported":["svc.read","svc.write"],"resource_name":"Folio ${name === 'v1' ? 'API' : 'MCP'}",` +
  `"resource_documentation":"${issuer}/docs"}`;

async function fetchText(app: App, path: string, host?: string) {
  const answer = await request(`${app.url}${path}`, host === undefined ? {} : { headers: { host } });
  return { status: answer.statusCode, headers: answer.headers, text: await answer.body.text() };
}

test('given the documents of the server, then they are these bytes, for any page, and whatever Host says', async (t) => {
  const app = await startApp(t);
  for (const [path, expected] of [
    [server, serverText(app.url)],
    [`${resource}/v1`, resourceText(app.url, 'v1')],
    [`${resource}/mcp`, resourceText(app.url, 'mcp')],
  ] as const) {
    const told = await fetchText(app, path, 'evil.example');
    assert.equal(told.text, expected);
    assert.equal(told.headers['access-control-allow-origin'], '*');
    assert.equal(told.headers['access-control-allow-credentials'], undefined);
  }
  for (const path of [
    `${server}/folio`,
    `${resource}/v2`,
    resource,
    `${resource}/v1/`,
    `${resource}/folio/v1`,
  ])
    assert.equal((await fetchText(app, path)).status, 404, path);
  const preflight = await request(`${app.url}${resource}/mcp`, { method: 'OPTIONS' });
  assert.equal(preflight.statusCode, 204);
  assert.match(String(preflight.headers['access-control-allow-headers']), /MCP-Protocol-Version/);
});

test('given a public address with a path, then the documents are also where RFC 8414 and RFC 9728 put them', async (t) => {
  const issuer = 'https://sala.example/folio';
  const app = await startApp(t, { env: { FOLIO_PUBLIC_URL: `${issuer}/` } });
  for (const [path, expected] of [
    [server, serverText(issuer)],
    [`${server}/folio`, serverText(issuer)],
    [`${resource}/v1`, resourceText(issuer, 'v1')],
    [`${resource}/folio/v1`, resourceText(issuer, 'v1')],
    [`${resource}/folio/mcp`, resourceText(issuer, 'mcp')],
  ] as const)
    assert.equal((await fetchText(app, path)).text, expected, path);
  assert.equal((await fetchText(app, `${server}/other`)).status, 404);
  const challenge = (await app.get('/v1/invoices')).headers['www-authenticate'];
  assert.equal(challenge, `Bearer resource_metadata="${issuer}${resource}/v1"`);
});

test('given what is no form, then it is invalid_request, and no answer is kept by a cache', async (t) => {
  const app = await startApp(t);
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const long = `grant_type=${'x'.repeat(100_000)}`;
  const cases: readonly (readonly [Record<string, string>, string | undefined])[] = [
    [{ 'content-type': 'application/json' }, '{"grant_type":"refresh_token"}'],
    [{ 'content-type': 'text/plain' }, 'grant_type=refresh_token'],
    [{ ...form, 'content-encoding': 'gzip' }, 'grant_type=refresh_token'],
    [form, long],
    [form, ''],
    [{}, undefined],
    [form, '%zz=%'],
  ];
  for (const path of ['/oauth/token', '/oauth/revoke'])
    for (const [headers, raw] of cases) {
      const answer = await app.post(path, { headers, ...(raw === undefined ? {} : { raw }) });
      assert.deepEqual(
        [answer.status, answer.body.error],
        [400, 'invalid_request'],
        `${path} ${raw?.slice(0, 20)}`,
      );
      assert.equal(answer.headers['cache-control'], 'no-store');
      assert.equal(answer.headers['access-control-allow-origin'], '*');
    }
  assert.equal((await app.get('/oauth/token')).status, 405);
});

test('given a field that is absent, empty, twice or 100 kB, then the form is refused, and its code is still good', async (t) => {
  const app = await startApp(t, { fresh: true });
  const acme = await app.given.company();
  const client = await givenClient(app, acme);
  const { code, code_verifier } = await grantCode(app, await givenPerson(app, acme), client);
  const { client_id, redirect_uri } = client;
  const good = { grant_type: 'authorization_code', code, redirect_uri, code_verifier, client_id };
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const send = async (change: (form: URLSearchParams) => void) => {
    const form = new URLSearchParams(good);
    change(form);
    const { status, body } = await app.post('/oauth/token', { headers, raw: form.toString() });
    return [status, body.error];
  };
  for (const name of Object.keys(good)) {
    // A client of OAuth 2.1 sends no address.
    if (name !== 'redirect_uri') {
      const absent = await send((form) => form.delete(name));
      assert.ok([400, 401].includes(absent[0]), `${name} absent: ${absent}`);
      assert.deepEqual(await send((form) => form.set(name, '')), absent, `${name} empty`);
    }
    const [status] = await send((form) => form.append(name, 'x'));
    assert.equal(status, 400, `${name} twice`);
  }
  for (const name of [...Object.keys(good), 'resource', 'client_secret', 'scope']) {
    const long = await send((form) => form.set(name, 'x'.repeat(100_000)));
    assert.deepEqual(long, [400, 'invalid_request'], `${name} of 100 kB`);
  }
  const tokens = await sendToken(app, good);
  assert.equal(tokens.status, 200, tokens.text);
  app.given.secrets.push(tokens.body.access_token, tokens.body.refresh_token);
});

test('given twenty failed proofs from one address, then others that fail wait, and who is right does not', async (t) => {
  const app = await startApp(t, { fresh: true });
  const acme = await app.given.company();
  const client = await givenClient(app, acme, 'confidential');
  const { refresh_token } = await grantTokens(app, await givenPerson(app, acme), client);
  const fail = () =>
    sendToken(app, { grant_type: 'refresh_token', client_id: client.client_id, client_secret: 'x' });
  for (let i = 0; i < 20; i++) assert.equal((await fail()).status, 401);
  const held = await fail();
  assert.deepEqual([held.status, held.body.error], [429, 'temporarily_unavailable']);
  assert.ok(Number(held.headers['retry-after']) > 0);
  assert.equal((await refreshTokens(app, client, refresh_token)).status, 200);
  app.clock.advance(60_000);
  assert.equal((await fail()).status, 401);
});

test('given as many visits of one address as a minute takes, then the next has to wait, whatever it brings', async (t) => {
  const app = await startApp(t, { fresh: true });
  const acme = await app.given.company();
  const [client, person] = [await givenClient(app, acme), await givenPerson(app, acme)];
  const query = authorizeQuery(client, newVerifier().code_challenge);
  const { fields } = await openConsent(app, person, query);
  const visit = () => app.get(`/oauth/authorize?${query}`);
  for (let visits = 1; visits < 120; visits++) assert.equal((await visit()).status, 303);
  for (const held of [await visit(), await sendForm(app, person, [...fields, ['decision', 'allow']])]) {
    assert.equal(held.status, 429, held.text);
    assert.ok(Number(held.headers['retry-after']) > 0);
    assert.equal(held.headers.location, undefined);
  }
  app.clock.advance(60_000);
  assert.equal((await sendForm(app, person, [...fields, ['decision', 'allow']])).status, 303);
});

test('given two hundred grants, when all are refreshed at once, then each is answered', async (t) => {
  const app = await startApp(t, { fresh: true });
  const acme = await app.given.company();
  const client = await givenClient(app, acme);
  const person = await givenPerson(app, acme);
  const first = await grantTokens(app, person, client);
  // Copies of the one grant, so that no consent page is opened for each.
  const tokens = await app.sql<{ text: string }[]>`
    with made as (
      insert into oauth_grants
      select company_id, gen_random_uuid(), opens_company_id, environment, audience, client_id, client_name, client_host,
             user_id, scopes, created_at, last_used_at, revoked_at
        from oauth_grants, generate_series(1, 199) where company_id = ${acme.company_id}
      returning id, client_id
    )
    insert into oauth_refresh_tokens (token_hash, company_id, grant_id, client_id, expires_at)
    select sha256(convert_to('svc_rt_' || rpad(id::text, 43, 'x'), 'UTF8')), ${acme.company_id}, id, client_id, now() + interval '1 day'
      from made
    returning 'svc_rt_' || rpad(grant_id::text, 43, 'x') as text`;
  const all = [first.refresh_token, ...tokens.map(({ text }) => text)];
  assert.equal(all.length, 200);
  const pool = new Pool(app.url, { connections: 200 });
  t.after(() => pool.close());
  const statuses = all.map(async (refresh_token) => {
    const fields = { grant_type: 'refresh_token', refresh_token, client_id: client.client_id };
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = new URLSearchParams(fields).toString();
    const answer = await pool.request({ method: 'POST', path: '/oauth/token', headers, body });
    await answer.body.dump();
    return answer.statusCode;
  });
  assert.deepEqual([...new Set(await Promise.all(statuses))], [200]);
});
