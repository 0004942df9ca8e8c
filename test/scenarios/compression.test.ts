/** What goes out compressed and what does not, tags of documents, and who may read them from a browser (ADR 76). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { request } from 'undici';
import { type App, startApp } from '../harness.ts';
import { givenPerson } from '../support/person-browser.ts';

type Sent = {
  method?: 'GET' | 'HEAD' | 'OPTIONS' | 'POST';
  key?: string;
  headers?: Record<string, string>;
  body?: string;
};

async function send(app: App, path: string, { method = 'GET', key, headers = {}, body }: Sent = {}) {
  const answer = await request(new URL(path, app.url), {
    method,
    headers: { ...(key ? { authorization: `Bearer ${key}` } : {}), ...headers },
    ...(body === undefined ? {} : { body }),
  });
  return {
    status: answer.statusCode,
    headers: answer.headers,
    bytes: Buffer.from(await answer.body.arrayBuffer()),
  };
}

const unpack: Record<string, (bytes: Buffer) => Buffer> = { br: brotliDecompressSync, gzip: gunzipSync };
const codings = ['br', 'gzip'] as const;
const documents = ['/openapi.json', '/docs/event-schemas.json'];

test('given documents and pages, when they are asked for in each coding, then each has a tag of its own and is the same text', async (t) => {
  const app = await startApp(t);
  for (const path of [...documents, '/docs', '/docs/style.css']) {
    const plain = await send(app, path);
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.equal(plain.headers.vary, 'Accept-Encoding', path);
    const tags = new Set([plain.headers.etag]);
    for (const coding of codings) {
      const headers = { 'accept-encoding': coding };
      const packed = await send(app, path, { headers });
      assert.equal(packed.headers['content-encoding'], coding, path);
      assert.deepEqual(unpack[coding]!(packed.bytes), plain.bytes, path);
      assert.equal(packed.headers['content-length'], String(packed.bytes.length));
      assert.ok(packed.bytes.length < plain.bytes.length / 2, `${path}: ${packed.bytes.length}`);
      const tag = String(packed.headers.etag);
      assert.match(tag, /^"[\w-]+"$/);
      tags.add(tag);

      const held = await send(app, path, { headers: { ...headers, 'if-none-match': `"other", W/${tag}` } });
      assert.deepEqual([held.status, held.bytes.length, held.headers.etag], [304, 0, tag]);
      assert.deepEqual([held.headers.vary, held.headers['content-encoding']], ['Accept-Encoding', undefined]);
      assert.equal((await send(app, path, { headers: { 'if-none-match': tag } })).status, 200);

      const head = await send(app, path, { method: 'HEAD', headers });
      const told = ({ headers: { date: _, ...rest } }: typeof head) => rest;
      const same = ({
        'x-request-id': _,
        connection: __,
        'keep-alive': ___,
        ...rest
      }: Record<string, unknown>) => rest;
      assert.deepEqual([head.bytes.length, same(told(head))], [0, same(told(packed))], path);
      const part = await send(app, path, { headers: { ...headers, range: 'bytes=0-9' } });
      assert.deepEqual([part.status, part.bytes.length], [200, packed.bytes.length]);
    }
    assert.equal(tags.size, 3, path);
  }
  const small = await send(app, '/healthz', { headers: { 'accept-encoding': 'br' } });
  assert.deepEqual([small.headers['content-encoding'], small.headers.vary], [undefined, undefined]);
});

test('given a page of another origin, then it may read documents, asking first or not, and nothing else', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const origin = { origin: 'https://tools.example' };
  const asking = {
    ...origin,
    'access-control-request-method': 'GET',
    'access-control-request-headers': 'if-none-match',
  };
  for (const path of [...documents, '/llms.txt', '/docs/changelog.atom', '/docs/search.json']) {
    for (const method of ['GET', 'HEAD'] as const) {
      const { headers } = await send(app, path, { method, headers: origin });
      assert.equal(headers['access-control-allow-origin'], '*', path);
      assert.equal(headers['access-control-expose-headers'], 'ETag', path);
      assert.equal(headers['access-control-allow-credentials'], undefined, path);
    }
    const first = await send(app, path, { method: 'OPTIONS', headers: asking });
    assert.equal(first.status, 204);
    assert.equal(first.headers['access-control-allow-methods'], 'GET, HEAD');
    assert.equal(first.headers['access-control-allow-headers'], 'If-None-Match');
    const tag = String((await send(app, path)).headers.etag);
    const held = await send(app, path, { headers: { ...origin, 'if-none-match': tag } });
    assert.deepEqual([held.status, held.headers['access-control-allow-origin']], [304, '*']);
  }
  for (const path of [
    '/v1/clients',
    '/v1/account',
    '/v1/nowhere',
    '/v1',
    '/%76%31/clients',
    '/docs',
    '/dashboard',
  ]) {
    for (const sent of [
      { method: 'OPTIONS' as const, headers: asking },
      { headers: origin },
      { key, headers: origin },
    ]) {
      const { status, headers } = await send(app, path, sent);
      const open = Object.keys(headers).filter((name) => name.startsWith('access-control'));
      assert.deepEqual(open, [], path);
      if (sent.method === 'OPTIONS') assert.ok(status >= 400, `${path} ${status}`);
    }
  }
});

test('given a list of documents with hundreds of lines, when its caller takes a coding, then it is compressed', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const lines = Array.from({ length: 150 }, () => ({ description: 'Café', unit_price: 1, tax_rate: 10 }));
  for (let i = 0; i < 2; i++)
    assert.equal((await app.post('/v1/invoices', { key, body: { type: 'F2', lines } })).status, 201);
  const plain = await send(app, '/v1/invoices', { key });
  for (const coding of codings) {
    const packed = await send(app, '/v1/invoices', { key, headers: { 'accept-encoding': coding } });
    assert.equal(packed.headers['content-encoding'], coding);
    assert.deepEqual(unpack[coding]!(packed.bytes), plain.bytes);
  }
});

test('given a list, when its caller takes a coding, then a long one is compressed, and a short one, a resource and a secret are not', async (t) => {
  const app = await startApp(t);
  const company = await app.given.company();
  const { live_key: key } = company;
  for (let i = 0; i < 6; i++) {
    const { status } = await app.post('/v1/clients', {
      key,
      body: { name: `Cliente ${i}, Ñandú`, notes: 'x'.repeat(500) },
    });
    assert.equal(status, 201);
  }
  const plain = await send(app, '/v1/clients', { key });
  assert.deepEqual([plain.headers['content-encoding'], plain.headers.vary], [undefined, 'Accept-Encoding']);
  for (const coding of codings) {
    const headers = { 'accept-encoding': coding };
    const packed = await send(app, '/v1/clients', { key, headers });
    assert.deepEqual([packed.headers['content-encoding'], packed.headers.vary], [coding, 'Accept-Encoding']);
    assert.deepEqual(unpack[coding]!(packed.bytes), plain.bytes);
    assert.equal(packed.headers['cache-control'], 'no-store');
    const page = await send(app, '/v1/clients?limit=5', { key, headers });
    assert.match(String(page.headers.link), /rel="next"/);
    const head = await send(app, '/v1/clients', { key, headers, method: 'HEAD' });
    assert.deepEqual([head.status, head.bytes.length, head.headers['content-encoding']], [200, 0, coding]);
  }
  const headers = { 'accept-encoding': 'br, gzip' };
  const [{ id }] = JSON.parse(plain.bytes.toString()).data;
  const of_secret = {
    key,
    headers: { ...headers, 'content-type': 'application/json' },
    method: 'POST' as const,
  };
  const whole = [
    await send(app, '/v1/clients?limit=1', { key, headers }),
    await send(app, `/v1/clients/${id}`, { key, headers }),
    await send(app, '/v1/account/api-keys', { ...of_secret, body: '{"name":"Clave","scopes":["*"]}' }),
    await send(app, '/v1/clients?limit=no', { key, headers }),
    await send(app, '/v1/clients', { headers }),
  ];
  assert.deepEqual(
    whole.map(({ status }) => status),
    [200, 200, 201, 422, 401],
  );
  for (const { headers: told, bytes } of whole) {
    assert.equal(told['content-encoding'], undefined);
    JSON.parse(bytes.toString());
  }
  const { browser } = await givenPerson(app, company, 'owner');
  const shown = await browser.get(`/dashboard/api/${company.company_id}/v1/clients`, headers);
  assert.deepEqual([shown.status, shown.body.data.length], [200, 6]);
  assert.equal(shown.headers['content-encoding'], undefined);
  const { etag } = whole[1]!.headers;
  const put = await app.put(`/v1/clients/${id}`, {
    key,
    headers: { 'if-match': String(etag) },
    body: { name: 'Otro' },
  });
  assert.equal(put.status, 200, put.text);
});
