/** What is asked of a person, and what becomes of it. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { type Answer, type App, onOwnService } from '../harness.ts';
import {
  authorizeQuery,
  fieldsOf,
  givenClient,
  givenPerson,
  giveRole,
  newVerifier,
  openConsent,
  type Person,
  sendForm,
  sendToken,
} from '../support/oauth.ts';

const startApp = onOwnService();

async function given(t: TestContext) {
  const app = await startApp(t);
  const acme = await app.given.company();
  const [client, person] = [await givenClient(app, acme), await givenPerson(app, acme)];
  return { app, acme, client, person, ...newVerifier() };
}

const scopesIn = (fields: readonly [string, string][]) =>
  fields.filter(([name]) => name === 'scope').map(([, value]) => value);

function told(answer: Answer): Record<string, string> {
  assert.equal(answer.status, 303, answer.text.slice(0, 300));
  return Object.fromEntries(new URL(String(answer.headers.location)).searchParams);
}

/** Changes to a good request, and the error that the application is told; undefined: it may go on. */
const requests: readonly (readonly [string, Record<string, string | undefined>, string | undefined])[] = [
  ['nothing', {}, undefined],
  ['no scope', { scope: undefined }, undefined],
  ['scopes of habit', { scope: 'openid offline_access' }, undefined],
  ['an unknown parameter', { nonce: 'x' }, undefined],
  ['the state left out', { state: undefined }, undefined],
  ['no response_type', { response_type: undefined }, 'invalid_request'],
  ['another response_type', { response_type: 'token' }, 'unsupported_response_type'],
  ['no challenge', { code_challenge: undefined }, 'invalid_request'],
  ['an empty challenge', { code_challenge: '' }, 'invalid_request'],
  ['a short challenge', { code_challenge: 'x' }, 'invalid_request'],
  ['a plain challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
  ['no method', { code_challenge_method: undefined }, 'invalid_request'],
  ['another response_mode', { response_mode: 'form_post' }, 'invalid_request'],
  ['a request object', { request: 'x.y.z' }, 'request_not_supported'],
  ['a request address', { request_uri: 'https://a.example/r' }, 'request_uri_not_supported'],
  ['prompt none', { prompt: 'none' }, 'interaction_required'],
  ['another resource', { resource: 'https://other.example/v1' }, 'invalid_target'],
  ['a colon', { scope: 'invoices:read' }, 'invalid_scope'],
  ['the scope of all', { scope: '*' }, 'invalid_scope'],
  ['upper case', { scope: 'Invoices.Read' }, 'invalid_scope'],
  ['an unknown scope among others', { scope: 'invoices.read invoices.fly' }, 'invalid_scope'],
  ['500 scopes', { scope: Array.from({ length: 500 }, (_, i) => `a.b${i}`).join(' ') }, 'invalid_scope'],
  ['one scope 300 times', { scope: Array(300).fill('invoices.read').join(' ') }, 'invalid_scope'],
  ['a scope of keys alone', { scope: 'invoices.read companies.read' }, 'invalid_scope'],
  ['a long state', { state: 'x'.repeat(2001) }, 'invalid_request'],
];

test('given a request that differs from a good one, then the application is told by redirect, with state and issuer', async (t) => {
  const { app, client, person, code_challenge } = await given(t);
  const open = (query: string) =>
    app.get(`/oauth/authorize?${query}`, { headers: { cookie: person.cookie } });
  for (const [what, changes, error] of requests) {
    const answer = await open(authorizeQuery(client, code_challenge, changes));
    if (error === undefined) {
      assert.equal(answer.status, 200, what);
      continue;
    }
    const back = told(answer);
    assert.equal(back.error, error, what);
    assert.equal(back.iss, app.url);
    assert.equal(back.state, 'state' in changes ? undefined : 'st');
    assert.match(back.error_description ?? '', /^[\x20-\x7e]+$/);
  }
  const good = authorizeQuery(client, code_challenge);
  for (const name of ['scope', 'state', 'code_challenge', 'response_type'])
    assert.equal(told(await open(`${good}&${name}=x`)).error, 'invalid_request', name);
  const v1 = encodeURIComponent(`${app.url}/v1`);
  assert.equal(told(await open(`${good}&resource=${v1}&resource=${v1}`)).error, 'invalid_target');
  assert.equal((await open(`${good}&resource=${encodeURIComponent(`${app.url}/v1/?x=1`)}`)).status, 200);
});

test('given a parameter that is empty, then it counts as left out; one of 100 kB is refused', async (t) => {
  const { app, client, person, code_challenge } = await given(t);
  const open = (query: string) =>
    app.get(`/oauth/authorize?${query}`, { headers: { cookie: person.cookie } });
  const outcome = async (changes: Record<string, string | undefined>) => {
    const { status, headers } = await open(authorizeQuery(client, code_challenge, changes));
    const { searchParams } = new URL(String(headers.location ?? ''), app.url);
    return [status, searchParams.get('error_description')];
  };
  const names =
    'client_id redirect_uri response_type response_mode scope state code_challenge code_challenge_method resource prompt';
  for (const name of names.split(' ')) {
    assert.deepEqual(await outcome({ [name]: '' }), await outcome({ [name]: undefined }), name);
    assert.deepEqual(await outcome({ [name]: 'x'.repeat(100_000) }), [431, null], name);
  }
});

test('given a client or a redirect at fault, then it is a page, and nobody is sent anywhere', async (t) => {
  const { app, client, person, code_challenge } = await given(t);
  const cases: readonly Record<string, string | undefined>[] = [
    { client_id: undefined },
    { client_id: 'svc_app_0000000000000000000000' },
    { client_id: 'https://app.example.com' },
    { redirect_uri: undefined },
    { redirect_uri: `${client.redirect_uri}/` },
    { redirect_uri: 'javascript:alert(1)' },
    { state: 'x'.repeat(6000) },
  ];
  for (const changes of cases) {
    const query = authorizeQuery(client, code_challenge, changes);
    const answer = await app.get(`/oauth/authorize?${query}`, { headers: { cookie: person.cookie } });
    assert.equal(answer.status, 400, JSON.stringify(changes));
    assert.equal(answer.headers.location, undefined);
    assert.match(String(answer.headers['content-type']), /^text\/html/);
  }
  const twice = `${authorizeQuery(client, code_challenge)}&client_id=${client.client_id}`;
  assert.equal((await app.get(`/oauth/authorize?${twice}`)).status, 400);
});

test('given nobody signed in, then they go to sign in and come back to the request; prompt=login asks again, and never twice', async (t) => {
  const { app, client, person, code_challenge } = await given(t);
  const query = authorizeQuery(client, code_challenge);
  const stranger = await app.get(`/oauth/authorize?${query}`);
  assert.equal(stranger.status, 303);
  const to = new URL(String(stranger.headers.location), app.url);
  assert.equal(to.pathname, '/sign-in');
  assert.equal(to.searchParams.get('return_to'), `/oauth/authorize?${query}`);

  const again = await app.get(`/oauth/authorize?${query}&prompt=login`, {
    headers: { cookie: person.cookie },
  });
  const confirm = new URL(String(again.headers.location), app.url);
  assert.equal(confirm.pathname, '/confirm');
  assert.ok(!confirm.searchParams.get('return_to')?.includes('prompt'));
  // Signing in is that proof: nobody types a password twice.
  const unknown = await app.get(`/oauth/authorize?${query}&prompt=login`);
  const signing_in = new URL(String(unknown.headers.location), app.url);
  assert.equal(signing_in.pathname, '/sign-in');
  assert.equal(signing_in.searchParams.get('return_to'), `/oauth/authorize?${query}`);
});

test('given a consent page, then what is sensitive is not ticked, and what cannot be granted is told and disabled', async (t) => {
  const { app, acme, client, code_challenge } = await given(t);
  const reader = await givenPerson(app, acme, 'reader');
  const scope = 'invoices.read invoices.write invoices.delete payouts.read';
  const query = authorizeQuery(client, code_challenge, { scope });
  const { fields, page } = await openConsent(app, reader, query);
  assert.deepEqual(scopesIn(fields), ['invoices.read', 'payouts.read']);
  assert.match(page.text, /value="invoices\.write" disabled/);
  assert.match(page.text, /su papel en la empresa no lo permite/);
  const policy = String(page.headers['content-security-policy']);
  assert.match(policy, /form-action 'self' https:\/\/app\.example\.com$/);
  assert.match(policy, /frame-ancestors 'none'/);
  assert.equal(page.headers['cache-control'], 'no-store');

  // In the sandbox, the page says so before anything is granted.
  const owner = await givenPerson(app, acme);
  const first = await openConsent(app, owner, query);
  assert.deepEqual(scopesIn(first.fields), ['invoices.read', 'invoices.write', 'payouts.read']);
  const chosen = first.fields.map(([name, value]): [string, string] => [
    name,
    name === 'environment' ? 'test' : value,
  ]);
  const shown = await sendForm(app, owner, [...chosen, ['decision', 'allow']]);
  assert.equal(shown.status, 200);
  assert.match(shown.text, /no se admite en el entorno de pruebas/);
  assert.deepEqual(scopesIn(fieldsOf(shown)), ['invoices.read', 'invoices.write']);
});

test('given nothing ticked, or a refusal, then it is access_denied, and nothing is stored', async (t) => {
  const { app, acme, client, person, code_challenge } = await given(t);
  const { fields } = await openConsent(app, person, authorizeQuery(client, code_challenge));
  const bare = fields.filter(([name]) => name !== 'scope');
  assert.equal(told(await sendForm(app, person, [...bare, ['decision', 'allow']])).error, 'access_denied');
  const denied = told(await sendForm(app, person, [...fields, ['decision', 'deny']]));
  assert.deepEqual([denied.error, denied.state, denied.iss], ['access_denied', 'st', app.url]);
  const grants = await app.get('/v1/oauth/grants', { key: acme.live_key });
  assert.deepEqual(grants.body.data, []);
});

test('given a form that was changed, then nothing is granted, and what was tried is in the audit log', async (t) => {
  const { app, acme, client, person, code_challenge } = await given(t);
  const reader = await givenPerson(app, acme, 'reader');
  const scope = 'invoices.read invoices.write';
  const { fields } = await openConsent(app, reader, authorizeQuery(client, code_challenge, { scope }));
  const other = await app.given.company();
  const allow: [string, string] = ['decision', 'allow'];
  const change = (name: string, value: string) =>
    fields.map(([one, was]): [string, string] => [one, one === name ? value : was]);
  const changed: readonly (readonly [string, [string, string][], number])[] = [
    ['a scope that the role refuses', [...fields, ['scope', 'invoices.write']], 400],
    ['a scope that was not asked', [...fields, ['scope', 'quotes.read']], 400],
    ['a scope of keys', [...fields, ['scope', '*']], 400],
    ['a company of others', change('company', other.company_id), 400],
    ['no company', change('company', ''), 400],
    ['an unknown environment', change('environment', 'prod'), 400],
    ['two companies', [...fields, ['company', acme.company_id]], 400],
    ['another request', change('request', Buffer.alloc(200).toString('base64url')), 400],
    ['no request', change('request', ''), 400],
    ['another field against forgery', change('csrf', 'x'), 403],
    ['no such field', change('csrf', ''), 403],
  ];
  for (const [what, sent, status] of changed)
    assert.equal((await sendForm(app, reader, [...sent, allow])).status, status, what);
  // The form of one session is none of another.
  assert.equal((await sendForm(app, person, [...fields, allow])).status, 403);
  const own = await openConsent(app, person, authorizeQuery(client, code_challenge, { scope }));
  const csrf = own.fields.find(([name]) => name === 'csrf')![1];
  assert.equal((await sendForm(app, person, [...change('csrf', csrf), allow])).status, 400);

  assert.deepEqual((await app.get('/v1/oauth/grants', { key: acme.live_key })).body.data, []);
  const query = { action: 'oauth_grant.refused' };
  const log = (await app.get('/v1/audit-log', { key: acme.live_key, query })).body.data;
  assert.equal(log.length, 3);
  assert.ok(log.every((entry: { actor_user_id: string }) => entry.actor_user_id === reader.user_id));
  assert.deepEqual((await app.get('/v1/audit-log', { key: other.live_key, query })).body.data, []);
});

test('given a form, then it is answered once, within ten minutes, and from a page of ours', async (t) => {
  const { app, client, person, code_challenge, code_verifier } = await given(t);
  const { fields } = await openConsent(app, person, authorizeQuery(client, code_challenge));
  const sent: [string, string][] = [...fields, ['decision', 'allow']];
  const raw = new URLSearchParams(sent).toString();
  for (const headers of [
    {},
    { origin: 'https://evil.example' },
    { origin: app.url, 'sec-fetch-site': 'cross-site' },
  ]) {
    const all = { cookie: person.cookie, 'content-type': 'application/x-www-form-urlencoded', ...headers };
    assert.equal((await app.post('/oauth/authorize', { headers: all, raw })).status, 403);
  }
  const { code } = told(await sendForm(app, person, sent));
  const { client_id, redirect_uri } = client;
  const exchange = { grant_type: 'authorization_code', code, redirect_uri, code_verifier, client_id };
  app.given.secrets.push(code!);
  assert.equal((await sendToken(app, exchange)).status, 200);
  const again = await sendForm(app, person, sent);
  assert.equal(again.status, 400, 'sent again');
  // A browser shows this answer alone to whoever pressed twice, and may have dropped the one with the code.
  assert.match(again.text, /Si no sigue sola, empiece en ella otra vez/);

  const late = await openConsent(app, person, authorizeQuery(client, code_challenge));
  app.clock.advance(10 * 60_000 + 1);
  assert.equal((await sendForm(app, person, [...late.fields, ['decision', 'allow']])).status, 400);
});

test('given a sensitive scope and an old proof, then the password is asked again', async (t) => {
  const { app, client, person, code_challenge } = await given(t);
  const scope = 'invoices.read invoices.void';
  const { fields } = await openConsent(app, person, authorizeQuery(client, code_challenge, { scope }));
  assert.deepEqual(scopesIn(fields), ['invoices.read']);
  app.clock.advance(9 * 60_000);
  const opened = await openConsent(app, person, authorizeQuery(client, code_challenge, { scope }));
  app.clock.advance(2 * 60_000);
  const sent: [string, string][] = [...opened.fields, ['decision', 'allow']];
  const asked = await sendForm(app, person, [...sent, ['scope', 'invoices.void']]);
  assert.match(String(asked.headers.location), /^\/confirm\?return_to=/);
  // Whoever chose the sandbox comes back to it.
  const chosen = opened.fields.map(([name, value]): [string, string] => [
    name,
    name === 'environment' ? 'test' : value,
  ]);
  const sandbox: [string, string][] = [
    ...fieldsOf(await sendForm(app, person, chosen)),
    ['decision', 'allow'],
  ];
  const away = await sendForm(app, person, [...sandbox, ['scope', 'invoices.void']]);
  const return_to = new URL(String(away.headers.location), app.url).searchParams.get('return_to')!;
  const back = await app.get(return_to, { headers: { cookie: person.cookie } });
  assert.deepEqual(
    fieldsOf(back).find(([name]) => name === 'environment'),
    ['environment', 'test'],
  );
  assert.ok(told(await sendForm(app, person, sent)).code, 'the others need none');
});

test('given boxes that a person changed, when the page comes again, then they are as the person left them', async (t) => {
  const { app, client, person, code_challenge } = await given(t);
  const scope = 'invoices.read contacts.read invoices.void invoices.delete';
  const query = authorizeQuery(client, code_challenge, { scope });
  const { fields } = await openConsent(app, person, query);
  const kept = fields.filter(([, value]) => value !== 'contacts.read');
  const sent: [string, string][] = [...kept, ['scope', 'invoices.void']];
  const left = ['invoices.read', 'invoices.void'];
  const other = sent.map(([name, value]): [string, string] => [
    name,
    name === 'environment' ? 'test' : value,
  ]);
  assert.deepEqual(scopesIn(fieldsOf(await sendForm(app, person, other))), left, 'in another environment');

  app.clock.advance(11 * 60_000);
  const reopened = await openConsent(app, person, query);
  const late = reopened.fields.filter(([, value]) => value !== 'contacts.read');
  const away = await sendForm(app, person, [...late, ['scope', 'invoices.void'], ['decision', 'allow']]);
  const return_to = new URL(String(away.headers.location), app.url).searchParams.get('return_to')!;
  const open = (as: Person, path: string) => app.get(path, { headers: { cookie: as.cookie } });
  assert.deepEqual(scopesIn(fieldsOf(await open(person, return_to))), left, 'after a proof');

  // Of another session, or made up: nobody ticks for a person.
  const usual = ['contacts.read', 'invoices.read'];
  const stranger = await givenPerson(app, await app.given.company());
  assert.deepEqual(scopesIn(fieldsOf(await open(stranger, return_to))), usual);
  const made_up = return_to.replace(/folio_choice=[^&]*/, 'folio_choice=AAAA');
  assert.deepEqual(scopesIn(fieldsOf(await open(person, made_up))), usual);
});

test('given a document as a client, then it is fetched once, named by its host, and forgotten with time', async (t) => {
  const address = 'https://agent.example.com/client.json';
  let document: object | null = null;
  const asked: string[] = [];
  const app: App = await startApp(t, {
    wrap_ports: (ports) => {
      ports.client_documents.fetchDocument = (url) => {
        asked.push(url);
        const bytes = Buffer.from(JSON.stringify(document));
        return Promise.resolve(document === null ? undefined : { bytes, cache_control: 'max-age=600' });
      };
      return ports;
    },
  });
  const acme = await app.given.company();
  const person = await givenPerson(app, null);
  await giveRole(app, acme, person.user_id, 'owner');
  const { code_challenge, code_verifier } = newVerifier();
  const redirect_uri = 'http://127.0.0.1:4711/cb';
  const query = authorizeQuery({ client_id: address, redirect_uri }, code_challenge);
  const open = () => app.get(`/oauth/authorize?${query}`, { headers: { cookie: person.cookie } });

  const nobody = await app.get(`/oauth/authorize?${query}`);
  assert.match(String(nobody.headers.location), /^\/sign-in\?return_to=/);
  assert.deepEqual(asked, [], 'nobody has it fetched before they sign in');
  const unread = await open();
  assert.equal(unread.status, 400);
  assert.match(unread.text, /No se puede leer la aplicación/);
  document = {
    client_id: address,
    client_name: 'Agente',
    redirect_uris: ['http://127.0.0.1/cb'],
    token_endpoint_auth_method: 'none',
  };
  assert.equal((await open()).status, 400, 'a failure is remembered for a minute');
  assert.equal(asked.length, 1);
  app.clock.advance(60_000);
  const { page, fields } = await openConsent(app, person, query);
  assert.match(page.text, /Agente/);
  assert.match(page.text, /agent\.example\.com/);
  assert.match(page.text, /una aplicación en este equipo/);
  assert.match(
    String(page.headers['content-security-policy']),
    /form-action 'self' http:\/\/127\.0\.0\.1:4711$/,
  );
  assert.equal(asked.length, 2);
  const { code } = told(await sendForm(app, person, [...fields, ['decision', 'allow']]));
  const exchange = {
    grant_type: 'authorization_code',
    code,
    redirect_uri,
    code_verifier,
    client_id: address,
  };
  const tokens = await sendToken(app, exchange);
  assert.equal(tokens.status, 200, tokens.text);
  app.given.secrets.push(code!, tokens.body.access_token, tokens.body.refresh_token);

  // Anybody can write a document, so its address is no place to send somebody who is not signed in.
  const wrong = `${query}&prompt=none`;
  const stranger = await app.get(`/oauth/authorize?${wrong}`);
  assert.match(String(stranger.headers.location), /^\/sign-in\?return_to=/);
  const known = await app.get(`/oauth/authorize?${wrong}`, { headers: { cookie: person.cookie } });
  assert.equal(told(known).error, 'interaction_required');

  // Its redirects changed after a page was shown: that page leads nowhere.
  const shown = await openConsent(app, person, query);
  document = { ...document, redirect_uris: ['http://127.0.0.1/other'] };
  app.clock.advance(9 * 60_000);
  const later = await openConsent(app, person, query);
  app.clock.advance(60_000);
  assert.equal((await sendForm(app, person, [...later.fields, ['decision', 'allow']])).status, 400);
  assert.ok(shown.fields.length > 0);
  const refreshed = {
    grant_type: 'refresh_token',
    refresh_token: tokens.body.refresh_token,
    client_id: address,
  };
  assert.equal((await sendToken(app, refreshed)).status, 200);
  for (let i = 0; i < 12; i++) {
    const other = authorizeQuery({ client_id: `${address}?${i}`, redirect_uri }, code_challenge);
    await app.get(`/oauth/authorize?${other}`, { headers: { cookie: person.cookie } });
  }
  assert.equal(asked.length, 3 + 9, 'ten fetches a minute from one network');
});
