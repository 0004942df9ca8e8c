/** The tools over the address, as the official client and requests by hand see them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { request } from 'undici';
import { type App, startApp, type TestCompany } from '../../../test/harness.ts';
import { givenSeeded, keyFor, paramsOf, validCallOf } from '../../../test/support/catalogue-calls.ts';
import { askMcp, callTool, connectMcp, mcpRequest } from '../../../test/support/mcp-client.ts';
import { catalog } from '../../modules/catalog.ts';
import { flattenInput } from '../shared/tool-input.ts';
import { toolOf } from './tool.ts';

const lines = [{ description: 'Café', unit_price: 10, tax_rate: 10 }];

async function draft(app: App, key: string, body: object = { type: 'F2', lines }): Promise<string> {
  const made = await app.post('/v1/invoices', { key, body });
  assert.equal(made.status, 201, made.text);
  return made.body.data.id;
}

test('given a key, when the official client lists the tools and reads an invoice, then it gets what REST answers', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const id = await draft(app, acme.live_key);
  const client = await connectMcp(t, app, acme.live_key, { path: '/mcp?toolsets=invoices' });
  const { tools } = await client.listTools();
  assert.ok(tools.some(({ name }) => name === 'get_invoice'));
  const answer = await client.callTool({ name: 'get_invoice', arguments: { invoice: id } });
  const rest = await app.get(`/v1/invoices/${id}`, { key: acme.live_key });
  assert.deepEqual(answer.structuredContent, rest.body);
  const [content] = answer.content as { type: string; text: string }[];
  assert.deepEqual([content?.type, JSON.parse(content?.text ?? '')], ['text', rest.body]);
});

test('given a company with everything, when each reading tool is called, then its answer fits its output schema', async (t) => {
  const app = await startApp(t);
  const reads = catalog.filter(({ mcp, transaction }) => mcp && transaction === 'read');
  const { company, seed } = await givenSeeded(app, ...reads);
  const ajv = new Ajv2020({ strict: false, validateFormats: false, code: { optimize: false } });
  for (const operation of reads) {
    const call = validCallOf(operation, seed);
    const params = { ...paramsOf(operation, seed), ...call.params };
    const flat = flattenInput(operation, { params, query: call.query ?? {}, body: call.body as never });
    const answer = await callTool(app, keyFor(operation, { company }), operation.name, flat);
    const { result, error } = answer.body;
    // A read may be refused as over REST, such as without a certificate.
    if (error !== undefined) {
      assert.ok(
        operation.errors.some(({ code }) => code === error.data?.code),
        `${operation.name}: ${answer.text}`,
      );
      continue;
    }
    const fits = ajv.compile(toolOf(operation).outputSchema);
    assert.ok(fits(result.structuredContent), `${operation.name}: ${ajv.errorsText(fits.errors)}`);
    assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent);
  }
});

test('given discovery, then company, environment and revision are told, and each caller keeps its list', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company({ name: 'Librería Norte' });
  const tell = async (key: string) => (await askMcp(app, 'server/discover', {}, { key })).body.result;
  const live = await tell(acme.live_key);
  assert.match(live.instructions, /Librería Norte.*Entorno REAL/);
  // A page of a hundred invoices would fill what a model can hold.
  assert.match(live.instructions, /Las listas.*limit/);
  assert.match((await tell(acme.test_key)).instructions, /Entorno de PRUEBAS/);
  assert.deepEqual([live.supportedVersions, live.capabilities], [['2026-07-28'], { tools: {} }]);
  const few = await app.given.apiKey(acme, { scopes: ['contacts:read'] });
  const list = (await askMcp(app, 'tools/list', {}, { key: few })).body.result;
  assert.deepEqual([list.cacheScope, list.ttlMs, list.nextCursor], ['private', 300_000, undefined]);
  const names = list.tools.map(({ name }: { name: string }) => name);
  assert.ok(
    names.includes('list_clients') && !names.includes('create_client') && !names.includes('list_invoices'),
  );
});

test('given a client that takes gzip, then the list comes packed and says the same', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const plain = await askMcp(app, 'tools/list', {}, { key });
  const packed = await ask('br;q=0.1, gzip');
  assert.deepEqual([packed.headers['content-encoding'], packed.headers.vary], ['gzip', 'Accept-Encoding']);
  assert.equal(gunzipSync(packed.bytes).toString(), plain.text);
  const none = await ask('gzip;q=0');
  assert.deepEqual([none.headers['content-encoding'], none.bytes.toString()], [undefined, plain.text]);

  async function ask(accepted: string) {
    const { headers, body } = mcpRequest('tools/list');
    const sent = { ...headers, authorization: `Bearer ${key}`, 'accept-encoding': accepted };
    const answer = await request(`${app.url}/mcp`, {
      method: 'POST',
      headers: { ...sent, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { headers: answer.headers, bytes: Buffer.from(await answer.body.arrayBuffer()) };
  }
});

test('given refusals of the domain, then each is a JSON-RPC error with the whole error of REST', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const body = {
    type: 'F2',
    lines: [lines[0], { description: 'x', unit_price: 1, exemption_reason: 'E1', tax_rate: 21 }],
  };
  const rest = await app.post('/v1/invoices', { key, body });
  const { status, body: told } = await callTool(app, key, 'create_invoice', body);
  assert.equal(status, 200);
  const { request_id: _, ...wanted } = rest.body.error;
  const { request_id, ...data } = told.error.data;
  assert.deepEqual(data, wanted);
  assert.match(request_id, /^req_/);
  assert.deepEqual([told.error.code, told.id], [rest.status, 1]);
  assert.equal(data.line_index, 1);
  assert.ok(told.error.message.startsWith(`${data.code} (${data.param}): ${data.message}`));
  const missing = await callTool(app, key, 'get_invoice', { invoice: 'x' });
  assert.deepEqual([missing.body.error.code, missing.body.error.data.param], [404, 'invoice']);
  const wrong = await callTool(app, key, 'list_invoices', { created_gte: 'ayer', colour: 'red', limit: 5 });
  const params = wrong.body.error.data.errors.map(({ param }: { param: string }) => param);
  assert.deepEqual([wrong.body.error.code, params.sort()], [422, ['colour', 'created_gte']]);
  // Many hosts show a model the message alone.
  assert.match(wrong.body.error.message, / colour: El campo no existe.* created_gte: Debe ser un día/);
  const unknown = Object.fromEntries(
    Array.from({ length: 50 }, (_one, place) => [`a${place}`.repeat(500), 1]),
  );
  const long = (await callTool(app, key, 'list_invoices', unknown)).body.error;
  assert.deepEqual(
    [long.data.errors.length, long.message.length < 3000, long.message.endsWith(' …')],
    [50, true, true],
  );
});

test('given a list as an argument of several values, then it filters as over REST', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const id = await draft(app, key);
  const found = async (type_in: string[]) =>
    (await callTool(app, key, 'list_invoices', { type_in })).body.result.structuredContent.data.map(
      (one: { id: string }) => one.id,
    );
  assert.deepEqual([await found(['F2', 'F3']), await found(['F1'])], [[id], []]);
});

test('given a list with a value that there is not, then the refusal tells the values, and nothing of the commas of an address', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  for (const args of [{ status_in: ['issued', 'open'] }, { client_id_in: ['x'] }]) {
    const { error } = (await callTool(app, key, 'list_invoices', args)).body;
    assert.deepEqual([error.code, error.data.param], [422, Object.keys(args)[0]]);
    assert.match(error.data.errors[0].message, /^Cada valor debe ser (uno de: draft, .*annulled|un UUID)\.$/);
    assert.doesNotMatch(error.message, /comas|espacios/);
  }
});

test('given a list with a value that is no text, then it is refused by its name, and no other list is answered', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  for (const one of [{ number: 'F-1' }, ['F-1', 'F-2'], null]) {
    const { error } = (await callTool(app, key, 'list_invoices', { number_in: [one, 'F-3'] })).body;
    assert.deepEqual([error?.code, error?.data.param], [422, 'number_in']);
  }
});

test('given keys of metadata as an argument, then they filter as over REST', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const lines = [{ description: 'x', unit_price: 1, tax_rate: 21 }];
  const body = { type: 'F2', lines, metadata: { pedido: '7', tienda: 'norte' } };
  const { id } = (await app.post('/v1/invoices', { key, body })).body.data;
  const list = async (metadata: unknown) => (await callTool(app, key, 'list_invoices', { metadata })).body;
  const found = async (metadata: unknown) =>
    (await list(metadata)).result.structuredContent.data.map((one: { id: string }) => one.id);
  assert.deepEqual(await found({ pedido: '7', tienda: 'norte' }), [id]);
  assert.deepEqual(await found({ pedido: '7', tienda: 'sur' }), []);
  for (const same of [{}, { pedido: 7 }]) assert.deepEqual(await found(same), [id]);
  for (const [wrong, param] of [
    ['7', 'metadata'],
    [{ pedido: { a: '7' } }, 'metadata.pedido'],
    [{ gte: '7'.repeat(501) }, 'metadata.gte'],
    [{ '': '7' }, 'metadata.'],
    [{ ['x'.repeat(41)]: '7' }, `metadata.${'x'.repeat(41)}`],
    [Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((one) => [one, '1'])), 'metadata'],
  ] as const) {
    const { error } = await list(wrong);
    assert.deepEqual([error.code, error.data.errors[0].param], [422, param]);
  }
  // The argument is there: its form is wrong.
  assert.match((await list('7')).error.message, / metadata: Debe ser un objeto\.$/);
});

test('given an external id, then a repeated call says that it gives what an earlier one made, over both surfaces', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const lines = [{ description: 'x', unit_price: 1, tax_rate: 21 }];
  const bodies: [tool: string, path: string, body: Record<string, unknown>][] = [
    ['create_invoice', '/v1/invoices', { type: 'F2', lines, external_id: 'w-1' }],
    ['create_quote', '/v1/quotes', { lines, external_id: 'w-1' }],
  ];
  for (const [tool, path, body] of bodies) {
    const first = (await callTool(app, key, tool, body)).body.result;
    const again = (await callTool(app, key, tool, body)).body.result;
    assert.deepEqual(again.structuredContent, first.structuredContent);
    assert.deepEqual(
      [first, again].map(({ _meta }) => _meta['folio/idempotent-replayed']),
      [undefined, true],
    );
    assert.equal((await app.post(path, { key, body })).headers['idempotent-replayed'], 'true');
  }
});

test('given an idempotency key, then a repeated call acts once and says so, over both surfaces', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const args = { name: 'Librería Norte', idempotency_key: 'k1' };
  const first = (await callTool(app, key, 'create_client', args)).body.result;
  const again = (await callTool(app, key, 'create_client', args)).body.result;
  assert.deepEqual(again.structuredContent, first.structuredContent);
  assert.deepEqual(
    [first._meta['folio/idempotent-replayed'], again._meta['folio/idempotent-replayed']],
    [undefined, true],
  );
  assert.match(first._meta['folio/request-id'], /^req_/);
  const headers = { 'idempotency-key': 'k1' };
  const rest = await app.post('/v1/clients', { key, headers, body: { name: 'Librería Norte' } });
  assert.equal(rest.headers['idempotent-replayed'], 'true');
  const other = (await callTool(app, key, 'create_client', { name: 'X', idempotency_key: 'k1' })).body.error;
  assert.deepEqual(
    [other.code, other.data.code, other.data.param],
    [409, 'idempotency_key_reused', 'idempotency_key'],
  );
  const wrong = (await callTool(app, key, 'create_client', { name: 'X', idempotency_key: 7 })).body.error;
  assert.deepEqual([wrong.code, wrong.data.param], [422, 'idempotency_key']);
});

test('given an upload that was sent with its key over one surface, then the other answers it again', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const file = (text: string) => ({
    file_name: 'factura.pdf',
    content_base64: Buffer.from(`%PDF-1.4\n${text}\n%%EOF\n`).toString('base64'),
  });
  const overRest = async (idempotency_key: string, body: object) => {
    const headers = { 'idempotency-key': idempotency_key };
    const answer = await app.post('/v1/purchase_scans', { key, headers, body });
    return [answer.status, answer.body.data?.id ?? answer.body.error.code];
  };
  const asTool = async (idempotency_key: string, body: object) => {
    const { result, error } = (await callTool(app, key, 'upload_purchase_scan', { ...body, idempotency_key }))
      .body;
    return error ? [error.code, error.data.code] : [201, result.structuredContent.data.id];
  };
  for (const [n, [first, second]] of [
    [overRest, asTool],
    [asTool, overRest],
  ].entries()) {
    const idempotency_key = `upload-of-the-scan-${n}`;
    const made = await first!(idempotency_key, file(`${n}`));
    assert.equal(made[0], 201);
    assert.deepEqual(await second!(idempotency_key, file(`${n}`)), made);
    assert.deepEqual(await second!(idempotency_key, file('other')), [409, 'idempotency_key_reused']);
  }
});

test('given amounts with an exponent or many decimals, then they arrive exact', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const text = (price: string) =>
    JSON.stringify({
      jsonrpc: '2.0',
      id: 'a',
      method: 'tools/call',
      params: {
        name: 'create_invoice',
        arguments: { type: 'F2', lines: [{ description: 'x', unit_price: 0, tax_rate: 21 }] },
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': {},
        },
      },
    }).replace('"unit_price":0', `"unit_price":${price}`);
  const price = async (sent: string) => {
    const raw = text(sent);
    const answer = await askMcp(app, 'tools/call', { name: 'create_invoice' }, { key, raw });
    return answer.body.result?.structuredContent.data.lines[0].unit_price ?? answer.text;
  };
  assert.deepEqual([await price('1e1'), await price('12.12345678')], [10, 12.12345678]);
  assert.match(await price('12.123456789012345678'), /"code":422/);
});

test('given no credential, a wrong one or few scopes, then the answer is HTTP with a challenge, and nothing is done', async (t) => {
  const app = await startApp(t, { fresh: true });
  const acme = await app.given.company();
  const few = await app.given.apiKey(acme, { scopes: ['invoices:read'] });
  const metadata = `Bearer resource_metadata="${app.url}/.well-known/oauth-protected-resource/mcp"`;
  const none = await askMcp(app, 'tools/list');
  assert.deepEqual(
    [none.status, none.headers['www-authenticate'], none.body.error.data.code, none.body.id],
    [401, `${metadata}, scope="svc.read svc.write"`, 'missing_api_key', null],
  );
  const wrong = await askMcp(app, 'tools/list', {}, { key: 'svc_live_nonsense' });
  assert.deepEqual(
    [wrong.status, wrong.headers['www-authenticate'], wrong.body.error.code],
    [401, `${metadata}, scope="svc.read svc.write", error="invalid_token"`, 401],
  );
  const poor = await callTool(app, few, 'create_client', { name: 'X' });
  assert.deepEqual(
    [poor.status, poor.headers['www-authenticate'], poor.body.error.data.code, poor.body.id],
    [403, `${metadata}, error="insufficient_scope", scope="contacts.write"`, 'insufficient_scope', 1],
  );
  const asked = { options: { send_automatically: true }, lines };
  const writer = await app.given.apiKey(acme, { scopes: ['invoices:write'] });
  const both = await callTool(app, writer, 'create_invoice', asked);
  assert.match(String(both.headers['www-authenticate']), /scope="invoices.write invoices.send"$/);
  const { body } = await app.get('/v1/clients', { key: acme.live_key });
  assert.deepEqual(body.data, []);
});

test('given a version in the header, then the call is of that version, and one that is not published is refused', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const of = async (version: string) => {
    const headers = { 'service-version': version };
    const { status, body, headers: told } = await askMcp(app, 'tools/list', {}, { key, headers });
    return [status, told['service-version'], body.error?.data.code, body.error?.data.param];
  };
  assert.deepEqual(await of('2026-06-01'), [200, '2026-06-01', undefined, undefined]);
  // Before 2026-10-01 no default stood in for a tax that a line does not say.
  const lines = [{ description: 'X', quantity: 1, unit_price: 1 }];
  const headers = { 'service-version': '2026-06-01' };
  const untaxed = await callTool(app, key, 'create_invoice', { lines }, { headers });
  assert.equal(untaxed.body.error?.data.code, 'missing_required_param', untaxed.text);
  const refused = ['2026-10-01', 'unsupported_api_version', 'Service-Version'];
  assert.deepEqual(await of('2026-06-02'), [400, ...refused]);
});

test('given toolsets and read_only in the address, then they hold for list and call', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const path = '/mcp?toolsets=contacts&read_only=true';
  const list = (await askMcp(app, 'tools/list', {}, { key, path })).body.result.tools;
  assert.deepEqual(
    new Set(
      list.map(({ annotations }: { annotations: { readOnlyHint: boolean } }) => annotations.readOnlyHint),
    ),
    new Set([true]),
  );
  const code = async (name: string) => (await callTool(app, key, name, {}, { path })).body.error?.code;
  assert.deepEqual(
    [
      await code('list_clients'),
      await code('create_client'),
      await code('list_invoices'),
      await code('no_such_tool'),
    ],
    [undefined, -32602, -32602, -32602],
  );
  const wrong = '/mcp?toolsets=facturas';
  const unknown = await askMcp(app, 'tools/list', {}, { key, path: wrong });
  assert.equal(unknown.status, 400);
  assert.match(unknown.body.error.message, /contacts, products, invoices/);
  // The protocol's client takes a refusal of the first question for a server of another revision.
  const client = await connectMcp(t, app, key, { path: wrong });
  await assert.rejects(client.listTools(), /facturas.*contacts, products, invoices/);
  const asked = mcpRequest('server/discover').headers;
  const smuggled = await askMcp(app, 'tools/list', {}, { key, path: wrong, headers: asked });
  assert.equal(smuggled.status, 400);
});

test('given a master, when it names a child, then the tool works for it, and only masters are told of it', async (t) => {
  const app = await startApp(t);
  const master = await app.given.company();
  const child = await app.given.company({ parent_id: master.company_id, plan: 'free' });
  const company = async (active_profile: unknown) => {
    const { result, error } = (await callTool(app, master.live_key, 'get_company', { active_profile })).body;
    return result?.structuredContent.data.id ?? [error.code, error.data.param];
  };
  assert.equal(await company(child.company_id), child.company_id);
  assert.deepEqual(await company(crypto.randomUUID()), [404, 'active_profile']);
  assert.deepEqual(await company('none'), [400, 'active_profile']);
  const tells = async ({ live_key: key }: TestCompany) => {
    const { tools } = (await askMcp(app, 'tools/list', {}, { key })).body.result;
    return 'active_profile' in tools[0].inputSchema.properties;
  };
  assert.deepEqual([await tells(master), await tells(child)], [true, false]);
});

const wrongHeaders: [Record<string, string>, RegExp][] = [
  [{ 'x-active-profile': 'hija' }, /UUID/],
  [{ 'x-active-profile': '01a22747-3380-7000-89f4-5ea4268f1aee' }, /no existe/],
  [{ 'service-version': '2026-06-02' }, /2026-06-02/],
  [{ 'service-version': 'latest' }, /AAAA-MM-DD/],
];
for (const [headers, told] of wrongHeaders)
  test(`given a client that pins the revision and ${JSON.stringify(headers)}, then it is told of the header`, async (t) => {
    const app = await startApp(t);
    const { live_key: key } = await app.given.company();
    const client = await connectMcp(t, app, key, { headers });
    await assert.rejects(client.listTools(), told);
    await assert.rejects(client.callTool({ name: 'get_company', arguments: {} }), told);
  });

test('given calls of tools, then the request log tells operation, refusal and key, and no argument', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  await callTool(app, key, 'create_client', { name: 'Confidencial', idempotency_key: 'k7' });
  await callTool(app, key, 'get_client', { client: 'x' });
  await askMcp(app, 'tools/list', {}, { key, path: '/mcp?toolsets=contacts' });
  await app.service.flush();
  const { body, text } = await app.get('/v1/request-logs', { key });
  const told = body.data.map((one: Record<string, unknown>) => [
    one.operation,
    one.method,
    one.path,
    one.status,
    one.error_code,
    one.idempotency_key,
  ]);
  assert.deepEqual(told.slice(0, 3), [
    [null, 'POST', '/mcp', 200, null, null],
    ['get_client', 'POST', '/mcp', 404, 'resource_not_found', null],
    ['create_client', 'POST', '/mcp', 200, null, 'k7'],
  ]);
  assert.doesNotMatch(text, /Confidencial/);
});

test('given the header X-Active-Profile, then discovery, list and calls are of that company, and a question is bound to it', async (t) => {
  const app = await startApp(t);
  const master = await app.given.company({ name: 'Gestoría' });
  const child = await app.given.company({ name: 'Hija', parent_id: master.company_id });
  const sister = await app.given.company({ name: 'Hermana', parent_id: master.company_id });
  const key = master.live_key;
  const of = (active_profile: string) => ({ headers: { 'x-active-profile': active_profile } });
  const nameOf = async (profile: string, args = {}) =>
    (await callTool(app, key, 'get_company', args, of(profile))).body.result.structuredContent.data.name;
  assert.equal(await nameOf(child.company_id), 'Hija');
  assert.equal(await nameOf(child.company_id, { active_profile: sister.company_id }), 'Hermana');
  const told = await askMcp(app, 'server/discover', {}, { key, ...of(child.company_id) });
  assert.match(told.body.result.instructions, /Hija/);
  for (const [profile, status] of [
    ['none', 400],
    [crypto.randomUUID(), 404],
  ] as const) {
    const refused = await callTool(app, key, 'get_company', {}, of(profile));
    assert.deepEqual([refused.body.error.code, refused.body.error.data.param], [status, 'active_profile']);
    const list = await askMcp(app, 'tools/list', {}, { key, ...of(profile) });
    assert.deepEqual([list.status, list.body.error.code], [status, status]);
  }
  const args = { type: 'F2', lines, options: { issue: true } };
  const capabilities = { elicitation: {} };
  const create = async (profile: string, more: object) =>
    (await callTool(app, key, 'create_invoice', args, { capabilities, more, ...of(profile) })).body;
  const { requestState, inputRequests } = (await create(child.company_id, {})).result;
  // Whoever works for many reads for which of them it is.
  assert.ok(inputRequests.confirm.params.message.includes(`\nEmpresa: Hija (${child.tax_id})\n`));
  const yes = { confirm: { action: 'accept', content: { confirm: true } } };
  const elsewhere = await create(sister.company_id, { requestState, inputResponses: yes });
  assert.equal(elsewhere.error.code, -32602);
});

test('given a call without the id that its tool needs, then the argument is named, and no resource is said to be missing', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const capabilities = { elicitation: {} };
  for (const [tool, args, missing] of [
    ['get_client', {}, 'client'],
    ['get_client', { client_id: crypto.randomUUID() }, 'client'],
    ['delete_quote', {}, 'quote'],
    ['update_price_list_item', { price_list: crypto.randomUUID(), unit_price: 1 }, 'price_list_item'],
  ] as const) {
    const { error } = (await callTool(app, key, tool, args, { capabilities })).body;
    assert.deepEqual(
      [error.code, error.data.code, error.data.param],
      [422, 'parameter_invalid', missing],
      tool,
    );
    assert.deepEqual(
      error.data.errors.map((one: { param: string; message: string }) => [one.param, one.message]),
      [[missing, 'Falta el campo.']],
    );
  }
});

test('given something else than an id, then the message tells that an id is a UUID, and the refusal is that of REST', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const refusal = async (tool: string, args: object) =>
    (await callTool(app, key, tool, args as never)).body.error;
  for (const [tool, args, param] of [
    ['get_client', { client: 'Librería Norte' }, 'client'],
    ['get_invoice', { invoice: 'F2026-00001' }, 'invoice'],
    ['issue_invoice', { invoice: 7 }, 'invoice'],
  ] as const) {
    const error = await refusal(tool, args);
    assert.deepEqual([error.code, error.data.code, error.data.param], [404, 'resource_not_found', param]);
    assert.equal(error.data.message, 'El recurso no existe.');
    assert.match(error.message, new RegExp(`^resource_not_found .* ${param}: Debe ser un id \\(UUID\\)`));
  }
  const unknown = await refusal('get_client', { client: crypto.randomUUID() });
  assert.equal(unknown.message, 'resource_not_found (client): El recurso no existe.');
});
