/** What comes to the address and is no call, and what its settings decide. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { request } from 'undici';
import { type App, startApp } from '../../../test/harness.ts';
import { newKey } from '../../../test/support/api-keys.ts';
import { askMcp, callTool, connectMcp, mcpRequest, revision } from '../../../test/support/mcp-client.ts';

type Told = [status: number, code: number | undefined];

const told = ({ status, body }: Awaited<ReturnType<typeof askMcp>>): Told => [status, body?.error?.code];
const meta = mcpRequest('tools/list').body.params._meta;

const bodies: [name: string, raw: string | Buffer, told: Told][] = [
  ['no JSON', '{', [400, -32700]],
  ['no UTF-8', Buffer.from([0x22, 0xff, 0x22]), [400, -32700]],
  ['nothing', '', [400, -32600]],
  ['a batch', JSON.stringify([mcpRequest('tools/list').body]), [400, -32600]],
  ['an empty batch', '[]', [400, -32600]],
  ['a text', '"x"', [400, -32600]],
  ['another JSON-RPC', '{"jsonrpc":"1.0","id":1,"method":"tools/list"}', [400, -32600]],
  ['an answer', '{"jsonrpc":"2.0","id":1,"result":{}}', [400, -32600]],
  [
    'deep nesting',
    `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${'['.repeat(500)}${']'.repeat(500)}}`,
    [400, -32700],
  ],
  ['no _meta', '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}', [400, -32602]],
  [
    '2 MiB',
    `{"jsonrpc":"2.0","id":1,"method":"tools/list","x":"${'a'.repeat(2 * 1024 * 1024)}"}`,
    [413, 413],
  ],
  [
    'many values',
    JSON.stringify({ ...mcpRequest('tools/list').body, x: Array(70_000).fill(1) }),
    [400, -32700],
  ],
  [
    'a page that the list has not',
    JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: meta, cursor: 'x' } }),
    [200, -32602],
  ],
];

for (const [name, raw, wanted] of bodies) {
  test(`given a body that is ${name}, then it is refused as JSON-RPC says`, async (t) => {
    const app = await startApp(t);
    const { live_key: key } = await app.given.company();
    assert.deepEqual(told(await askMcp(app, 'tools/list', {}, { key, raw })), wanted);
  });
}

const headers: [name: string, method: string, params: object, headers: Record<string, string>, told: Told][] =
  [
    ['another method', 'tools/list', {}, { 'mcp-method': 'tools/call' }, [400, -32020]],
    ['another tool', 'tools/call', { name: 'get_company' }, { 'mcp-name': 'list_clients' }, [400, -32020]],
    ['no tool', 'tools/call', { name: 'get_company' }, { 'mcp-name': '' }, [400, -32020]],
    ['another revision', 'tools/list', {}, { 'mcp-protocol-version': '2025-11-25' }, [400, -32020]],
    ['another media type', 'tools/list', {}, { 'content-type': 'text/plain' }, [415, 415]],
    ['a coding', 'tools/list', {}, { 'content-encoding': 'gzip' }, [415, 415]],
    ['an unknown method', 'resources/list', {}, {}, [404, -32601]],
    ['a removed method', 'ping', {}, {}, [404, -32601]],
    ['a stream of changes', 'subscriptions/listen', { notifications: {} }, {}, [404, -32601]],
    ['arguments that are a list', 'tools/call', { name: 'get_company', arguments: [] }, {}, [200, -32602]],
    ['a name that is a number', 'tools/call', { name: 7 }, {}, [200, -32602]],
  ];

for (const [name, method, params, sent, wanted] of headers) {
  test(`given a request with ${name}, then it is refused`, async (t) => {
    const app = await startApp(t);
    const { live_key: key } = await app.given.company();
    assert.deepEqual(told(await askMcp(app, method, params as never, { key, headers: sent })), wanted);
  });
}

test('given a body over what the operation takes, then it is refused with its limit', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const { body } = await callTool(app, key, 'create_tax', { name: 'x'.repeat(90_000) });
  assert.deepEqual([body.error.code, body.error.data.code], [413, 'request_too_large']);
});

test('given other methods, then only POST is served', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  for (const method of ['get', 'delete', 'put'] as const) {
    const answer = await app[method]('/mcp', { key });
    assert.deepEqual([answer.status, answer.headers.allow], [405, 'OPTIONS, POST'], method);
  }
});

test('given a client of an older revision, then it is told ours, whatever it sends', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const old = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
  };
  const answer = await app.post('/mcp', { key, body: old });
  assert.deepEqual(
    [answer.status, answer.body.error.code, answer.body.error.data.supported],
    [400, -32022, [revision]],
  );
  const newer = { ...meta, 'io.modelcontextprotocol/protocolVersion': '2027-01-01' };
  const unknown = await askMcp(
    app,
    'tools/list',
    { _meta: newer },
    { key, headers: { 'mcp-protocol-version': '2027-01-01' } },
  );
  assert.deepEqual([unknown.status, unknown.body.error.code], [400, -32022]);
});

test('given a page of another origin, or another host, then it is refused before its credential is looked at', async (t) => {
  const app = await startApp(t);
  const port = new URL(app.url).port;
  const status = async (sent: Record<string, string>) => (await ask(app, sent)).statusCode;
  assert.equal(await status({ origin: 'https://evil.example' }), 403);
  assert.equal(await status({ origin: 'null' }), 403);
  assert.equal(await status({ host: `evil.example:${port}` }), 403);
  assert.equal(await status({ host: `localhost:${port}`, origin: `http://localhost:${port}` }), 401);
  assert.equal(await status({ host: `localhost:${port}`, origin: 'http://localhost:1' }), 403);
  assert.equal(await status({}), 401);
});

/** Without a key. */
function ask(app: App, sent: Record<string, string>, method: 'POST' | 'OPTIONS' = 'POST') {
  const made = mcpRequest('tools/list');
  return request(`${app.url}/mcp`, {
    method,
    headers: { ...made.headers, 'content-type': 'application/json', ...sent },
    body: method === 'POST' ? JSON.stringify(made.body) : null,
  });
}

test('given origins, older clients and few writes in the settings, then each holds', async (t) => {
  const page = 'https://agent.example';
  const app = await startApp(t, {
    env: {
      FOLIO_MCP_ORIGINS: `${page}, https://other.example`,
      FOLIO_MCP_LEGACY: 'api_keys',
      FOLIO_PUBLIC_URL: 'https://folio.example/f',
      FOLIO_RATE_LIMITS: '{"scale":[9,2]}',
    },
  });
  app.clock.set('2026-05-04T10:00:20.000Z');
  await t.test('pages of the origins may call, without credentials of the browser', async () => {
    const before = await ask(app, { origin: page, 'access-control-request-method': 'POST' }, 'OPTIONS');
    assert.deepEqual(
      [
        before.statusCode,
        before.headers['access-control-allow-origin'],
        before.headers['access-control-allow-methods'],
      ],
      [204, page, 'POST'],
    );
    const called = await ask(app, { origin: page, host: 'folio.example' });
    assert.equal(called.headers['access-control-allow-origin'], page);
    assert.match(String(called.headers['access-control-expose-headers']), /WWW-Authenticate/);
    assert.equal(called.headers['access-control-allow-credentials'], undefined);
    assert.match(String(called.headers['www-authenticate']), /"https:\/\/folio.example\/f\/\.well-known/);
    const own = await ask(app, { origin: 'https://folio.example' });
    assert.deepEqual([own.statusCode, own.headers['access-control-allow-origin']], [401, undefined]);
    assert.equal((await ask(app, { origin: 'https://folio.example:8443' })).statusCode, 403);
  });
  await t.test('a key may speak an older revision', async () => {
    const { live_key: key } = await app.given.company();
    const transport = new StreamableHTTPClientTransport(new URL('/mcp?toolsets=account', app.url), {
      requestInit: { headers: { authorization: `Bearer ${key}` } },
    });
    const client = new Client({ name: 'old', version: '1' });
    await client.connect(transport);
    const { tools } = await client.listTools();
    assert.ok(tools.some(({ name }) => name === 'get_company'));
    const company = await client.callTool({ name: 'get_company', arguments: {} });
    assert.ok((company.structuredContent as { data: { id: string } }).data.id);
    const [content] = company.content as { text: string }[];
    assert.deepEqual(JSON.parse(content!.text), company.structuredContent);
    await client.close();
    const batch = [{ jsonrpc: '2.0', id: 1, method: 'tools/list' }];
    assert.deepEqual(told(await app.post('/mcp', { key, body: batch })), [400, -32600]);
  });
  await t.test('what an older client is refused is told in HTTP and in the request log too', async () => {
    const { live_key } = await app.given.company();
    const scopes = ['contacts:read', 'developers:read'];
    const { secret: key } = await newKey(app, live_key, { scopes });
    const params = { name: 'create_client', arguments: { name: 'X' } };
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const headers = { accept: 'application/json, text/event-stream' };
    const refused = await app.post('/mcp', { key, body, headers });
    assert.equal(refused.status, 403, refused.text);
    assert.match(refused.text, /"code":403,"message":"insufficient_scope/);
    assert.match(String(refused.headers['www-authenticate']), /scope="contacts\.write"/);
    assert.match(String(refused.headers.ratelimit), /^"write";r=1;/);
    await app.service.flush();
    const [logged] = (await app.get('/v1/request-logs', { key })).body.data;
    const { operation, status, error_code } = logged;
    assert.deepEqual([operation, status, error_code], ['create_client', 403, 'insufficient_scope']);
  });
  await t.test('writes are spent by what the body says, and the rest is told when to come', async () => {
    const { live_key: key } = await app.given.company();
    const lines = [{ description: 'Café', unit_price: 10, tax_rate: 10 }];
    const make = (options: object) => callTool(app, key, 'create_invoice', { type: 'F2', lines, options });
    const statuses = [];
    for (const options of [{ dry_run: true }, {}, {}, { dry_run: true }])
      statuses.push((await make(options)).status);
    assert.deepEqual(statuses, [200, 200, 200, 200]);
    const refused = await make({});
    assert.deepEqual(
      [refused.status, refused.headers['retry-after'], refused.body.error.data.retry_after_seconds],
      [429, '40', 40],
    );
    // An older client names no tool in its headers: what its body says is spent.
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'create_client', arguments: { name: 'X' } },
    };
    const sent = {
      accept: 'application/json, text/event-stream',
      'mcp-method': 'tools/call',
      'mcp-name': 'get_company',
    };
    assert.equal((await app.post('/mcp', { key, body, headers: sent })).status, 429);
  });
});

test('given a key of nobody, when the official client connects, then it is told so', async (t) => {
  const app = await startApp(t);
  await assert.rejects(connectMcp(t, app, 'svc_live_nobody'), /401|Unauthorized/i);
});
