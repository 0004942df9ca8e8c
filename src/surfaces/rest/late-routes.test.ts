import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FastifyRequest } from 'fastify';
import { startApp } from '../../../test/harness.ts';
import { givenPerson } from '../../../test/support/person-browser.ts';
import { catalog } from '../../modules/catalog.ts';
import type { Operation } from '../../kernel/operation.ts';
import { makeLateRoutes } from './late-routes.ts';
import { makeRestServer, type RestParts } from './server.ts';

const base = '/dashboard/api/:in_company';
const under = `${base}/v1/*`;
const company = '0199c4a8-0000-7000-8000-000000000001';
const listed = () =>
  catalog.map((operation) => ({
    method: operation.method,
    url: `${base}${operation.path}`,
    config: { operation, resource: null },
  }));
const ask = (method: string, url: string) => ({ method, url }) as FastifyRequest;
const addressOf = (path: string) => `/dashboard/api/${company}${path.replaceAll(/:(\w+)/g, 'the-$1')}`;

test('given operations that lie late, when the first request comes, then the table is made, once', () => {
  let lists = 0;
  const routes = makeLateRoutes(500);
  routes.add(under, () => {
    lists += 1;
    return listed();
  });
  assert.equal(lists, 0);
  for (const url of [addressOf('/v1/invoices'), addressOf('/v1/nothing')])
    routes.find(ask('GET', url), under);
  assert.equal(lists, 1);
});

test('given every operation, when its address is called, then it is found, with its parameters', () => {
  const routes = makeLateRoutes(500);
  routes.add(under, listed);
  for (const operation of catalog) {
    const { method, name, path } = operation;
    const params = Object.fromEntries([...path.matchAll(/:(\w+)/g)].map(([, one]) => [one, `the-${one}`]));
    for (const one of method === 'GET' ? ['GET', 'HEAD'] : [method]) {
      const route = routes.find(ask(one, addressOf(path)), under);
      assert.equal(route?.config?.operation, operation, `${one} ${name}`);
      assert.deepEqual({ ...route?.params }, { in_company: company, ...params }, name);
      assert.equal(route?.url, `${base}${path}`);
    }
    const other = routes.find(ask('PATCH', addressOf(path)), under);
    assert.deepEqual([other?.config, other?.known.allowed.has(method)], [undefined, true], name);
  }
  for (const path of ['/v1/nothing', `/v1/invoices/${'x'.repeat(501)}`, '/v2/invoices'])
    assert.equal(routes.find(ask('GET', addressOf(path)), under), undefined, path);
});

test('given operations that could not all be reached, when a service is put together, then it does not start', () => {
  const parts = {
    engine: {},
    shares: {},
    trusted_proxies: [],
    log: { level: 'silent' },
    observe: () => undefined,
    public_url: () => '',
    docs_url: () => '',
  };
  const make = (...operations: readonly Operation[]) =>
    makeRestServer({ ...parts, catalog: operations } as unknown as RestParts);
  const door = { callerOf: () => assert.fail(), refuseLost: () => assert.fail() };
  const [one] = catalog;
  assert.ok(one);
  const elsewhere = { ...one, path: '/things' } as Operation;
  assert.throws(() => make(one, one), /already declared/);
  const named = (method: string, path: string) => ({ ...one, method, path }) as Operation;
  assert.throws(
    () => make(named('GET', '/v1/things/:thing'), named('PUT', '/v1/things/:other')),
    /name the parameters of one path differently/,
  );
  assert.throws(
    () => make(named('GET', '/v1/things/:thing'), named('GET', '/v1/things/:other')),
    /already declared/,
  );
  assert.throws(() => make(elsewhere).mountForPeople(base, door), /cannot lie at/);
  assert.throws(() => make(one).mountForPeople(base, door, [one]), /cannot lie at/);
  assert.throws(() => make(one).mountForPeople(base, door, [elsewhere, elsewhere]), /already declared/);
  assert.doesNotThrow(() => make(one).mountForPeople(base, door, [elsewhere]));
});

const fresh = { key_wait_ms: 60_000 };

test('given a service just started, when the first call of a person comes, then it is answered as any', async (t) => {
  const shared = await startApp(t);
  const acme = await shared.given.company();
  const { browser } = await givenPerson(shared, acme, 'owner');
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const clients = `/dashboard/api/${acme.company_id}/v1/clients`;
  const lists = await (await startApp(t, fresh)).get(clients, { headers: { cookie } });
  assert.deepEqual([lists.status, lists.body.data], [200, []]);
  const nobody = await (await startApp(t, fresh)).get(clients);
  assert.deepEqual([nobody.status, nobody.body.error.code], [401, 'session_required']);
  const app = await startApp(t, fresh);
  const wrong = await app.delete(clients, { headers: { cookie, origin: app.url } });
  assert.deepEqual([wrong.status, wrong.body.error.code], [403, 'foreign_request']);
  const { body: session } = await app.get('/dashboard/api/session', { headers: { cookie } });
  const headers = { cookie, origin: app.url, 'x-folio-csrf': session.data.csrf };
  const refused = await app.delete(clients, { headers });
  assert.deepEqual([refused.status, refused.headers.allow], [405, 'GET, HEAD, POST']);
  const made = await app.post(clients, { headers, body: { name: 'Papelería Sur SL', tax_id: 'B12345674' } });
  assert.equal(made.status, 201, made.text);
  const read = await app.get(`${clients}/${made.body.data.id}`, { headers });
  assert.deepEqual([read.status, read.body.data.name], [200, 'Papelería Sur SL']);
  const [head, plain] = await Promise.all(
    (['HEAD', 'GET'] as const).map((method) => fetch(`${app.url}${clients}`, { method, headers })),
  );
  assert.deepEqual(
    [head?.status, await head?.text(), head?.headers.get('content-length')],
    [200, '', String((await plain!.arrayBuffer()).byteLength)],
  );
});

test('given an address where nothing lies, when anybody calls it, then there is nothing', async (t) => {
  const app = await startApp(t);
  for (const path of ['/v1/nothing', '/v1/', `/v1/invoices/${'x'.repeat(501)}`]) {
    const { status, body } = await app.get(addressOf(path));
    assert.deepEqual([status, body.error.code], [404, 'resource_not_found'], path);
  }
  const posted = await app.post(addressOf('/v1/nothing'), { body: {} });
  assert.deepEqual([posted.status, posted.headers.allow], [405, 'GET, HEAD']);
});

test('given a large body, when a person sends it, then the limit of its operation holds', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { browser } = await givenPerson(app, acme, 'owner');
  const limitOf = (searched: string) => catalog.find(({ name }) => name === searched)!.body_limit;
  const long = 'x'.repeat(limitOf('create_client'));
  assert.ok(long.length * 2 < limitOf('sign_delivery_note'));
  const client = await browser.ask('POST', `/${acme.company_id}/v1/clients`, { name: long });
  assert.deepEqual([client.status, client.body.error.code], [413, 'request_too_large']);
  const note = await browser.ask('POST', `/${acme.company_id}/v1/delivery_notes/${company}/sign`, {
    name: long,
  });
  assert.equal(note.status, 422, note.text);
  const { upload } = catalog.find(({ name }) => name === 'upload_purchase_scan')!;
  const file = { [upload!]: long.repeat(20) };
  const scan = await browser.ask('POST', `/${acme.company_id}/v1/purchase_scans`, file);
  assert.equal(scan.status, 422, scan.text);
});
