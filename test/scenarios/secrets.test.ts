/**
 * After calls that give out every kind of secret, no table or log holds one: plain, without prefix, as bytes or in base
 * 64.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createOperatorKey } from '../../src/modules/companies/index.ts';
import { inviteByOperator, resetByOperator } from '../../src/modules/people/index.ts';
import { newSecret } from '../../src/platform/credentials.ts';
import { makeSecretBox } from '../../src/platform/secrets.ts';
import { serviceSecret } from '../../src/platform/service-secrets.ts';
import { type App, onOwnDatabase, type TestCompany } from '../harness.ts';
import { newKey, rotateKey } from '../support/api-keys.ts';
import { givenPerson, PersonBrowser } from '../support/person-browser.ts';
import { findSecrets } from '../support/secret-search.ts';
import {
  authorizeQuery,
  givenClient,
  givenPerson as givenSession,
  grantTokens,
  newVerifier,
  refreshTokens,
  sendToken,
} from '../support/oauth.ts';

// It searches every row of its database: those of other files would make that long.
const startApp = onOwnDatabase();

test('given secrets in hiding places, when they are searched for, then each is found', async (t) => {
  const app = await startApp(t, { fresh: true });
  const places: [type: string, hide: (secret: string) => string | Buffer][] = [
    ['text', (s) => `Bearer ${s}`],
    ['text', (s) => s.slice(9)],
    ['text[]', (s) => `{a,${s}}`],
    ['jsonb', (s) => JSON.stringify({ data: { secret: s } })],
    ['bytea', (s) => Buffer.from(s)],
    ['bytea', (s) => Buffer.from(JSON.stringify({ secret: s }))],
    ['text', (s) => Buffer.from(`Basic ${s}:`).toString('base64')],
    ['text', (s) => Buffer.from(`${s}:`).toString('base64')],
  ];
  const secrets: string[] = [];
  for (const [at, [type, hide]] of places.entries()) {
    const secret = newSecret('live');
    secrets.push(secret);
    await app.sql`create table ${app.sql(`planted_${at}`)} (hidden ${app.sql.unsafe(type)})`;
    await app.sql`insert into ${app.sql(`planted_${at}`)} values (${hide(secret)}::${app.sql.unsafe(type)})`;
  }
  assert.deepEqual(await findSecrets(app, [newSecret('live')]), []);
  assert.deepEqual(
    (await findSecrets(app, [...secrets, newSecret('test')])).sort(),
    places.map((_, at) => `public.planted_${at}: 1 rows`),
  );
  for (const at of places.keys()) await app.sql`drop table ${app.sql(`planted_${at}`)}`;
  const secret = newSecret('live');
  app.log_lines.push(`{"authorization":"Bearer ${secret}"}\n`);
  assert.equal((await findSecrets(app, [secret])).length, 1);
});

/** Of persons: passwords, cookies and links, opened, used and tried in wrong places. */
async function givePersonalSecrets(app: App, acme: TestCompany): Promise<void> {
  const { email, password, browser } = await givenPerson(app, acme, 'owner');
  const reset = (await resetByOperator(app.db, email, app.clock.now()))!;
  const invited = await inviteByOperator(
    app.db,
    { company_id: acme.company_id, email: 'eva@norte.example', role: 'reader' },
    app.clock.now(),
  );
  const invitation = 'link' in invited ? invited.link : '';
  const cookies = [...browser.cookies.values()];
  const new_password = `nueva ${newSecret('test')}`;
  for (const path of [
    `/invitation/${invitation}`,
    `/reset/${reset}`,
    `/setup/${reset}/`,
    `/Reset/${reset}`,
    `/x/${reset}`,
  ])
    await app.get(path);
  await app.get(`/sign-in?return_to=/reset/${reset}&password=${password}`, {
    headers: { Cookie: `x=${cookies[0]}` },
  });
  await browser.submit('/confirm', { password: `${password}!` });
  await browser.submit('/confirm', { password });
  await browser.submit('/sign-in', { email: password, password }, '/sign-in').catch(() => undefined);
  cookies.push(...browser.cookies.values());
  const newcomer = new PersonBrowser(app);
  await newcomer.submit(`/reset/${reset}`, { password: 'corta' });
  cookies.push(...newcomer.cookies.values());
  assert.equal((await newcomer.submit(`/reset/${reset}`, { password: new_password })).status, 303);
  await newcomer.submit('/sign-in', { email: new_password, password: new_password });
  assert.equal((await newcomer.submit('/sign-in', { email, password: new_password })).status, 303);
  cookies.push(...newcomer.cookies.values());
  app.given.secrets.push(password, new_password, reset, invitation, ...cookies);
}

async function sendInWrongPlaces(app: App, key: string): Promise<void> {
  for (const path of [
    `/v1/account/api-keys/${key}`,
    `/v1/${key}`,
    `/v1/account?key=${key}`,
    `/v1/account?${key}=1`,
    `/docs/errors/${key}`,
    `/${key}`,
  ]) {
    assert.ok((await app.get(path, { key })).status >= 400);
  }
  await app.get('/v1/account', { headers: { 'X-API-Key': key, Authorization: `Basic ${key}` } });
  await app.get('/v1/account', { key, headers: { 'Service-Version': key } });
  await app.get('/v1/account', { key, headers: { 'X-Active-Profile': key } });
  await app.get('/v1/account', {
    key,
    headers: { Cookie: `key=${key}`, 'User-Agent': key, Referer: `https://x/?k=${key}` },
  });
  await app.post('/v1/clients', { key, body: { name: 'Uno', [key]: key } });
  await app.post('/v1/clients', { key, raw: `{"name":"${key}"` });
  await app.post('/v1/clients', { key, raw: key, headers: { 'content-type': key } });
}

test('given a run of all that gives out secrets, when every table and log line is searched, then none holds one', async (t) => {
  const env = { FOLIO_LOG_LEVEL: 'trace', FOLIO_TRUSTED_PROXIES: '127.0.0.1', FOLIO_RATE_LIMITS: 'default' };
  const app = await startApp(t, { env });
  const acme = await app.given.company();
  const child = await app.given.company({ parent_id: acme.company_id });
  const key = acme.live_key;
  const keys = '/v1/account/api-keys';

  const operator = {
    company_id: acme.company_id,
    environment: 'live',
    scopes: ['*'],
    name: 'Operador',
    api_version: null,
  } as const;
  app.given.secrets.push((await createOperatorKey(app.db, operator, () => undefined, app.clock.now())).key);
  for (const environment of ['live', 'test'] as const) {
    app.given.secrets.push(await app.given.apiKey(acme, { scopes: ['account:read'], environment }));
    const made = await newKey(app, key, { environment, allowed_ips: ['127.0.0.1'] });
    await rotateKey(app, key, made.id);
    const headers = { 'X-Forwarded-For': '198.51.100.7' };
    assert.equal((await app.get('/v1/account', { key: made.secret, headers })).status, 401);
  }
  // Answers stored for a replay: creation and rotation of own and child's keys.
  for (const [name, profile] of [
    ['propia', {}],
    ['hija', { 'X-Active-Profile': child.company_id }],
  ] as const) {
    const call = (path: string, step: string, body?: object) =>
      app.post(path, {
        key,
        headers: { ...profile, 'Idempotency-Key': `${name}-${step}` },
        ...(body ? { body } : {}),
      });
    const body = { name, scopes: ['account:read'] };
    const made = await call(keys, 'alta', body);
    const rotated = await call(`${keys}/${made.body.data.id}/rotate_secret`, 'cambio');
    assert.equal((await call(keys, 'alta', body)).text, made.text);
    assert.equal((await call(`${keys}/${made.body.data.id}/rotate_secret`, 'cambio')).text, rotated.text);
    app.given.secrets.push(made.body.data.secret, rotated.body.data.secret);
  }
  const hook = { url: 'https://hooks.example.com/folio', enabled_events: ['invoice.*'] };
  const endpoints = '/v1/webhook_endpoints';
  const signing = async (path: string, body?: object) => {
    const headers = { 'Idempotency-Key': path };
    const call = () => app.post(path, { key, headers, ...(body ? { body } : {}) });
    const made = await call();
    assert.equal((await call()).text, made.text);
    assert.match(made.body.data.secret, /^whsec_/);
    app.given.secrets.push(made.body.data.secret);
    return made.body.data.id as string;
  };
  const endpoint = await signing(endpoints, hook);
  await signing(`${endpoints}/${endpoint}/rotate_secret`);
  await sendInWrongPlaces(app, key);
  // Addresses that open without a key, and the secret that signs them.
  const ticket = {
    type: 'F2',
    lines: [{ description: 'Uno', unit_price: 1, tax_rate: 21 }],
    options: { issue: true },
  };
  const { public_url } = (await app.post('/v1/invoices', { key, body: ticket })).body.data;
  assert.equal((await app.get(public_url)).status, 200);
  await giveOutTokens(app, acme);
  await givePersonalSecrets(app, acme);
  const box = makeSecretBox(String(app.config.FOLIO_SECRET_KEY));
  const keys_of_all = [
    ...(await serviceSecret(app.db.index, box, 'links')).keys,
    ...(await serviceSecret(app.db.index, box, 'forms')).keys,
  ];
  const link_keys = keys_of_all.flatMap((link_key) =>
    (['base64', 'base64url', 'hex'] as const).map((encoding) => link_key.toString(encoding)),
  );
  await app.service.flush();
  const secrets = [...new Set([...app.given.secrets, String(app.config.FOLIO_SECRET_KEY), ...link_keys])];
  assert.ok(secrets.length >= 21, `${secrets.length} secrets were given out`);
  assert.deepEqual(await findSecrets(app, secrets), []);
  // Again after background work, which also deletes stored answers.
  app.clock.advance(25 * 3_600_000);
  await app.service.worker.runDue();
  await app.service.flush();
  const metrics = await app.get('/metrics');

  assert.ok(app.log_lines.length >= 25, 'the log was kept');
  assert.deepEqual(await findSecrets(app, secrets), []);
  assert.ok(!secrets.some((secret) => metrics.text.includes(secret.slice(9))));
});

/** Codes, tokens, a client's secrets and a `state`, in all places where one may come, also wrong ones. */
async function giveOutTokens(app: App, acme: TestCompany): Promise<void> {
  const client = await givenClient(app, acme, 'confidential');
  const person = await givenSession(app, acme);
  const tokens = await grantTokens(app, person, client, { scope: 'account.read' });
  const { body } = await refreshTokens(app, client, tokens.refresh_token);
  const rotated = await app.post(`/v1/oauth/clients/${client.id}/rotate_secret`, {
    key: acme.live_key,
    headers: { 'Idempotency-Key': 'rotate' },
  });
  const state = newVerifier().code_verifier;
  const query = authorizeQuery(client, newVerifier().code_challenge, { state });
  const { cookie } = person;
  app.given.secrets.push(body.access_token, body.refresh_token, rotated.body.data.secret, state);
  app.given.secrets.push(cookie.replace('folio_session=', ''));
  const all = app.given.secrets.filter((secret) => /^svc_(ac|at|rt|cs)_/.test(secret));
  assert.equal(all.length, 7);
  assert.equal((await app.get(`/oauth/authorize?${query}`, { headers: { cookie } })).status, 200);
  await app.get(`/oauth/authorize?${query}&scope=x`, { headers: { cookie } });
  for (const secret of all) {
    await app.get(`/v1/invoices/${secret}`, { key: secret });
    await app.get(`/oauth/${secret}?token=${secret}`);
    await sendToken(app, {
      grant_type: 'refresh_token',
      refresh_token: secret,
      client_id: secret,
      client_secret: secret,
    });
    await sendToken(
      app,
      { client_id: client.client_id, token: secret },
      { authorization: `Basic ${secret}` },
    );
  }
}
