/**
 * While the credential is looked up, a call starts in the company that its secret last opened (ADR 12, ADR 87). This memory
 * decides nothing, and no refusal keeps a connection.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { startApp, type TestCompany } from '../harness.ts';
import { create } from '../support/resource-checks.ts';
import { watchService } from '../support/statements.ts';
import { until } from '../support/worker-place.ts';

/** Fewer connections than refusals, so that a leak would exhaust them. */
const options = { fresh: true, env: { FOLIO_POOL_SIZE: '2' } };
const refusals = 6;

async function startWithInvoice(t: Parameters<typeof startApp>[0], env: Record<string, string> = {}) {
  const app = await startApp(t, { ...options, env: { ...options.env, ...env } });
  const acme: TestCompany = await app.given.company();
  const secret = await app.given.apiKey(acme, { scopes: ['invoices:read'] });
  const made = await app.post('/v1/invoices', {
    key: acme.live_key,
    body: { type: 'F2', lines: [{ description: 'Café', unit_price: 1.5, tax_rate: 10 }] },
  });
  const path = `/v1/invoices/${made.body.data.id}`;
  // The first call teaches the process where the secret belongs.
  for (let i = 0; i < 2; i++) assert.equal((await app.get(path, { key: secret })).status, 200);
  return { app, acme, secret, path };
}

test('given a key that reads, when it is revoked, then its very next read is refused like that of a key that never was', async (t) => {
  const { app, acme, secret, path } = await startWithInvoice(t);
  const [key] = await app.sql<{ id: string }[]>`
    select id from api_keys where company_id = ${acme.company_id} and scopes = array['invoices:read']`;
  await app.post(`/v1/account/api-keys/${key!.id}/revoke`, { key: acme.live_key });

  const refused = await app.get(path, { key: secret });
  assert.equal(refused.status, 401);
  const unknown = await app.get(path, { key: `svc_live_${'x'.repeat(24)}` });
  const { request_id: _, ...told } = refused.body.error;
  const { request_id: __, ...wanted } = unknown.body.error;
  assert.deepEqual(told, wanted);
  for (let i = 0; i < refusals; i++) assert.equal((await app.get(path, { key: secret })).status, 401);
  assert.equal((await app.get(path, { key: acme.live_key })).status, 200);
});

test('given reads that are refused after they began, when others follow, then no connection was kept', async (t) => {
  const { app, acme, secret, path } = await startWithInvoice(t);
  const refused = [
    { path: '/v1/clients', key: secret, status: 403 },
    { path: `/v1/invoices/${randomUUID()}`, key: secret, status: 404 },
    { path: '/v1/invoices/none', key: secret, status: 404 },
    { path: `${path}?unknown=1`, key: secret, status: 422 },
    { path, key: secret, headers: { 'Service-Version': '1999-01-01' }, status: 400 },
  ];
  for (const { status, path: at, ...rest } of refused) {
    for (let i = 0; i < refusals; i++) assert.equal((await app.get(at, rest)).status, status, at);
  }
  const answers = await Promise.all(Array.from({ length: 8 }, () => app.get(path, { key: acme.live_key })));
  assert.deepEqual(
    answers.map((answer) => answer.status),
    Array(8).fill(200),
  );
});

test('given a key at its limit, when it goes on reading, then it is told to wait and no connection is kept', async (t) => {
  const { app, acme, secret, path } = await startWithInvoice(t, { FOLIO_RATE_LIMITS: '{"scale":[3,100]}' });
  assert.equal((await app.get(path, { key: secret })).status, 200);
  for (let i = 0; i < refusals; i++) assert.equal((await app.get(path, { key: secret })).status, 429);
  assert.equal((await app.get(path, { key: acme.live_key })).status, 200);
});

test('given a company that changed, when it reads again, then it is read as it is now', async (t) => {
  const { app, acme, path } = await startWithInvoice(t);
  assert.equal((await app.get(path, { key: acme.live_key })).status, 200);
  const changed = await app.put('/v1/account/company', {
    key: acme.live_key,
    body: { name: 'Acme Nueva SL' },
  });
  assert.equal(changed.status, 200);
  const read = await app.get('/v1/account/company', { key: acme.live_key });
  assert.equal(read.body.data.name, 'Acme Nueva SL');
});

const line = { description: 'Café', unit_price: 1.5, tax_rate: 10 };
const isLookUp = (sql: string) => /from credentials\b/.test(sql);
const isBegin = (sql: string) => /^begin/.test(sql);

type Sent = {
  key: string;
  body: object;
  headers?: Record<string, string>;
  /** The head goes out before it; head and body in one piece when left out. */
  beforeBody?: () => Promise<void>;
};

async function send(to: URL, { key, body, headers = {}, beforeBody }: Sent): Promise<void> {
  const bytes = Buffer.from(JSON.stringify(body));
  const said = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const sent = request(to, {
    method: 'POST',
    headers: { ...said, 'content-length': bytes.length, ...headers },
  });
  const answered = Promise.withResolvers<IncomingMessage>();
  sent.on('error', answered.reject).on('response', answered.resolve);
  if (beforeBody) {
    sent.flushHeaders();
    await beforeBody();
  }
  sent.end(bytes);
  const answer = await answered.promise;
  const told = await text(answer);
  assert.ok(answer.statusCode === 200 || answer.statusCode === 201, told);
}

test('given a key that called before, when a small body comes with its head, then its call begins with the look-up of the key', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const product = await create(app, '/v1/products', key, { name: 'Café', unit_price: 1.5 });
  const { url, during } = await watchService(t, app);
  const call = (path: string, body: object, headers: Record<string, string> = {}) =>
    during(() => send(new URL(path, url), { key, body, headers }));
  const many = Array.from({ length: 400 }, () => line);
  const rows = [
    ['a read', '/v1/price-lists/resolve', { lines: [{ product_id: product.id, quantity: 1 }] }, true],
    ['what writes', '/v1/quotes', { lines: [line] }, true],
    ['what issues', '/v1/invoices', { type: 'F2', lines: [line] }, true],
    ['a large body', '/v1/quotes', { lines: many }, false],
    ['one that takes turns by its external id', '/v1/quotes', { external_id: 'a-1', lines: [line] }, false],
    [
      'a list that is checked one by one',
      '/v1/invoices/bulk-create',
      { invoices: [{ type: 'F2', lines: [line] }] },
      false,
    ],
  ] as const;
  await call('/v1/quotes', { lines: [line] });
  for (const [what, path, body, is_early] of rows) {
    const texts = await call(path, body);
    const [first, second] = [texts.findIndex(isBegin), texts.findIndex(isLookUp)];
    assert.ok(first >= 0 && second >= 0, what);
    assert.equal(first < second, is_early, `${what}: ${texts.slice(0, 4).join(' | ')}`);
  }
  const keyed = await call('/v1/quotes', { lines: [line] }, { 'Idempotency-Key': randomUUID() });
  assert.ok(keyed.findIndex(isLookUp) < keyed.findIndex(isBegin));
});

test('given a body that comes after its head, when nothing of it is there yet, then nothing has begun', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const { url, during } = await watchService(t, app);
  const to = new URL('/v1/quotes', url);
  const call = { key, body: { lines: [line] } };
  await send(to, call);
  let looked_up = () => false;
  const seen = await during((texts) => {
    looked_up = () => texts.some(isLookUp);
    return send(to, { ...call, beforeBody: () => until(async () => looked_up()) });
  });
  assert.ok(seen.findIndex(isLookUp) < seen.findIndex(isBegin), seen.slice(0, 4).join(' | '));
});

test('given a key that wrote, when it is revoked, then its very next call writes nothing and keeps no connection', async (t) => {
  const app = await startApp(t, options);
  const acme: TestCompany = await app.given.company();
  const secret = await app.given.apiKey(acme, { scopes: ['quotes:write', 'invoices:write'] });
  const body = { lines: [line] };
  assert.equal((await app.post('/v1/quotes', { key: secret, body })).status, 201);
  const [key] = await app.sql<{ id: string }[]>`
    select id from api_keys where company_id = ${acme.company_id} and 'quotes:write' = any(scopes)`;
  await app.post(`/v1/account/api-keys/${key!.id}/revoke`, { key: acme.live_key });

  for (let i = 0; i < refusals; i++) {
    assert.equal((await app.post('/v1/quotes', { key: secret, body })).status, 401);
    const invoice = { type: 'F2', ...body };
    assert.equal((await app.post('/v1/invoices', { key: secret, body: invoice })).status, 401);
  }
  const [count] = await app.sql<{ quotes: number; invoices: number }[]>`
    select (select count(*)::int from quotes where company_id = ${acme.company_id}) quotes,
           (select count(*)::int from invoices where company_id = ${acme.company_id}) invoices`;
  assert.deepEqual({ ...count }, { quotes: 1, invoices: 0 });
  assert.equal((await app.get('/v1/quotes', { key: acme.live_key })).status, 200);
});

test('given calls that write and are refused after they began, when others follow, then each refusal is its own and no connection is kept', async (t) => {
  const app = await startApp(t, options);
  const acme: TestCompany = await app.given.company();
  const secret = await app.given.apiKey(acme, { scopes: ['quotes:write'] });
  const path = '/v1/quotes';
  const body = { lines: [line] };
  for (let i = 0; i < 2; i++) assert.equal((await app.post(path, { key: secret, body })).status, 201);
  const unknown = { 'Service-Version': '1999-01-01' };
  const refused = [
    { path: '/v1/invoices', body: { type: 'F2', ...body }, status: 403, code: 'insufficient_scope' },
    {
      path,
      body: { lines: [{ ...line, product_id: randomUUID() }] },
      status: 422,
      code: 'parameter_invalid',
    },
    { path, body: { lines: [line], unknown: 1 }, status: 422, code: 'parameter_invalid' },
    { path, body, headers: unknown, status: 400, code: 'unsupported_api_version' },
    { path, raw: '{"lines":', status: 400, code: 'parameter_invalid_format' },
    {
      path,
      raw: JSON.stringify(body),
      headers: { 'content-type': 'text/plain' },
      status: 415,
      code: 'unsupported_media_type',
    },
  ];
  for (const { status, code, path: at, ...rest } of refused) {
    for (let i = 0; i < refusals; i++) {
      const answer = await app.post(at, { key: secret, ...rest });
      assert.equal(answer.body.error.code, code, JSON.stringify(answer.body));
      assert.equal(answer.status, status);
    }
  }
  const [count] = await app.sql<{ quotes: number }[]>`
    select count(*)::int quotes from quotes where company_id = ${acme.company_id}`;
  assert.equal(count!.quotes, 2);
  const made = await Promise.all(Array.from({ length: 8 }, () => app.post(path, { key: secret, body })));
  assert.deepEqual(
    made.map((answer) => answer.status),
    Array(8).fill(201),
  );
});
