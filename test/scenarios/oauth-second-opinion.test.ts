/** The same faulty requests to this server and to oidc-provider: each answers with the same status and the same error. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import Provider from 'oidc-provider';
import { request } from 'undici';
import { type App, startApp } from '../harness.ts';
import {
  authorizeQuery,
  givenClient,
  givenPerson,
  grantCode,
  newVerifier,
  type TestClient,
} from '../support/oauth.ts';

type Told = { status: number; error: string | null; basic: boolean };

type Side = {
  url: string;
  token_path: string;
  authorize_path: string;
  revoke_path: string;
  open: TestClient;
  closed: TestClient;
  /** A code of the open client, and its verifier. */
  code: string;
  code_verifier: string;
};

async function ask(side: Side, { path, form, headers = {}, query }: Request): Promise<Told> {
  const address = { token: side.token_path, authorize: side.authorize_path, revoke: side.revoke_path }[path];
  const text = form && new URLSearchParams(form).toString();
  const answer = await request(`${side.url}${address}${query === undefined ? '' : `?${query}`}`, {
    method: form ? 'POST' : 'GET',
    headers: { ...(form ? { 'content-type': 'application/x-www-form-urlencoded' } : {}), ...headers },
    ...(text === undefined ? {} : { body: text }),
  });
  const body = await answer.body.text();
  const { location } = answer.headers;
  const back = typeof location === 'string' ? new URL(location, side.url).searchParams.get('error') : null;
  const is_json = /json/.test(String(answer.headers['content-type']));
  return {
    status: answer.statusCode,
    error: is_json ? (JSON.parse(body) as { error: string }).error : back,
    basic: /^Basic /.test(String(answer.headers['www-authenticate'] ?? '')),
  };
}

type Request = {
  path: 'token' | 'authorize' | 'revoke';
  form?: [string, string][];
  headers?: Record<string, string>;
  query?: string;
};

const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` });

const exchange = ({ open, code, code_verifier }: Side): [string, string][] => [
  ['grant_type', 'authorization_code'],
  ['code', code],
  ['redirect_uri', open.redirect_uri],
  ['code_verifier', code_verifier],
  ['client_id', open.client_id],
];

const changed = (side: Side, name: string, value: string): [string, string][] =>
  exchange(side).flatMap(([one, was]): [string, string][] =>
    one !== name ? [[one, was]] : value === '' ? [] : [[one, value]],
  );

const refresh: [string, string][] = [
  ['grant_type', 'refresh_token'],
  ['refresh_token', 'svc_rt_none'],
];

const token = (what: string, of: (side: Side) => Omit<Request, 'path'>) =>
  [`token: ${what}`, (side: Side): Request => ({ path: 'token', ...of(side) })] as const;
const authorize = (what: string, changes: Record<string, string | undefined>, more = '') =>
  [
    `authorize: ${what}`,
    ({ open }: Side): Request => ({
      path: 'authorize',
      query: authorizeQuery(open, newVerifier().code_challenge, { scope: undefined, ...changes }) + more,
    }),
  ] as const;

const requests: readonly (readonly [string, (side: Side) => Request])[] = [
  token('nothing', () => ({ form: [] })),
  token('no client', () => ({ form: [['grant_type', 'authorization_code']] })),
  token('an unknown client', (side) => ({ form: changed(side, 'client_id', 'nobody') })),
  token('no grant_type', ({ open }) => ({ form: [['client_id', open.client_id]] })),
  token('another grant_type', (side) => ({ form: changed(side, 'grant_type', 'password') })),
  token('no code', (side) => ({ form: changed(side, 'code', '') })),
  token('an unknown code', (side) => ({ form: changed(side, 'code', 'svc_ac_none') })),
  token('another redirect_uri', (side) => ({ form: changed(side, 'redirect_uri', 'https://a.example/') })),
  token('no verifier', (side) => ({ form: changed(side, 'code_verifier', '') })),
  token('another verifier', (side) => ({ form: changed(side, 'code_verifier', 'x'.repeat(43)) })),
  token('a short verifier', (side) => ({ form: changed(side, 'code_verifier', 'x') })),
  token('two grant_types', (side) => ({ form: [...exchange(side), ['grant_type', 'refresh_token']] })),
  token('two codes', (side) => ({ form: [...exchange(side), ['code', 'x']] })),
  token('two clients', (side) => ({ form: [...exchange(side), ['client_id', 'x']] })),
  token('a code of another client', (side) => ({
    form: exchange(side).filter(([name]) => name !== 'client_id'),
    headers: basic(`${side.closed.client_id}:${side.closed.secret}`),
  })),
  token('a false secret in Basic', ({ closed }) => ({
    form: refresh,
    headers: basic(`${closed.client_id}:x`),
  })),
  token('a false secret in the body', ({ closed }) => ({
    form: [...refresh, ['client_id', closed.client_id], ['client_secret', 'x']],
  })),
  token('an unknown client in Basic', () => ({ form: refresh, headers: basic('nobody:x') })),
  token('both kinds of proof', ({ closed }) => ({
    form: [...refresh, ['client_id', closed.client_id], ['client_secret', closed.secret!]],
    headers: basic(`${closed.client_id}:${closed.secret}`),
  })),
  token('another client_id than in Basic', ({ open, closed }) => ({
    form: [...refresh, ['client_id', open.client_id]],
    headers: basic(`${closed.client_id}:${closed.secret}`),
  })),
  token('Basic that is no base64', () => ({ form: refresh, headers: { authorization: 'Basic *' } })),
  token('Basic without a colon', () => ({ form: refresh, headers: basic('nobody') })),
  token('Basic without a secret', ({ closed }) => ({
    form: refresh,
    headers: basic(`${closed.client_id}:`),
  })),
  token('Bearer', () => ({ form: refresh, headers: { authorization: 'Bearer x' } })),
  token('no secret', ({ closed }) => ({ form: [...refresh, ['client_id', closed.client_id]] })),
  token('an unknown refresh token', ({ open }) => ({ form: [...refresh, ['client_id', open.client_id]] })),
  token('no refresh token', ({ open }) => ({
    form: [
      ['grant_type', 'refresh_token'],
      ['client_id', open.client_id],
    ],
  })),
  ['revoke: no token', ({ open }) => ({ path: 'revoke', form: [['client_id', open.client_id]] })],
  ['revoke: no client', () => ({ path: 'revoke', form: [['token', 'x']] })],
  [
    'revoke: an unknown token',
    ({ open }) => ({
      path: 'revoke',
      form: [
        ['client_id', open.client_id],
        ['token', 'svc_rt_none'],
      ],
    }),
  ],
  authorize('no client', { client_id: undefined }),
  authorize('an unknown client', { client_id: 'nobody' }),
  authorize('another redirect', { redirect_uri: 'https://a.example/' }),
  authorize('no response_type', { response_type: undefined }),
  authorize('another response_type', { response_type: 'other' }),
  authorize('no challenge', { code_challenge: undefined }),
  authorize('a plain challenge', { code_challenge_method: 'plain' }),
  authorize('a short challenge', { code_challenge: 'x' }),
  authorize('another response_mode', { response_mode: 'paper' }),
  authorize('two states', {}, '&state=x'),
  authorize('two scopes', {}, '&scope=x&scope=y'),
  authorize('a request object', { request: 'x' }),
  authorize('a request address', { request_uri: 'https://a.example/r' }),
];

/** Where this server means to differ: a verifier is right or wrong, and RFC 6749 has no name for a response mode at fault. */
const meant: Readonly<Record<string, readonly [here: string, there: string]>> = {
  'token: a short verifier': ['invalid_grant', 'invalid_request'],
  'authorize: another response_mode': ['invalid_request', 'unsupported_response_mode'],
};

/** Of both kinds, known to oidc-provider under the names that this server gave. */
async function startProvider(t: TestContext, { open, closed }: Side): Promise<Side> {
  const redirect_uris = [open.redirect_uri];
  const grant_types = ['authorization_code', 'refresh_token'];
  const shared = { redirect_uris, grant_types, response_types: ['code' as const] };
  const warn = t.mock.method(console, 'warn', () => undefined);
  const info = t.mock.method(console, 'info', () => undefined);
  const provider = new Provider('http://127.0.0.1', {
    clients: [
      { client_id: open.client_id, token_endpoint_auth_method: 'none', ...shared },
      { client_id: closed.client_id, client_secret: closed.secret!, ...shared },
    ],
    scopes: ['offline_access'],
    pkce: { required: () => true },
    allowOmittingSingleRegisteredRedirectUri: false,
    features: { devInteractions: { enabled: false }, revocation: { enabled: true } },
    findAccount: (_ctx, sub) => ({ accountId: sub, claims: () => Promise.resolve({ sub }) }),
  });
  const server: Server = provider.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const grant = new provider.Grant({ clientId: open.client_id, accountId: 'ana' });
  const { code_verifier, code_challenge } = newVerifier();
  const code = new provider.AuthorizationCode({
    client: (await provider.Client.find(open.client_id))!,
    accountId: 'ana',
    grantId: await grant.save(),
    redirectUri: open.redirect_uri,
    codeChallenge: code_challenge,
    codeChallengeMethod: 'S256',
  } as never);
  warn.mock.restore();
  info.mock.restore();
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token_path: '/token',
    authorize_path: '/auth',
    revoke_path: '/token/revocation',
    open,
    closed,
    code: await code.save(),
    code_verifier,
  };
}

async function ownSide(app: App): Promise<Side> {
  const acme = await app.given.company();
  const [open, closed] = [await givenClient(app, acme), await givenClient(app, acme, 'confidential')];
  const { code, code_verifier } = await grantCode(app, await givenPerson(app, acme), open);
  const paths = {
    token_path: '/oauth/token',
    authorize_path: '/oauth/authorize',
    revoke_path: '/oauth/revoke',
  };
  return { url: app.url, ...paths, open, closed, code, code_verifier };
}

test('given faulty requests, then this server and oidc-provider answer alike', async (t) => {
  const app = await startApp(t);
  const own = await ownSide(app);
  const other = await startProvider(t, own);
  const differences: object[] = [];
  for (const [what, of] of requests) {
    const [here, there] = [await ask(own, of(own)), await ask(other, of(other))];
    const [error_here, error_there] = meant[what] ?? [here.error, here.error];
    const alike = here.status === there.status && here.basic === there.basic;
    if (!alike || here.error !== error_here || there.error !== error_there)
      differences.push({ what, here, there });
  }
  assert.deepEqual(differences, []);
});
