/** Libraries of others as applications: they find the server by its documents, and get tokens through sign-in and consent. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { type App, onOwnService } from '../harness.ts';
import { fieldsOf, givenClient, type TestClient } from '../support/oauth.ts';
import { givenPerson, type TestPerson } from '../support/person-browser.ts';

const startApp = onOwnService();

/** The browser of somebody who signs in, and allows all that is ticked. @returns where it is sent back to */
async function allow(app: App, { browser, email, password }: TestPerson, address: URL): Promise<URL> {
  const path = `${address.pathname}${address.search}`;
  browser.cookies.clear();
  const asked = await browser.get(path);
  assert.equal(asked.status, 303);
  const signed_in = await browser.submit(asked.location ?? '', { email, password }, '/sign-in');
  assert.equal(signed_in.location, path);
  const page = await browser.get(path);
  assert.equal(page.status, 200, page.text.slice(0, 300));
  const fields = new URLSearchParams([...fieldsOf(page), ['decision', 'allow']]).toString();
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const answer = await app.post('/oauth/authorize', {
    headers: { cookie, origin: app.url, 'content-type': 'application/x-www-form-urlencoded' },
    raw: fields,
  });
  assert.equal(answer.status, 303, answer.text);
  return new URL(String(answer.headers.location));
}

async function given(app: App, type: 'public' | 'confidential') {
  const acme = await app.given.company();
  const [client, person] = [await givenClient(app, acme, type), await givenPerson(app, acme, 'owner')];
  return { acme, client, person };
}

const insecure = { [oauth.allowInsecureRequests]: true } as const;

for (const [type, resource] of [
  ['public', 'mcp'],
  ['confidential', 'v1'],
] as const) {
  test(`given a ${type} client of oauth4webapi for ${resource}, then it gets tokens, refreshes them and gives them back`, async (t) => {
    const app = await startApp(t);
    const { client, person } = await given(app, type);
    const issuer = new URL(app.url);
    const found = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' });
    const as = await oauth.processDiscoveryResponse(issuer, found);
    const of_resource = await oauth.resourceDiscoveryRequest(new URL(`${app.url}/${resource}`), insecure);
    const { authorization_servers } = await oauth.processResourceDiscoveryResponse(
      new URL(`${app.url}/${resource}`),
      of_resource,
    );
    assert.deepEqual(authorization_servers, [app.url]);

    const me: oauth.Client = { client_id: client.client_id };
    const proof = client.secret === undefined ? oauth.None() : oauth.ClientSecretBasic(client.secret);
    const verifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const address = new URL(as.authorization_endpoint!);
    address.search = new URLSearchParams({
      client_id: me.client_id,
      redirect_uri: client.redirect_uri,
      response_type: 'code',
      scope: 'invoices.read',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      resource: `${app.url}/${resource}`,
      state,
    }).toString();
    const back = oauth.validateAuthResponse(as, me, await allow(app, person, address), state);
    const exchanged = await oauth.authorizationCodeGrantRequest(
      as,
      me,
      proof,
      back,
      client.redirect_uri,
      verifier,
      { ...insecure, additionalParameters: { resource: `${app.url}/${resource}` } },
    );
    const tokens = await oauth.processAuthorizationCodeResponse(as, me, exchanged);
    const refreshed = await oauth.refreshTokenGrantRequest(as, me, proof, tokens.refresh_token!, insecure);
    const next = await oauth.processRefreshTokenResponse(as, me, refreshed);
    app.given.secrets.push(tokens.access_token, next.access_token);
    const called = () => app.get('/v1/invoices', { key: next.access_token });
    assert.equal((await called()).status, resource === 'v1' ? 200 : 401);

    await oauth.processRevocationResponse(
      await oauth.revocationRequest(as, me, proof, next.access_token, insecure),
    );
    assert.equal((await called()).status, 401);
    const again = await oauth.refreshTokenGrantRequest(as, me, proof, next.refresh_token!, insecure);
    await assert.rejects(oauth.processRefreshTokenResponse(as, me, again), { error: 'invalid_grant' });
  });
}

const proofs: readonly (readonly [
  string,
  'public' | 'confidential',
  (client: TestClient) => openid.ClientAuth,
])[] = [
  ['none', 'public', () => openid.None()],
  ['client_secret_post', 'confidential', ({ secret }) => openid.ClientSecretPost(secret)],
  ['client_secret_basic', 'confidential', ({ secret }) => openid.ClientSecretBasic(secret)],
];
for (const [method, type, proofOf] of proofs) {
  test(`given openid-client with ${method}, then it gets tokens and refreshes them`, async (t) => {
    const app = await startApp(t);
    const { client, person } = await given(app, type);
    const server = new URL(app.url);
    const options = { execute: [openid.allowInsecureRequests], algorithm: 'oauth2' } as const;
    const config = await openid.discovery(server, client.client_id, undefined, proofOf(client), {
      ...options,
      execute: [...options.execute],
    });
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const expectedState = openid.randomState();
    const address = openid.buildAuthorizationUrl(config, {
      redirect_uri: client.redirect_uri,
      scope: 'openid offline_access svc.read',
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
    });
    const back = await allow(app, person, address);
    const tokens = await openid.authorizationCodeGrant(config, back, { pkceCodeVerifier, expectedState });
    assert.equal(tokens.scope?.split(' ').length, 30);
    const next = await openid.refreshTokenGrant(config, tokens.refresh_token!);
    app.given.secrets.push(tokens.access_token, next.access_token);
    assert.equal((await app.get('/v1/invoices', { key: next.access_token })).status, 200);
  });
}
