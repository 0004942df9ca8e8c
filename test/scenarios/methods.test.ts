/** Methods: 401 before 404 before 405, `Allow`, and HEAD wherever GET answers (RFC 9110, 9.3.2 and 15.5.6). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { request } from 'undici';
import { newId } from '../../src/kernel/uuid7.ts';
import { catalog } from '../../src/modules/catalog.ts';
import { type App, startApp } from '../harness.ts';
import {
  fillPath,
  givenSeeded,
  keyFor,
  paramsOf,
  type SeededCompany,
  validCallOf,
} from '../support/catalogue-calls.ts';

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const;
type Method = (typeof methods)[number];

async function ask(app: App, method: Method, path: string, headers: Record<string, string> = {}) {
  const response = await request(new URL(path, app.url), { method, headers });
  const text = await response.body.text();
  return { status: response.statusCode, headers: response.headers, text };
}

const allowedAt = new Map<string, Set<string>>();
for (const { path, method } of catalog) {
  const allowed = allowedAt.get(path) ?? new Set();
  allowed.add(method);
  if (method === 'GET') allowed.add('HEAD');
  allowedAt.set(path, allowed);
}

let unchanged: Promise<SeededCompany> | undefined;

/** Reads and wrong methods change nothing, so they share a company. */
function givenUnchanged(app: App): Promise<SeededCompany> {
  unchanged ??= givenSeeded(app);
  return unchanged;
}

test('given a known path, when another method is sent, then it is 405 with those that are allowed', async (t) => {
  const app = await startApp(t);
  const { key, seed } = await givenUnchanged(app);
  const headers = { authorization: `Bearer ${key}` };
  for (const [path, allowed] of allowedAt) {
    const operation = catalog.find((one) => one.path === path)!;
    const target = fillPath(operation, paramsOf(operation, seed));
    for (const method of methods) {
      // Another operation may have this very path.
      if (allowed.has(method) || app.operationOf(method, target)) continue;
      if (method === 'HEAD' && app.operationOf('GET', target)) continue;
      const answer = await ask(app, method, target, headers);
      assert.equal(answer.status, 405, `${method} ${target}: ${answer.text}`);
      assert.deepEqual(String(answer.headers.allow).split(', ').toSorted(), [...allowed].toSorted(), path);
      assert.ok(answer.headers['x-request-id'] && answer.headers['service-version']);
      if (method !== 'HEAD') assert.equal(JSON.parse(answer.text).error.code, 'method_not_allowed');
    }
  }
});

test('given a method that is not allowed, then 401 comes before 404, and 404 before 405', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = { authorization: `Bearer ${acme.live_key}` };
  const cases: [path: string, headers: Record<string, string>, status: number, code: string][] = [
    ['/v1/clients', {}, 401, 'missing_api_key'],
    ['/v1/clients', { authorization: 'Bearer x' }, 401, 'invalid_api_key'],
    ['/v1/clients', key, 405, 'method_not_allowed'],
    ['/v1/nowhere', key, 404, 'resource_not_found'],
    ['/v1/clients/none', key, 404, 'resource_not_found'],
    [`/v1/clients/${newId()}`, key, 405, 'method_not_allowed'],
    ['/v1/clients', { ...key, 'x-active-profile': newId() }, 404, 'profile_not_found'],
    ['/v1/clients', { ...key, 'service-version': 'x' }, 400, 'parameter_invalid_format'],
  ];
  for (const [path, headers, status, code] of cases) {
    // A body is not read, whatever it is.
    const answer = await ask(app, 'PATCH', path, { ...headers, 'content-type': 'text/plain' });
    assert.deepEqual([answer.status, JSON.parse(answer.text).error.code], [status, code], path);
    assert.equal(answer.headers.allow !== undefined, status === 405);
  }
});

test('given a profile, when a method is not allowed there, then it is 405 with Allow all the same', async (t) => {
  const app = await startApp(t);
  const agency = await app.given.company();
  const child = await app.given.company({ parent_id: agency.company_id });
  const answer = await ask(app, 'PATCH', '/v1/clients', {
    authorization: `Bearer ${agency.live_key}`,
    'x-active-profile': child.company_id,
  });
  assert.deepEqual([answer.status, answer.headers.allow], [405, 'GET, HEAD, POST'], answer.text);
});

test('given every path, when a wrong method is sent, then 401 comes before 404, 404 before 405, and a profile changes nothing', async (t) => {
  const app = await startApp(t);
  const { company, key, seed } = await givenUnchanged(app);
  const child = await app.given.company({ parent_id: company.company_id });
  const own = { authorization: `Bearer ${key}` };
  const profile = { ...own, 'x-active-profile': child.company_id };
  const stranger = { ...own, 'x-active-profile': newId() };
  for (const [path, allowed] of allowedAt) {
    const operation = catalog.find((one) => one.path === path)!;
    const target = fillPath(operation, paramsOf(operation, seed));
    const ids = Object.keys(operation.params?.properties ?? {});
    const malformed = fillPath(operation, {
      ...paramsOf(operation, seed),
      ...(ids[0] ? { [ids[0]]: '-' } : {}),
    });
    const code = async (at: string, headers: Record<string, string>) => {
      const answer = await ask(app, 'PATCH', at, { ...headers, 'if-match': '"x"', 'idempotency-key': 'x' });
      const allow = answer.headers.allow;
      return [JSON.parse(answer.text).error.code, allow && String(allow).split(', ').toSorted()];
    };
    const refused = ['method_not_allowed', [...allowed].toSorted()];
    assert.deepEqual(await code(target, {}), ['missing_api_key', undefined], path);
    assert.deepEqual(await code(malformed, {}), ['missing_api_key', undefined], path);
    assert.deepEqual(await code(target, stranger), ['profile_not_found', undefined], path);
    assert.deepEqual(await code(target, profile), refused, path);
    assert.deepEqual(await code(target, own), refused, path);
    // Another route may take what is no id, or the parameter takes any text.
    const [found] = await code(malformed, own);
    if (operation.params && JSON.stringify(operation.params).includes('"uuid"'))
      assert.notEqual(found, 'method_not_allowed', malformed);
  }
});

test('given pages and health, when another method is sent, then it is 405 with Allow, without a key', async (t) => {
  const app = await startApp(t);
  for (const path of ['/healthz', '/docs', '/openapi.json', '/i/x', '/i/x/pdf', '/pdf/x']) {
    const answer = await ask(app, 'DELETE', path);
    const allow = path === '/openapi.json' ? 'GET, HEAD, OPTIONS' : 'GET, HEAD';
    assert.deepEqual([answer.status, answer.headers.allow], [405, allow], `${path}: ${answer.text}`);
  }
});

/** What differs from one call to the next. */
const volatile = new Set(['x-request-id', 'date', 'ratelimit', 'content-length', 'connection', 'keep-alive']);

test('given every GET, when HEAD is sent, then status and headers are those of GET, without a body', async (t) => {
  const app = await startApp(t);
  const seeded = await givenUnchanged(app);
  let known = 0;
  for (const operation of catalog.filter(({ method }) => method === 'GET')) {
    const { query, params } = validCallOf(operation, seeded.seed);
    const search = query ? `?${new URLSearchParams(query)}` : '';
    const path = `${fillPath(operation, { ...paramsOf(operation, seeded.seed), ...params })}${search}`;
    const headers = { authorization: `Bearer ${keyFor(operation, seeded)}` };
    const got = await ask(app, 'GET', path, headers);
    const head = await ask(app, 'HEAD', path, headers);
    assert.equal(head.text, '', operation.name);
    assert.equal(head.status, got.status, operation.name);
    const steady = (all: typeof got.headers) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => !volatile.has(name)));
    assert.deepEqual(steady(head.headers), steady(got.headers), operation.name);
    const length = (all: typeof got.headers) => Number(all['content-length']);
    assert.ok(length(head.headers) > 0, operation.name);
    // A tag names one text, so its length is known too.
    if (!got.headers.etag) continue;
    assert.equal(length(head.headers), length(got.headers), operation.name);
    const held = await ask(app, 'HEAD', path, { ...headers, 'if-none-match': String(got.headers.etag) });
    if (held.status === 200) continue;
    assert.deepEqual([held.status, held.text, held.headers['content-length']], [304, '', undefined]);
    known++;
  }
  assert.ok(known > 15, `${known} were known by their tag`);
});

test('given what opens without a key, when HEAD is sent, then status and headers are those of GET, without a body', async (t) => {
  const app = await startApp(t);
  const { company, key, seed } = await givenSeeded(app);
  const { public_url } = (await app.get(`/v1/invoices/${seed.issued}`, { key })).body.data;
  const { pathname } = new URL(public_url);
  const links = ['a4', 'ticket_80'].map(async (format) => {
    const query = { format };
    const { body } = await app.get(`/v1/invoices/${seed.issued}/pdf-link`, { key, query });
    return new URL(body.data.url).pathname;
  });
  const opened = [pathname, `${pathname}/pdf`, ...(await Promise.all(links))];
  const cases: [path: string, status: number, headers?: Record<string, string>][] = [
    ['/healthz', 200],
    ['/readyz', 200],
    ['/metrics', 200],
    ['/openapi.json', 200],
    ['/docs', 200],
    ['/docs/style.css', 200],
    ['/docs/reference/invoices', 200],
    ['/docs/errors', 200],
    ['/docs/errors/resource_not_found', 200],
    ['/docs/errors/none', 404],
    ['/docs/webhooks', 200],
    ['/docs/event-schemas.json', 200],
    ['/docs/none', 404],
    ...opened.map((path): [string, number] => [path, 200]),
    ...['/i', '/i/x', '/i/x/pdf', '/pdf/x', '/nowhere'].map((path): [string, number] => [path, 404]),
  ];
  for (const path of ['/openapi.json', '/docs', `${pathname}/pdf`]) {
    const { etag } = (await ask(app, 'GET', path)).headers;
    cases.push([path, 304, { 'if-none-match': String(etag) }]);
  }
  const holds = async ([path, status, headers = {}]: (typeof cases)[number]) => {
    const [got, head] = [await ask(app, 'GET', path, headers), await ask(app, 'HEAD', path, headers)];
    assert.deepEqual([got.status, head.status, head.text], [status, status, ''], path);
    // These count or name the request itself.
    const counts = path === '/metrics' || path === '/nowhere' ? ['content-length'] : [];
    const moving = new Set(['x-request-id', 'date', 'connection', 'keep-alive', ...counts]);
    const steady = (all: typeof got.headers) =>
      Object.fromEntries(Object.entries(all).filter(([name]) => !moving.has(name)));
    assert.deepEqual(steady(head.headers), steady(got.headers), path);
  };
  for (const one of cases) await holds(one);
  // Withdrawn: a page says so.
  const revoke = { key: company.live_key, body: { revert_collections: true } };
  const annulled = await app.post(`/v1/invoices/${seed.issued}/annul`, revoke);
  assert.equal(annulled.status, 200, annulled.text);
  for (const path of [pathname, `${pathname}/pdf`]) await holds([path, 410]);
});

test('given HEAD without a key or of what is not there, then it is refused as GET is', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = { authorization: `Bearer ${acme.live_key}` };
  assert.equal((await ask(app, 'HEAD', '/v1/clients')).status, 401);
  assert.equal((await ask(app, 'HEAD', '/v1/nowhere', key)).status, 404);
  assert.equal((await ask(app, 'HEAD', `/v1/clients/${newId()}`, key)).status, 404);
});
