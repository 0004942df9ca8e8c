/** Applications and grants at /v1/oauth: who may do what, what is refused, and what ends. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onOwnService } from '../../../test/harness.ts';
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
} from '../../../test/support/oauth.ts';
import { givenPerson as givenMember } from '../../../test/support/person-browser.ts';
import { assertHidesForeignIds, assertRefused } from '../../../test/support/resource-checks.ts';
import { OAuthRefusal } from '../../domain/oauth/refusal.ts';
import { deleteTokensOfClient } from './deleted-clients.ts';
import { endGrantsBeyond, makeOAuth, purgeOAuth } from './index.ts';

const startApp = onOwnService();

const clients = '/v1/oauth/clients';
const grants = '/v1/oauth/grants';

const ofClient = [
  ['get_oauth_client', 'GET', ''],
  ['update_oauth_client', 'PUT', '', { name: 'x' }],
  ['rotate_oauth_client_secret', 'POST', '/rotate_secret'],
  ['delete_oauth_client', 'DELETE', ''],
] as const;
for (const [name, method, action, sent] of ofClient) {
  test(`given another company's application, when ${name} is called, then there is none`, async (t) => {
    const app = await startApp(t);
    const [acme, other] = [await app.given.company(), await app.given.company()];
    const { id } = await givenClient(app, other, 'confidential');
    await assertHidesForeignIds(app, method, (x) => `${clients}/${x}${action}`, id, {
      key: acme.live_key,
      ...(sent ? { body: sent } : {}),
    });
    assert.equal((await app.get(`${clients}/${id}`, { key: other.live_key })).status, 200);
  });
}

test('given grants of two companies, when get_oauth_grant, revoke_oauth_grant and list_oauth_grants are called, then each sees its own', async (t) => {
  const app = await startApp(t);
  const [acme, other] = [await app.given.company(), await app.given.company()];
  const client = await givenClient(app, acme);
  const person = await givenPerson(app, other);
  const { access_token } = await grantTokens(app, person, client, { scope: 'account.read' });
  const { id } = (await app.get('/v1/account', { key: access_token })).body.data;
  for (const [method, action] of [
    ['GET', ''],
    ['POST', '/revoke'],
  ] as const)
    await assertHidesForeignIds(app, method, (x) => `${grants}/${x}${action}`, id, { key: acme.live_key });
  assert.deepEqual((await app.get(grants, { key: acme.live_key })).body.data, []);
  const listed = await app.get(grants, { key: other.live_key, query: { client_id: client.client_id } });
  assert.deepEqual(
    listed.body.data.map((one: { id: string }) => one.id),
    [id],
  );
  const none = await app.get(grants, { key: other.live_key, query: { client_id: 'svc_app_none' } });
  assert.deepEqual(none.body.data, []);
});

test('given a wrong field, when create_oauth_client is called, then it is named', async (t) => {
  const app = await startApp(t);
  const { live_key: key, test_key } = await app.given.company();
  const good = { name: 'x', type: 'public', redirect_uris: ['https://a.example/cb'] };
  const cases: readonly (readonly [object, string])[] = [
    [{ redirect_uris: ['https://a.example/cb', 'http://a.example/cb'] }, 'redirect_uris.1'],
    [{ redirect_uris: [] }, 'redirect_uris'],
    [{ name: '\u200b' }, 'name'],
    [{ name: ' \u3164\u2800' }, 'name'],
    [{ name: 'Ban\u00adco\u200f' }, 'name'],
    [{ redirect_uris: Array.from({ length: 11 }, (_, i) => `https://a.example/${i}`) }, 'redirect_uris'],
    [{ type: 'confidential', redirect_uris: ['com.example.app:/cb'] }, 'redirect_uris.0'],
    [{ website: 'javascript:alert(1)' }, 'website'],
    [{ name: '' }, 'name'],
    [{ type: 'native' }, 'type'],
    [{ client_id: 'svc_app_mine' }, 'client_id'],
  ];
  for (const [change, param] of cases) {
    const refused = await app.post(clients, { key, body: { ...good, ...change } });
    assertRefused(refused, 422, 'parameter_invalid');
    assert.equal(refused.body.error.param, param);
  }
  assertRefused(await app.post(clients, { key: test_key, body: good }), 403, 'insufficient_scope');
});

test('given fifty applications, when another is registered, then it is refused', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  for (let i = 0; i < 50; i++) await givenClient(app, acme);
  const body = { name: 'x', type: 'public', redirect_uris: ['https://a.example/cb'] };
  assertRefused(await app.post(clients, { key: acme.live_key, body }), 422, 'business_rule_violation');
  const page = await app.get(clients, { key: acme.live_key, query: { limit: '100' } });
  assert.equal(page.body.data.length, 50);
  assert.ok(!page.text.includes('svc_cs_'), 'list_oauth_clients tells no secret');
});

test('given a public application, when its secret is rotated, then there is none; what a GET tells may be put back', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const { id } = await givenClient(app, acme);
  assertRefused(await app.post(`${clients}/${id}/rotate_secret`, { key }), 409, 'invalid_status_transition');
  const { data } = (await app.get(`${clients}/${id}`, { key })).body;
  const put = await app.put(`${clients}/${id}`, { key, body: { ...data, name: 'Otra' } });
  assert.equal(put.body.data.name, 'Otra', put.text);
  const typed = await app.put(`${clients}/${id}`, { key, body: { type: 'confidential' } });
  assertRefused(typed, 422, 'parameter_invalid');
});

test('given an application, when a change says what is there already, then it stays as it was and no log tells of it', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const { id } = await givenClient(app, acme);
  const read = await app.get(`${clients}/${id}`, { key });
  app.clock.advance(60_000);
  for (const same of [read.body.data, {}, { redirect_uris: read.body.data.redirect_uris }]) {
    const put = await app.put(`${clients}/${id}`, { key, body: same });
    assert.deepEqual([put.status, put.body.data], [200, read.body.data], put.text);
  }
  assert.equal((await app.get(`${clients}/${id}`, { key })).headers.etag, read.headers.etag);
  const log = await app.get('/v1/audit-log', { key, query: { action: 'oauth_client.updated' } });
  assert.deepEqual(log.body.data, []);
});

test('given a rotated secret, then both work for a day, and the older one warns', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const client = await givenClient(app, acme, 'confidential');
  const person = await givenPerson(app, acme);
  const { refresh_token } = await grantTokens(app, person, client);
  const path = `${clients}/${client.id}/rotate_secret`;
  const rotate = async () => {
    const { secret } = (await app.post(path, { key: acme.live_key })).body.data;
    app.given.secrets.push(secret);
    return secret as string;
  };
  const secret = await rotate();
  const old = await refreshTokens(app, client, refresh_token);
  assert.equal(old.status, 200, old.text);
  const warning = '199 svc "This secret was rotated and stops working in 24 hours"';
  assert.equal(old.headers.warning, warning);
  const expires = String(old.headers['service-client-secret-expires']);
  const proof = { client_id: client.client_id, client_secret: client.secret };
  for (const [path, fields, status] of [
    ['/oauth/revoke', { token: 'svc_rt_unknown' }, 200],
    ['/oauth/revoke', {}, 400],
    ['/oauth/token', { grant_type: 'password' }, 400],
    ['/oauth/token', { grant_type: 'refresh_token', refresh_token: 'svc_rt_unknown' }, 400],
  ] as const) {
    const answer = await sendToken(app, { ...proof, ...fields }, {}, path);
    const { warning: warned, 'service-client-secret-expires': ends } = answer.headers;
    assert.deepEqual([answer.status, warned, ends], [status, warning, expires], JSON.stringify(fields));
  }
  assert.equal(Date.parse(expires) - app.clock.now().getTime(), 24 * 3_600_000);
  const fresh = await refreshTokens(app, { ...client, secret }, old.body.refresh_token);
  assert.equal(fresh.headers.warning, undefined);

  const third = await rotate();
  const oldest = await refreshTokens(app, client, fresh.body.refresh_token);
  assert.deepEqual([oldest.status, oldest.body.error], [401, 'invalid_client']);
  app.clock.advance(24 * 3_600_000);
  const late = await refreshTokens(app, { ...client, secret }, fresh.body.refresh_token);
  assert.equal(late.body.error, 'invalid_client');
  assert.equal(
    (await refreshTokens(app, { ...client, secret: third }, fresh.body.refresh_token)).status,
    200,
  );
});

test('given grants in two companies, when their application is deleted, then all end at once, and are marked later', async (t) => {
  const app = await startApp(t);
  const [acme, other] = [await app.given.company(), await app.given.company()];
  const client = await givenClient(app, acme);
  const tokens = [];
  for (const company of [acme, other])
    tokens.push(await grantTokens(app, await givenPerson(app, company), client, { scope: 'invoices.read' }));
  const gone = await app.delete(`${clients}/${client.id}`, { key: acme.live_key });
  assert.equal(gone.status, 200, gone.text);
  for (const { access_token: key, refresh_token } of tokens) {
    assertRefused(await app.get('/v1/invoices', { key }), 401, 'invalid_api_key');
    assert.equal((await refreshTokens(app, client, refresh_token)).body.error, 'invalid_client');
  }
  await purgeOAuth(app.db, app.clock.now());
  for (const { live_key: key } of [acme, other]) {
    const [grant] = (await app.get(grants, { key })).body.data;
    assert.notEqual(grant.revoked_at, null);
  }
  const left = await app.sql`select 1 from oauth_client_index where client_id = ${client.client_id}`;
  assert.equal(left.length, 0);
});

test('given more tokens of a deleted application than one deletion takes, then the newest go first, and the purge ends the rest', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const [client, person] = [await givenClient(app, acme), await givenPerson(app, acme)];
  await grantTokens(app, person, client, { scope: 'invoices.read' });
  const now = app.clock.now();
  const addMore = (count: number) =>
    app.sql`
      with of as (
        select sha256(('more' || n)::bytea) as hash, gen_random_uuid() as grant_id, make_interval(secs => n) as age
          from generate_series(1, ${count}) n),
      refresh as (
        insert into oauth_refresh_tokens (token_hash, company_id, grant_id, client_id, expires_at)
        select hash, company_id, o.grant_id, client_id, expires_at - age
          from of o, oauth_refresh_tokens where client_id = ${client.client_id})
      insert into credentials
      select c.* from of o, credentials, jsonb_populate_record(credentials, jsonb_build_object(
             'secret_hash', o.hash, 'key_id', o.grant_id)) c
       where credentials.user_id = ${person.user_id}`;
  const left = async () => {
    const rows =
      await app.sql`select 1 from credentials where user_id = ${person.user_id} and kind = 'oauth'`;
    return rows.length;
  };
  await addMore(250);
  assert.equal(await left(), 251);
  await deleteTokensOfClient(app.sql, client.client_id, now, { rows: 10, times: 3 });
  // Each time reads the last row of the time before again.
  assert.equal(await left(), 251 - 28);
  await app.sql`update oauth_client_index set deleted_at = now() where client_id = ${client.client_id}`;
  await purgeOAuth(app.db, now);
  assert.equal(await left(), 0, 'although one purge marks a hundred grants');
});

test('given an application that goes while it is asked for, then nothing is given; and what nobody took up or renewed ends', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const [client, person] = [await givenClient(app, acme), await givenPerson(app, acme)];
  const { refresh_token } = await grantTokens(app, person, client, { scope: 'invoices.read' });
  const { code, code_verifier } = await grantCode(app, person, client, { scope: 'invoices.read' });
  const [row] = await app.sql`
    update oauth_client_index set deleted_at = now() where client_id = ${client.client_id} returning company_id, id`;
  assert.ok(row);
  const port = makeOAuth({
    db: app.db,
    clock: app.clock,
    documents: { fetchDocument: () => Promise.resolve(undefined) },
  });
  const from = { client_id: client.client_id, ip: '127.0.0.1', request_id: 'r' };
  const { redirect_uri } = client;
  await assert.rejects(
    port.exchangeCode({ code, redirect_uri, code_verifier, audience: null }, from),
    OAuthRefusal,
  );
  await assert.rejects(port.refresh({ refresh_token, scope: undefined, audience: null }, from), OAuthRefusal);
  await app.sql`update oauth_client_index set deleted_at = null where client_id = ${client.client_id}`;
  const open = async () =>
    (await app.get(grants, { key: acme.live_key })).body.data.filter(
      (one: { revoked_at: string | null }) => one.revoked_at === null,
    ).length;
  assert.equal(await open(), 2);
  // The process dies in the middle: what it had not ended is found by the next one.
  const dying = { ...app.db, transaction: () => Promise.reject(new Error('The process dies.')) };
  const purgeTwice = async () => {
    await assert.rejects(purgeOAuth(dying, app.clock.now()), /dies/);
    await purgeOAuth(app.db, app.clock.now());
  };
  app.clock.advance(12 * 60_000);
  await purgeTwice();
  assert.equal(await open(), 1, 'the code was never exchanged');
  app.clock.advance(31 * 24 * 3_600_000);
  await purgeTwice();
  assert.equal(await open(), 0, 'nothing was renewed for thirty days');
});

test('given a person who loses a role, then what they granted beyond the new one ends with the same commit', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { company_id } = acme;
  const [client, person] = [await givenClient(app, acme), await givenPerson(app, acme)];
  const options = { scope: 'invoices.read invoices.write' };
  const large = await grantTokens(app, person, client, options);
  const small = await grantTokens(app, person, client, { scope: 'invoices.read' });
  const statusOf = async (key: string) => (await app.get('/v1/invoices', { key })).status;
  const change = (role: string | null) =>
    app.db.transaction(company_id, async (tx) => {
      await (role === null
        ? tx`delete from members where company_id = ${company_id} and user_id = ${person.user_id}`
        : tx`update members set role = ${role} where company_id = ${company_id} and user_id = ${person.user_id}`);
      return endGrantsBeyond(tx, { company_id, user_id: person.user_id }, app.clock.now());
    });
  assert.equal((await change('accountant')).length, 0);
  assert.equal((await change('reader')).length, 1);
  assert.deepEqual([await statusOf(large.access_token), await statusOf(small.access_token)], [401, 200]);
  assert.equal((await change(null)).length, 1);
  assert.equal(await statusOf(small.access_token), 401);
});

test('given 200 grants in force, then another of the same application takes the place of the one longest unused, and one of another is refused', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const [client, other] = [await givenClient(app, acme), await givenClient(app, acme)];
  const person = await givenPerson(app, acme);
  const [used, idle] = [await grantTokens(app, person, client), await grantTokens(app, person, client)];
  await app.sql`
    update oauth_grants set created_at = created_at - interval '1 day',
           last_used_at = case when id = (select min(id::text)::uuid from oauth_grants where company_id = ${acme.company_id}) then created_at end
     where company_id = ${acme.company_id}`;
  await app.sql`
    insert into oauth_grants (company_id, id, opens_company_id, environment, audience, client_id, client_name, user_id, scopes, created_at)
    select company_id, gen_random_uuid(), opens_company_id, environment, audience, client_id, client_name, user_id, scopes, now()
      from (select * from oauth_grants where company_id = ${acme.company_id} limit 1) one, generate_series(1, 198)`;
  const refused = async () => {
    const { code_challenge } = newVerifier();
    const { fields } = await openConsent(app, person, authorizeQuery(other, code_challenge));
    return sendForm(app, person, [...fields, ['decision', 'allow']]);
  };
  const page = await refused();
  assert.deepEqual([page.status, page.headers.location], [400, undefined]);
  assert.match(page.text, /200 autorizaciones .* «Aplicaciones»/s);
  await grantTokens(app, person, client);
  assert.equal((await refreshTokens(app, client, used.refresh_token)).status, 200);
  assert.equal((await refreshTokens(app, client, idle.refresh_token)).body.error, 'invalid_grant');
  const log = await app.get('/v1/audit-log', { key: acme.live_key, query: { action: 'oauth_grant.ended' } });
  assert.deepEqual(
    log.body.data.map(({ actor, details }: Record<string, unknown>) => [actor, details]),
    [['user', { reason: 'replaced', client_id: client.client_id }]],
  );
  assert.equal((await refused()).status, 400);
});

test('given people who may not change the account, when they take back what they granted, then it ends, and nothing of others', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { company_id } = acme;
  const client = await givenClient(app, acme);
  const statusOf = async (key: string) => (await app.get('/v1/invoices', { key })).status;
  const grantOf = async (key: string) => (await app.get('/v1/account', { key })).body.data.id as string;
  const owner = await givenPerson(app, acme);
  const scope = 'invoices.read account.read';
  const owners = await grantTokens(app, owner, client, { scope });
  for (const role of ['accountant', 'reader'] as const) {
    const { user_id, browser } = await givenMember(app, acme, role);
    const cookie = `folio_session=${browser.cookies.get('folio_session')}`;
    const { access_token } = await grantTokens(app, { user_id, name: 'Ana Ruiz', cookie }, client, { scope });
    const end = (id: string) => browser.ask('POST', `/${company_id}/v1/oauth/grants/${id}/revoke`);
    assertRefused(await end(await grantOf(owners.access_token)), 404, 'resource_not_found');
    const ended = await end(await grantOf(access_token));
    assert.equal(ended.status, 200, ended.text);
    assert.deepEqual([await statusOf(access_token), await statusOf(owners.access_token)], [401, 200], role);
  }
  // A key needs the scope to write, as before.
  const made = { name: 'Lector', scopes: ['account:read'] };
  const { secret } = (await app.post('/v1/account/api-keys', { key: acme.live_key, body: made })).body.data;
  app.given.secrets.push(secret);
  const refused = await app.post(`${grants}/${await grantOf(owners.access_token)}/revoke`, { key: secret });
  assertRefused(refused, 403, 'insufficient_scope');
});

test('given what has expired, when it is purged, then it is gone, and what is in force is not', async (t) => {
  const app = await startApp(t, { fresh: true });
  const acme = await app.given.company();
  const client = await givenClient(app, acme);
  const person = await givenPerson(app, acme);
  const { refresh_token } = await grantTokens(app, person, client);
  const counts = async () => {
    const [row] = await app.sql`
      select (select count(*)::int from oauth_codes where client_id = ${client.client_id}) as codes,
             (select count(*)::int from credentials where user_id = ${person.user_id}) as tokens,
             (select count(*)::int from oauth_refresh_tokens where client_id = ${client.client_id}) as refresh_tokens`;
    return row;
  };
  await purgeOAuth(app.db, app.clock.now());
  assert.deepEqual({ ...(await counts()) }, { codes: 1, tokens: 1, refresh_tokens: 1 });
  app.clock.advance(61 * 60_000);
  await purgeOAuth(app.db, app.clock.now());
  assert.deepEqual({ ...(await counts()) }, { codes: 0, tokens: 0, refresh_tokens: 1 });
  const { client_id } = client;
  assert.equal((await sendToken(app, { client_id, token: refresh_token }, {}, '/oauth/revoke')).status, 200);
  assert.deepEqual({ ...(await counts()) }, { codes: 0, tokens: 0, refresh_tokens: 0 });
});
