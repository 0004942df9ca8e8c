/** A body that arrives slowly holds a socket, and nothing that companies share. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { type App, startApp, type TestCompany } from '../harness.ts';
import { newKey } from '../support/api-keys.ts';
import { callTool } from '../support/mcp-client.ts';
import { givenPerson } from '../support/person-browser.ts';
import { beginBody, beginBodyWith, fillPlaces } from '../support/slow-bodies.ts';
import { until } from '../support/worker-place.ts';

const find = '/v1/clients/find-by-external-id';

async function statusOf(socket: Socket): Promise<number> {
  const [bytes] = (await once(socket, 'data')) as [Buffer];
  return Number(/^HTTP\/1.1 (\d+)/.exec(bytes.toString())?.[1]);
}

test('given seventy slow bodies of one company, when another reads and writes, then nobody gets a 503', async (t) => {
  const app = await startApp(t, { fresh: true, env: { FOLIO_POOL_SIZE: '4' } });
  const [hostile, quiet] = [await app.given.company(), await app.given.company()];
  // A secret that was seen before begins its reads early.
  for (let i = 0; i < 2; i++) await app.get('/v1/clients', { key: hostile.live_key });

  const sockets = await Promise.all(Array.from({ length: 70 }, () => beginBody(app, hostile.live_key, find)));
  try {
    await useQuietly(app, hostile, quiet, sockets);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});

/** Ends one of the bodies, too. */
async function useQuietly(app: App, hostile: TestCompany, quiet: TestCompany, sockets: Socket[]) {
  // Nothing of its own waits either.
  assert.equal((await app.get('/v1/clients', { key: hostile.live_key })).status, 200);
  // An answer may be here before the end of its transaction is there.
  await until(async () => {
    const open = await app.sql`
      select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`;
    return open.length === 0;
  });

  const answers = [];
  for (let i = 0; i < 3; i++) {
    answers.push(
      await app.get('/v1/clients', { key: quiet.live_key }),
      await app.post('/v1/clients', { key: quiet.live_key, body: { name: `Cliente ${i}` } }),
      await app.get('/readyz'),
    );
  }
  assert.deepEqual(new Set(answers.map((answer) => answer.status)), new Set([200, 201]));

  const text = '"external_id":"none"}';
  const [first] = sockets;
  first!.write(text.padEnd(59));
  assert.equal(await statusOf(first!), 404);
}

test('given a body that never ends, when its time is out, then it is 408 and the connection is closed', async (t) => {
  const app = await startApp(t, { fresh: true, body_bounds: { body_seconds: 1 } });
  const { live_key } = await app.given.company();
  for (const path of ['/v1/clients', '/mcp']) {
    const socket = await beginBody(app, live_key, path);
    let answer = '';
    socket.on('data', (bytes) => {
      answer += bytes.toString();
    });
    await once(socket, 'close');
    assert.match(answer, /^HTTP\/1.1 408 [\s\S]*connection: close[\s\S]*"request_timeout"/i, path);
  }
});

/** @returns all of the answer, once the connection is closed */
async function sendCrumbs(
  app: App,
  key: string,
  path: string,
  type: string,
  crumbs: string,
): Promise<string> {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  let answer = '';
  socket.on('error', () => undefined);
  socket.on('data', (bytes) => {
    answer += bytes.toString();
  });
  const head = [
    `POST ${path} HTTP/1.1`,
    `Host: ${hostname}`,
    `Authorization: Bearer ${key}`,
    `Content-Type: ${type}`,
    'Transfer-Encoding: chunked',
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${crumbs}`);
  await once(socket, 'close');
  return answer;
}

test('given a body of thousands of single bytes, when they arrive, then it is refused and no more of them is read', async (t) => {
  const app = await startApp(t, { fresh: true });
  const { live_key } = await app.given.company();
  // Without an end: an answer to the whole of it would never come.
  const crumbs = '1\r\n{\r\n'.repeat(6000);
  for (const path of ['/v1/clients', '/v1/invoices', '/v1/purchase_scans', '/mcp'])
    assert.match(
      await sendCrumbs(app, live_key, path, 'application/json', crumbs),
      /^HTTP\/1.1 400 [\s\S]*connection: close[\s\S]*"parameter_invalid_format"/i,
      path,
    );
  assert.match(
    await sendCrumbs(app, live_key, '/oauth/token', 'application/x-www-form-urlencoded', crumbs),
    /^HTTP\/1.1 400 [\s\S]*connection: close[\s\S]*"invalid_request"/i,
  );
});

test('given a body in some thousand single bytes, when all are there, then it is read', async (t) => {
  const app = await startApp(t, { fresh: true });
  const { live_key } = await app.given.company();
  const text = JSON.stringify({ name: 'Uno', notes: 'a'.repeat(2000) });
  const pieces = [...text.padEnd(4000)].map((sign) => `1\r\n${sign}\r\n`).join('');
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  const head = `POST /v1/clients HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${live_key}\r\nContent-Type: application/json`;
  socket.write(`${head}\r\nTransfer-Encoding: chunked\r\n\r\n${pieces}0\r\n\r\n`);
  assert.equal(await statusOf(socket), 201);
  socket.destroy();
});

test('given as many bodies on their way as a company may have, when another begins, then it is 429, and others are served', async (t) => {
  const app = await startApp(t, { fresh: true, body_bounds: { bodies_max: 2 } });
  const [hostile, quiet] = [await app.given.company(), await app.given.company()];
  const body = { name: 'Uno' };
  const begin = (path: string) => beginBody(app, hostile.live_key, path);
  const another = () => app.post('/v1/clients', { key: hostile.test_key, body });
  const { refused, sockets } = await fillPlaces(begin, ['/v1/clients', '/mcp'], another);
  assert.equal(refused.body.error.code, 'company_share_exceeded');
  assert.equal(refused.headers['retry-after'], '2');
  const call = () => callTool(app, hostile.live_key, 'get_company');
  const tool = await call();
  assert.deepEqual(
    [tool.status, tool.body.error.data.code, tool.headers['retry-after']],
    [429, 'company_share_exceeded', '2'],
  );
  assert.equal((await callTool(app, quiet.live_key, 'get_company')).status, 200);
  assert.equal((await app.post('/v1/clients', { key: quiet.live_key, body })).status, 201);
  const [first, second] = sockets;
  first!.write('"name":"Uno"}'.padEnd(59));
  assert.equal(await statusOf(first!), 201);
  first!.destroy();
  second!.destroy();
  await once(second!, 'close');
  assert.equal((await app.post('/v1/clients', { key: hostile.test_key, body })).status, 201);
  assert.equal((await call()).status, 200);
});

test('given callers who lose what admitted them while their bodies arrive, when these end, then nothing is done', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { id, secret } = await newKey(app, acme.live_key, { scopes: ['account:write'] });
  const [removed, lowered, robbed] = [
    await givenPerson(app, acme, 'owner'),
    await givenPerson(app, acme, 'developer'),
    await givenPerson(app, acme, 'reader'),
  ];
  const keys = '/v1/account/api-keys';
  const ofPeople = `/dashboard/api/${acme.company_id}${keys}`;
  const sockets = await Promise.all([
    beginBody(app, secret, keys),
    beginBodyWith(app, ofPeople, await removed.browser.headersToAsk()),
    beginBodyWith(app, ofPeople, await lowered.browser.headersToAsk()),
    // A passkey is added in this way, and would outlive a password that was stolen and is changed.
    beginBodyWith(app, '/dashboard/api/me/password', await robbed.browser.headersToAsk()),
    beginBodyWith(app, '/dashboard/api/companies', await robbed.browser.headersToAsk()),
  ]);
  await setTimeout(700);
  await app.post(`${keys}/${id}/revoke`, { key: acme.live_key });
  await app.sql`delete from members where company_id = ${acme.company_id} and user_id = ${removed.user_id}`;
  await app.sql`update members set role = 'reader' where company_id = ${acme.company_id} and user_id = ${lowered.user_id}`;
  await app.sql`delete from sessions where user_id = ${robbed.user_id}`;
  const statuses = [];
  for (const [at, socket] of sockets.entries()) {
    const text = at < 3 ? '"name":"Otra","scopes":["invoices:read"]}' : '"password":"una frase bien larga"}';
    socket.write(text.padEnd(59));
    statuses.push(await statusOf(socket));
    socket.destroy();
  }
  assert.deepEqual(statuses, [401, 404, 403, 401, 401]);
  const { data } = (await app.get(keys, { key: acme.live_key })).body;
  assert.ok(data.every(({ name }: { name: string }) => name !== 'Otra'));
});

test('given a person whose bodies are on their way, as many as one may have, when another changes their account, then they are served', async (t) => {
  const app = await startApp(t, { fresh: true, body_bounds: { bodies_max: 2 } });
  const acme = await app.given.company();
  const [hostile, quiet] = [await givenPerson(app, acme, 'reader'), await givenPerson(app, acme, 'reader')];
  const headers = await hostile.browser.headersToAsk();
  const password = '/dashboard/api/me/password';
  const { sockets } = await fillPlaces(
    (path) => beginBodyWith(app, path, headers),
    [password, password],
    () => hostile.browser.ask('PUT', '/me', { name: 'Uno' }),
  );
  try {
    assert.equal((await quiet.browser.ask('PUT', '/me', { name: 'Dos' })).status, 200);
  } finally {
    for (const socket of sockets) socket.destroy();
  }
});
