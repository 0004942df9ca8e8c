/** The form of a refusal (docs/conventions.md, RFC 9457). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { declaredProblems } from '../../src/kernel/problem.ts';
import { newId } from '../../src/kernel/uuid7.ts';
import type { Words } from '../../src/kernel/words.ts';
import { errorsPath } from '../../src/surfaces/openapi/served-addresses.ts';
import { type Answer, type App, startApp } from '../harness.ts';
import { assertRefused } from '../support/resource-checks.ts';

type Call = (app: App, key: string, headers: Record<string, string>) => Promise<Answer>;

const json = { 'content-type': 'application/json' };
const get =
  (path: string): Call =>
  (app, key, headers) =>
    app.get(path, { key, headers });
const post =
  (path: string, raw: string | Buffer, more: Record<string, string> = json): Call =>
  (app, key, headers) =>
    app.post(path, { key, raw, headers: { ...more, ...headers } });

const refusals: [
  name: string,
  call: Call,
  expected: { status: number; type: string; code: string; param: string | null },
][] = [
  [
    'no key',
    (app, _, headers) => app.get('/v1/account', { headers }),
    { status: 401, type: 'authentication_error', code: 'missing_api_key', param: null },
  ],
  [
    'wrong key',
    (app, _, headers) => app.get('/v1/account', { key: 'x', headers }),
    { status: 401, type: 'authentication_error', code: 'invalid_api_key', param: null },
  ],
  [
    'no scope',
    get('/v1/taxes'),
    { status: 403, type: 'authorization_error', code: 'insufficient_scope', param: null },
  ],
  [
    'no such route',
    get('/v1/nowhere'),
    { status: 404, type: 'not_found_error', code: 'resource_not_found', param: null },
  ],
  [
    'no such method',
    (app, key, headers) => app.delete('/v1/account', { key, headers }),
    { status: 405, type: 'invalid_request_error', code: 'method_not_allowed', param: null },
  ],
  [
    'no such client',
    get(`/v1/clients/${newId()}`),
    { status: 404, type: 'not_found_error', code: 'resource_not_found', param: 'client' },
  ],
  [
    'no uuid',
    get('/v1/clients/1'),
    { status: 404, type: 'not_found_error', code: 'resource_not_found', param: 'client' },
  ],
  [
    'no such key',
    get(`/v1/account/api-keys/${newId()}`),
    { status: 404, type: 'not_found_error', code: 'api_key_not_found', param: 'api_key' },
  ],
  [
    'unknown query',
    get('/v1/clients?colour=red'),
    { status: 422, type: 'invalid_request_error', code: 'parameter_invalid', param: 'colour' },
  ],
  [
    'repeated query',
    get('/v1/clients?limit=1&limit=2'),
    { status: 422, type: 'invalid_request_error', code: 'parameter_invalid', param: 'limit' },
  ],
  [
    'bad cursor',
    get('/v1/clients?starting_after=1'),
    { status: 422, type: 'invalid_request_error', code: 'parameter_invalid_cursor', param: 'starting_after' },
  ],
  [
    'both cursors',
    get(`/v1/clients?starting_after=${newId()}&ending_before=${newId()}`),
    { status: 422, type: 'invalid_request_error', code: 'parameter_invalid', param: 'ending_before' },
  ],
  [
    'bad sort',
    get('/v1/clients?sort=colour'),
    { status: 422, type: 'invalid_request_error', code: 'parameter_invalid', param: 'sort' },
  ],
  [
    'no body',
    post('/v1/clients', ''),
    { status: 422, type: 'invalid_request_error', code: 'parameter_invalid', param: 'name' },
  ],
  [
    'list as body',
    post('/v1/clients', '[]'),
    { status: 422, type: 'invalid_request_error', code: 'parameter_invalid', param: 'body' },
  ],
  [
    'no JSON',
    post('/v1/clients', '{"name":'),
    { status: 400, type: 'invalid_request_error', code: 'parameter_invalid_format', param: 'body' },
  ],
  [
    'broken target',
    get('/v1/clients/%zz'),
    { status: 400, type: 'invalid_request_error', code: 'parameter_invalid_format', param: 'url' },
  ],
  [
    'other media type',
    post('/v1/clients', 'name=Uno', { 'content-type': 'application/x-www-form-urlencoded' }),
    { status: 415, type: 'invalid_request_error', code: 'unsupported_media_type', param: 'Content-Type' },
  ],
  [
    'too large',
    post('/v1/clients', Buffer.alloc(1_048_577, ' ')),
    { status: 413, type: 'invalid_request_error', code: 'request_too_large', param: null },
  ],
];

const scopes = ['account:read', 'contacts:read', 'contacts:write'];

test('given refusals of every kind, when they are answered, then the envelope has its members and no others', async (t) => {
  const app = await startApp(t);
  const key = await app.given.apiKey(await app.given.company(), { scopes });
  const ids = new Set<string>();
  for (const [name, call, { status, ...expected }] of refusals) {
    const answer = await call(app, key, {});
    assert.equal(answer.status, status, `${name}: ${answer.text}`);
    assert.equal(answer.headers['content-type'], 'application/json; charset=utf-8');
    assert.deepEqual(Object.keys(answer.body), ['error']);
    const { message, doc_url, request_id, errors, ...rest } = answer.body.error;
    assert.deepEqual(rest, expected, name);
    assert.ok(message.length > 10 && !/[{}]|undefined|null/.test(message), message);
    assert.equal(doc_url, `${app.url}/docs/errors/${expected.code}`);
    assert.match(request_id, /^req_[0-9a-f]{32}$/);
    assert.equal(answer.headers['x-request-id'], request_id);
    ids.add(request_id);
    for (const issue of errors ?? []) {
      assert.deepEqual(Object.keys(issue), ['param', 'code', 'message']);
      assert.ok(issue.message.length > 5);
    }
  }
  assert.equal(ids.size, refusals.length, 'every answer has an id of its own');
});

test('given a body, a version or a media type of another form, when it is refused, then the answer says which form is wanted', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const told = async (raw: string, headers: Record<string, string> = {}) => {
    const { error } = (await app.post('/v1/clients', { key, raw, headers })).body;
    return [error.param, error.errors?.[0].message ?? error.message];
  };
  assert.deepEqual(await told('{"name":"Uno",}'), ['body', 'No es JSON bien formado en UTF-8.']);
  const deep = '['.repeat(200) + ']'.repeat(200);
  assert.deepEqual(await told(`{"name":${deep}}`), [
    'body',
    'El JSON es demasiado hondo o tiene demasiados valores.',
  ]);
  assert.deepEqual(await told('{}', { 'service-version': 'latest' }), [
    'Service-Version',
    'Debe ser una fecha existente, AAAA-MM-DD.',
  ]);
  assert.deepEqual(await told('name=Uno', { 'content-type': 'text/plain' }), [
    'Content-Type',
    'El tipo de contenido no se admite: envíe application/json, sin comprimir.',
  ]);
});

test('given application/problem+json is asked for, when calls are refused, then RFC 9457 has the same members at the root', async (t) => {
  const app = await startApp(t);
  const key = await app.given.apiKey(await app.given.company(), { scopes });
  for (const [name, call, { status, type, code, param }] of refusals) {
    const { error } = (await call(app, key, {})).body;
    const answer = await call(app, key, { accept: 'application/problem+json' });
    assert.equal(answer.headers['content-type'], 'application/problem+json; charset=utf-8', name);
    const request_id = answer.headers['x-request-id'];
    const { errors, ...body } = answer.body;
    assert.deepEqual(errors, error.errors);
    const { message, doc_url } = error;
    assert.deepEqual(
      body,
      {
        type: doc_url,
        title: code,
        status,
        detail: message,
        instance: request_id,
        error_type: type,
        message,
        code,
        param,
        doc_url,
        request_id,
      },
      name,
    );
    assert.equal(answer.status, status);
  }
  // A success is the resource, whatever Accept says.
  const read = await app.get('/v1/account', { key, headers: { accept: 'application/problem+json' } });
  assert.equal(read.headers['content-type'], 'application/json; charset=utf-8');
});

const acceptCases: [accept: string, is_problem: boolean][] = [
  ['application/problem+json', true],
  ['application/json, application/problem+json', true],
  ['Application/Problem+JSON; charset=utf-8', true],
  ['application/problem+json;q=0.9, application/json;q=0.8', true],
  ['application/problem+json;q=0.5, application/json', false],
  ['application/problem+json;q=0, application/json', false],
  ['application/problem+json;q=0.000', false],
  ['application/json', false],
  ['application/json, text/plain, */*', false],
  ['*/*', false],
  ['application/*', false],
  ['application/problem+xml', false],
  ['', false],
];

test('given an Accept header, when a call is refused, then the media type is the one it prefers', async (t) => {
  const app = await startApp(t);
  for (const [accept, is_problem] of acceptCases) {
    const { headers } = await app.get('/v1/account', { headers: { accept } });
    const type = is_problem ? 'application/problem+json' : 'application/json';
    assert.equal(headers['content-type'], `${type}; charset=utf-8`, accept);
  }
});

test('given several fields at fault, when a call is refused, then all are listed and the first is named', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const body = {
    name: 'x'.repeat(121),
    scopes: ['invoices:read', 7],
    environment: 'other',
    colour: 'red',
    allowed_ips: 'all',
  };
  const { body: answer } = await app.post('/v1/account/api-keys', { key, body });
  const params = answer.error.errors.map((e: { param: string }) => e.param);
  assert.deepEqual([...params].sort(), ['allowed_ips', 'colour', 'environment', 'name', 'scopes.1']);
  assert.equal(answer.error.param, params[0]);
  const queries = await app.get('/v1/account/api-keys', {
    key,
    query: { limit: '0', colour: 'red', page: '2' },
  });
  const named = queries.body.error.errors.map((e: { param: string }) => e.param);
  assert.deepEqual([...named].sort(), ['colour', 'limit', 'page']);
});

const jsonTexts: [name: string, raw: string | Buffer, ok: boolean][] = [
  ['spaces around it', ' \n{"name":"Uno"}\t', true],
  ['escaped', '{"name":"\\u00d1o\\ud83d\\ude00"}', true],
  ['a key twice: the last counts', '{"name":1,"name":"Uno"}', true],
  ['a comma too many', '{"name":"Uno",}', false],
  ['single quotes', "{'name':'Uno'}", false],
  ['a comment', '{"name":"Uno"} // no', false],
  ['two values', '{"name":"Uno"}{}', false],
  ['NaN', '{"name":NaN}', false],
  ['a bare word', 'undefined', false],
  ['spaces only', '   ', false],
  ['a control character', '{"name":"a\nb"}', false],
  ['a byte order mark', Buffer.from('\ufeff{"name":"Uno"}'), false],
  ['no UTF-8', Buffer.from('{"name":"\u00d1o"}', 'latin1'), false],
  ['UTF-16', Buffer.from('{"name":"Uno"}', 'utf16le'), false],
  [
    'a broken sequence',
    Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xe2, 0x82]), Buffer.from('"}')]),
    false,
  ],
  [
    'a surrogate in UTF-8',
    Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xed, 0xa0, 0x80]), Buffer.from('"}')]),
    false,
  ],
];

test('given bodies that are JSON or none, when they are sent, then those that are none are 400', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  for (const [name, raw, ok] of jsonTexts) {
    const answer = await app.post('/v1/clients', { key, raw });
    if (ok) assert.equal(answer.status, 201, `${name}: ${answer.text}`);
    else {
      assert.equal(answer.status, 400, `${name}: ${answer.text}`);
      assertRefused(answer, 400, 'parameter_invalid_format', 'body');
      const [{ message }] = answer.body.error.errors;
      assert.equal(message.includes('(BOM)'), name === 'a byte order mark', `${name}: ${message}`);
    }
  }
  for (const raw of ['null', 'true', '7', '"Uno"', '[{"name":"Uno"}]']) {
    assertRefused(await app.post('/v1/clients', { key, raw }), 422, 'parameter_invalid', 'body');
  }
});

test('given media types, when a body is sent, then only JSON is taken', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  for (const [type, ok] of [
    ['application/json', true],
    ['application/json; charset=utf-8', true],
    ['Application/JSON;charset=UTF-8', true],
    ['text/plain', false],
    ['text/json', false],
    ['application/jsonp', false],
    ['application/vnd.api+json', false],
    ['multipart/form-data; boundary=x', false],
    ['json', false],
    ['application/', false],
    ['*/*', false],
  ] as const) {
    const answer = await app.post('/v1/clients', {
      key,
      raw: '{"name":"Uno"}',
      headers: { 'content-type': type },
    });
    if (ok) assert.equal(answer.status, 201, type);
    else {
      assert.equal(answer.status, 415, type);
      assertRefused(answer, 415, 'unsupported_media_type', 'Content-Type');
    }
  }
});

test('given bodies around the limit of their operation, when they are sent, then those beyond are 413, however they come', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const padded = (text: string, bytes: number) => Buffer.from(text.padEnd(bytes, ' '));
  const draft = JSON.stringify({
    type: 'F2',
    lines: [{ description: 'Cafe', unit_price: 1.5, tax_rate: 10 }],
  });
  for (const [path, text, limit] of [
    ['/v1/clients', '{"name":"Uno"}', 65_536],
    ['/v1/invoices', draft, 1_048_576],
  ] as const) {
    assert.equal((await app.post(path, { key, raw: padded(text, limit) })).status, 201);
    const refused = await app.post(path, { key, raw: padded(text, limit + 1) });
    assertRefused(refused, 413, 'request_too_large');
    assert.ok(refused.body.error.message.includes(`${limit} bytes`));
  }
  const chunks = new ReadableStream({
    start(controller) {
      for (let i = 0; i < 20; i++) controller.enqueue(new Uint8Array(60_000).fill(32));
      controller.close();
    },
  });
  const init = {
    method: 'POST',
    body: chunks,
    duplex: 'half',
    headers: { Authorization: `Bearer ${key}`, ...json },
  };
  const chunked = await fetch(new URL('/v1/clients', app.url), init as RequestInit);
  assert.equal(chunked.status, 413);
  assert.equal(((await chunked.json()) as { error: { code: string } }).error.code, 'request_too_large');
});

test('given every declared error, when its doc_url is followed, then there is a page that says what to do', async (t) => {
  const app = await startApp(t);
  assert.ok(declaredProblems().length >= 25);
  for (const def of declaredProblems()) {
    for (const language of ['es', 'en'] as const) {
      const page = await app.get(`${errorsPath[language]}/${def.code}`);
      assert.equal(page.status, 200, def.code);
      assert.match(String(page.headers['content-type']), /^text\/html/);
      assert.ok(page.text.includes(`<html lang="${language}">`), def.code);
      assert.ok(page.text.includes(def.code) && page.text.includes(String(def.status)), def.code);
      const markdown = (await app.get(`${errorsPath[language]}/${def.code}.md`)).text;
      assert.ok(markdown.includes(def.help[language]), def.code);
      assert.ok(def.help[language].length > 20, `${def.code} has help`);
    }
    const filled = ({ es, en }: Words) => [es, en].map((text) => text.match(/\{\w+\}/g)?.toSorted());
    const [es, en] = filled(def.message);
    assert.deepEqual(es, en, `${def.code} is filled in with the same values`);
    for (const words of [def.message, def.help]) assert.notEqual(words.es, words.en, def.code);
  }
  assert.equal((await app.get('/docs/errors/no_such_code')).status, 404);
});

test('given a public address, when a call is refused, then doc_url is under it', async (t) => {
  const app = await startApp(t, { env: { FOLIO_PUBLIC_URL: 'https://api.example.es' } });
  const { body } = await app.get('/v1/account');
  assert.equal(body.error.doc_url, 'https://api.example.es/docs/errors/missing_api_key');
});
