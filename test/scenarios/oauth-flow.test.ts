/** From consent to tokens, and what tokens do at /v1. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../harness.ts';
import { givenClient, givenPerson, grantTokens, refreshTokens, sendToken } from '../support/oauth.ts';

test('given a consent, when its code is exchanged, then the token reads at /v1, is refreshed, and ends when it is given back', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const client = await givenClient(app, acme);
  const person = await givenPerson(app, acme);

  const first = await grantTokens(app, person, client, { scope: 'invoices.read account.read' });
  assert.match(first.access_token, /^svc_at_[\w-]{43}$/);
  assert.match(first.refresh_token, /^svc_rt_[\w-]{43}$/);
  assert.equal(first.expires_in, 3600);
  assert.equal(first.scope, 'invoices.read account.read');
  assert.equal((await app.get('/v1/invoices', { key: first.access_token })).status, 200);

  const refreshed = await refreshTokens(app, client, first.refresh_token);
  assert.equal(refreshed.status, 200, refreshed.text);
  assert.notEqual(refreshed.body.refresh_token, first.refresh_token);
  assert.equal((await app.get('/v1/invoices', { key: refreshed.body.access_token })).status, 200);

  const { client_id } = client;
  const gone = await sendToken(app, { client_id, token: refreshed.body.refresh_token }, {}, '/oauth/revoke');
  assert.equal(gone.status, 200, gone.text);
  for (const key of [first.access_token, refreshed.body.access_token])
    assert.equal((await app.get('/v1/invoices', { key })).body.error.code, 'invalid_api_key');
});
