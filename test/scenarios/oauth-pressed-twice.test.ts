/** A person presses "Allow" more than once, or the answer to the first press is lost: the application has a code that works. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { consentWords } from '../../src/surfaces/oauth/consent-words.ts';
import { type Answer, onOwnService } from '../harness.ts';
import { openBrowser, visit } from '../support/browser.ts';
import {
  authorizeQuery,
  fieldsOf,
  givenClient,
  givenPerson,
  newVerifier,
  openConsent,
  sendForm,
  sendToken,
} from '../support/oauth.ts';
import { until } from '../support/worker-place.ts';

const startApp = onOwnService();

const codeOf = ({ status, headers, text }: Answer): string => {
  assert.equal(status, 303, text.slice(0, 300));
  const code = new URL(String(headers.location)).searchParams.get('code');
  assert.ok(code, String(headers.location));
  return code;
};

/** A person before the consent page of an application. */
async function given(t: TestContext) {
  const app = await startApp(t);
  const acme = await app.given.company();
  const [client, person] = [await givenClient(app, acme), await givenPerson(app, acme)];
  const { code_verifier, code_challenge } = newVerifier();
  const scope = 'invoices.read contacts.read';
  const { fields } = await openConsent(app, person, authorizeQuery(client, code_challenge, { scope }));
  const press = (with_fields = fields) => sendForm(app, person, [...with_fields, ['decision', 'allow']]);
  const exchange = async (code: string) => {
    const { client_id, redirect_uri } = client;
    const form = { grant_type: 'authorization_code', code, redirect_uri, code_verifier, client_id };
    app.given.secrets.push(code);
    const { status, body } = await sendToken(app, form);
    if (status === 200) app.given.secrets.push(body.access_token, body.refresh_token);
    return { status, body };
  };
  const grants = async () => (await app.get('/v1/oauth/grants', { key: acme.live_key })).body.data;
  const reads = (key: string) => app.get('/v1/invoices', { key });
  return { app, acme, client, person, code_challenge, fields, press, exchange, grants, reads };
}

const answered = consentWords.es.notices.answered[1];

test('given an answer that was lost, when it is sent again, then there is another code of the same grant, until one is used', async (t) => {
  const { app, acme, press, exchange, grants, reads } = await given(t);
  const lost = codeOf(await press());
  // The first code is over by now, the form is not.
  app.clock.advance(2 * 60_000);
  const code = codeOf(await press());
  assert.notEqual(code, lost);
  assert.equal((await grants()).length, 1);
  const tokens = await exchange(code);
  assert.equal(tokens.status, 200);
  assert.equal((await reads(tokens.body.access_token)).status, 200);

  const again = await press();
  assert.equal(again.status, 400);
  assert.ok(again.text.includes(answered));
  assert.equal((await exchange(lost)).body.error, 'invalid_grant');
  assert.equal(
    (await reads(tokens.body.access_token)).status,
    200,
    'a code that was never used ends nothing',
  );
  const query = { action: 'oauth_grant.created' };
  assert.equal((await app.get('/v1/audit-log', { key: acme.live_key, query })).body.data.length, 1);

  // One that was used ends all that came of any of them.
  assert.equal((await exchange(code)).body.error, 'invalid_grant');
  assert.equal((await reads(tokens.body.access_token)).status, 401);
  assert.equal((await press()).status, 400);
});

test('given an application that both answers reached, then neither code spoils the other, and each counts once', async (t) => {
  const { press, exchange, grants, reads } = await given(t);
  const codes = (await Promise.all([press(), press(), press()])).map(codeOf);
  assert.equal(new Set(codes).size, 3);
  assert.equal((await grants()).length, 1);
  const [first, second] = [await exchange(codes[0]!), await exchange(codes[1]!)];
  assert.deepEqual([first.status, second.status], [200, 200]);
  for (const { body } of [first, second]) assert.equal((await reads(body.access_token)).status, 200);

  assert.equal((await exchange(codes[0]!)).body.error, 'invalid_grant');
  for (const { body } of [first, second]) assert.equal((await reads(body.access_token)).status, 401);
  assert.equal((await exchange(codes[2]!)).body.error, 'invalid_grant', 'nor does one revive the grant');
});

test('given an answer, when another one follows from the same form, then the first one stands, and the person is told', async (t) => {
  const { app, person, fields, press, exchange, grants } = await given(t);
  const code = codeOf(await press());
  const fewer = await press(fields.filter(([, value]) => value !== 'contacts.read'));
  assert.equal(fewer.status, 400);
  assert.ok(fewer.text.includes(answered));
  const elsewhere = fields.map(([name, value]): [string, string] => [
    name,
    name === 'environment' ? 'test' : value,
  ]);
  const sandbox = await press(fieldsOf(await sendForm(app, person, elsewhere)));
  assert.equal(sandbox.status, 400);
  assert.ok(sandbox.text.includes(answered));
  const [grant, ...others] = await grants();
  assert.deepEqual(others, []);
  assert.deepEqual([grant.environment, grant.scopes], ['live', ['contacts.read', 'invoices.read']]);
  assert.equal((await exchange(code)).status, 200);
});

test('given a grant that ended before it was taken up, when the answer is sent again, then there is no code', async (t) => {
  const { app, acme, press, grants } = await given(t);
  codeOf(await press());
  const [grant] = await grants();
  const path = `/v1/oauth/grants/${grant.id}/revoke`;
  const ended = await app.post(path, { key: acme.live_key });
  assert.ok(ended.status < 300, ended.text);
  assert.equal((await press()).status, 400);
});

test('given a yes, when a no follows from the same page, then what was granted ends, and there is no yes after it', async (t) => {
  const { app, acme, person, fields, press, exchange, grants, reads } = await given(t);
  const tokens = await exchange(codeOf(await press()));
  assert.equal((await reads(tokens.body.access_token)).status, 200);
  const stranger = await givenPerson(app, acme);
  assert.equal((await sendForm(app, stranger, [...fields, ['decision', 'deny']])).status, 403);
  assert.equal((await reads(tokens.body.access_token)).status, 200);
  const none_ticked = fields.filter(([name]) => name !== 'scope');
  for (const [sent, decision] of [
    [none_ticked, 'allow'],
    [fields, 'deny'],
  ] as const) {
    const no = await sendForm(app, person, [...sent, ['decision', decision]]);
    assert.equal(new URL(String(no.headers.location)).searchParams.get('error'), 'access_denied');
  }
  assert.equal((await reads(tokens.body.access_token)).status, 401);
  const [grant, ...others] = await grants();
  assert.deepEqual([others.length, grant.revoked_at === null], [0, false]);
  assert.equal((await press()).status, 400);
  const query = { action: 'oauth_grant.revoked' };
  const { data } = (await app.get('/v1/audit-log', { key: acme.live_key, query })).body;
  assert.deepEqual(
    data.map(({ actor_user_id, target, details }: Record<string, unknown>) => [
      actor_user_id,
      target,
      details,
    ]),
    [
      [
        person.user_id,
        { object: 'oauth_grant', id: grant.id },
        { reason: 'denied', client_id: grant.client.client_id },
      ],
    ],
  );
});

test('given a browser, when the button is pressed again while the application is slow, then it comes back with a code that works', async (t) => {
  const browser = await openBrowser(t);
  if (!browser) return;
  const app = await startApp(t);
  const [came, unanswered]: [URLSearchParams[], ServerResponse[]] = [[], []];
  // Its first visitor waits until the end of the test.
  const application = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://127.0.0.1');
    if (pathname === '/cb') came.push(searchParams);
    if (came.length === 1) unanswered.push(response);
    else response.setHeader('content-type', 'text/html').end('<!doctype html><title>Back</title>');
  }).listen(0, '127.0.0.1');
  await once(application, 'listening');
  t.after(() => {
    for (const response of unanswered) response.destroy();
    application.close();
  });
  const redirect_uri = `http://127.0.0.1:${(application.address() as AddressInfo).port}/cb`;
  const acme = await app.given.company();
  const client = { ...(await givenClient(app, acme, 'public', 'http://127.0.0.1/cb')), redirect_uri };
  const person = await givenPerson(app, acme);
  const seen = await visit(browser, app.url, { width: 800 });
  const [name, value] = person.cookie.split('=');
  await seen.page.context().addCookies([{ name: name!, value: value!, url: app.url }]);
  const { code_verifier, code_challenge } = newVerifier();
  await seen.page.goto(`${app.url}/oauth/authorize?${authorizeQuery(client, code_challenge)}`);
  const allow = seen.page.getByRole('button', { name: consentWords.es.allow });
  await allow.scrollIntoViewIfNeeded();
  const { x, y, width, height } = (await allow.boundingBox())!;
  // By the mouse: a click of the button itself would wait for the page that is on its way.
  const press = () => seen.page.mouse.click(x + width / 2, y + height / 2);
  await press();
  await until(() => came.length === 1);
  await press();
  await until(() => seen.page.url().startsWith(redirect_uri));
  const code = came.at(-1)?.get('code') ?? '';
  assert.equal(came.length, 2);
  assert.notEqual(code, came[0]?.get('code'));
  const form = { grant_type: 'authorization_code', code, code_verifier, client_id: client.client_id };
  const tokens = await sendToken(app, form);
  assert.equal(tokens.status, 200, tokens.text);
  app.given.secrets.push(tokens.body.access_token, tokens.body.refresh_token);
  await seen.close();
});
