/**
 * Bad input to every operation (docs/conventions.md). No answer is undocumented or a 500, and a refused call changes no
 * row.
 */
import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import type { Operation } from '../../src/kernel/operation.ts';
import { newId } from '../../src/kernel/uuid7.ts';
import { catalog } from '../../src/modules/catalog.ts';
import { type Answer, type App, type CallOptions, startApp } from '../harness.ts';
import {
  changesNothing,
  fillPath,
  givenSeeded,
  keyFor,
  neededKey,
  paramsOf,
  type SeededCompany,
  validCallOf,
} from '../support/catalogue-calls.ts';
import { anyText } from '../support/any-text.ts';
import { assertSentence } from '../support/resource-checks.ts';
import { WatchedState } from '../support/write-watch.ts';

/** FOLIO_TEST_RUNS=500 before a release finds more. */
const runs = Number(process.env.FOLIO_TEST_RUNS ?? 10);

/** Spanish for people, a code for machines. */
function assertRefusal(answer: Answer): void {
  const { error } = answer.body;
  assert.equal(typeof error.message, 'string');
  assert.ok(error.param === null || typeof error.param === 'string');
  assert.match(error.doc_url, new RegExp(`/docs/errors/${error.code}$`));
  assert.equal(error.request_id, answer.headers['x-request-id']);
  assert.ok(answer.headers['service-version']);
  if (error.code === 'parameter_invalid') {
    assert.equal(answer.status, 422, answer.text);
    assert.notEqual(error.param, null, answer.text);
    assert.ok(Array.isArray(error.errors) && error.errors[0].param === error.param, answer.text);
    assert.ok(error.errors.length <= 100);
    for (const { message } of error.errors) assertSentence(message);
  }
}

/** `rows`: what its rows hold; null when a call may have changed them. */
type Place = {
  app: App;
  acme: SeededCompany;
  state: WatchedState;
  rows: Record<string, string> | null;
};

async function givenPlace(app: App, ...operations: readonly Operation[]): Promise<Place> {
  const acme = await givenSeeded(app, ...operations);
  const companies = [acme.company.company_id, acme.company.sandbox_company_id];
  return { app, acme, state: new WatchedState(app.sql, companies), rows: null };
}

let shared: Promise<Place> | undefined;

/** Refused calls change nothing, so they share one company. */
async function givenShared(app: App): Promise<Place> {
  shared ??= givenPlace(app);
  return shared;
}

type Sent = CallOptions & { path?: string };

async function sendUnwatched(place: Place, operation: Operation, options: Sent): Promise<Answer> {
  const { app, acme } = place;
  place.rows ??= await place.state.read();
  const path = options.path ?? fillPath(operation, paramsOf(operation, acme.seed));
  const answer = await app.call(operation.method, path, { key: keyFor(operation, acme), ...options });
  if (answer.status >= 400) assertRefusal(answer);
  else if (operation.method !== 'GET') place.rows = null;
  return answer;
}

/** Rows may change only with an answer below 400. */
async function send(place: Place, operation: Operation, options: Sent): Promise<Answer> {
  const answer = await sendUnwatched(place, operation, options);
  if (answer.status >= 400) await assertUntouched(place, `${operation.name}: ${answer.text}`);
  return answer;
}

/** Sent at once, they cost two thirds of one by one. The caller then looks once for all. */
async function assertEachRefused(
  place: Place,
  operation: Operation,
  calls: readonly { what: string; status: number; param?: string; options: Sent }[],
): Promise<void> {
  // Read before any call: rows that a call leaves must not count as there before.
  place.rows ??= await place.state.read();
  await Promise.all(
    calls.map(async ({ what, status, param, options }) => {
      const answer = await sendUnwatched(place, operation, options);
      assert.equal(answer.status, status, `${what}: ${answer.text.slice(0, 300)}`);
      if (param !== undefined) assert.equal(answer.body.error.param, param, what);
    }),
  );
}

/** One look for many refusals costs less than one for each. */
async function assertUntouched({ state, rows }: Place, what: string): Promise<void> {
  if (rows !== null) assert.deepEqual(await state.read(), rows, `${what} left rows`);
}

/** As JSON texts. */
const oddTexts = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '1',
  '-1',
  '1.5',
  '12345678901234567890',
  '-12345678901234567890',
  '1e400',
  '-1e400',
  '1e-400',
  '9007199254740993',
  '0.1234567890123456789',
  '1E+2',
  '""',
  '" "',
  '"x"',
  '"null"',
  '"0"',
  '[]',
  '{}',
  '[null]',
  '[[]]',
  '[{}]',
  '[1e400]',
  '{"a":1}',
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":1}}',
  '{"toJSON":1}',
  '{"text":"1"}',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00x"',
  '"\\uffff"',
  '"😀"',
  '"\\u202e"',
  '"\\r\\n"',
  '"%00"',
  '"2026-02-30"',
  '"2026-13-01"',
  '"0000-00-00"',
  '"9999-12-31"',
  '"2026-01-01T00:00:00Z"',
  '"infinity"',
  '"NaN"',
  '"\'; drop table companies; --"',
  '"{1,2}"',
  '"\\\\"',
  '"00000000-0000-0000-0000-000000000000"',
  '"FFFFFFFF-FFFF-7FFF-BFFF-FFFFFFFFFFFF"',
  JSON.stringify('x'.repeat(300)),
  JSON.stringify('ñ'.repeat(70_000)),
  JSON.stringify(Array.from({ length: 600 }, () => ({}))),
  JSON.stringify(Array.from({ length: 60 }, (_, i) => `t${i}`)),
] as const;

type Node = { path: readonly string[] };

function placesOf(value: unknown, path: readonly string[] = []): Node[] {
  if (value === null || typeof value !== 'object') return [{ path }];
  return [{ path }, ...Object.entries(value).flatMap(([key, member]) => placesOf(member, [...path, key]))];
}

type Mutation = { place: number; text: string; how: 'replace' | 'drop' | 'double' | 'add' };

function mutate(value: unknown, { place, text, how }: Mutation): string {
  const places = placesOf(value);
  const target = places[place % places.length]!.path;
  const write = (node: unknown, path: readonly string[]): string => {
    const is_target = path.length === target.length && path.every((key, i) => key === target[i]);
    if (is_target && how === 'replace') return text;
    if (node === null || typeof node !== 'object') return JSON.stringify(node);
    const is_list = Array.isArray(node);
    const members = Object.entries(node).flatMap(([key, member]) => {
      const here = [...path, key];
      const hit = here.length === target.length && here.every((k, i) => k === target[i]);
      const written = write(member, here);
      const named = is_list ? written : `${JSON.stringify(key)}:${written}`;
      if (hit && how === 'drop') return [];
      if (hit && how === 'double') return is_list ? [named, text] : [named, `${JSON.stringify(key)}:${text}`];
      return [named];
    });
    if (is_target && how === 'add') members.push(is_list ? text : `"added":${text}`);
    return is_list ? `[${members.join(',')}]` : `{${members.join(',')}}`;
  };
  return write(value, []);
}

const anyJson = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...oddTexts) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 3 }) },
  { weight: 1, arbitrary: anyText({ maxLength: 30 }).map((s) => JSON.stringify(s)) },
);
const mutation = fc.record({
  place: fc.nat(200),
  text: anyJson,
  how: fc.constantFrom('replace', 'replace', 'replace', 'drop', 'double', 'add') as fc.Arbitrary<
    Mutation['how']
  >,
});

/** Not JSON, or JSON that nobody means. */
const rawTexts: readonly (readonly [what: string, body: string | Buffer, status: number])[] = [
  ['an open brace', '{', 400],
  ['a trailing comma', '{"a":1,}', 400],
  ['NaN', '{"a":NaN}', 400],
  ['a byte order mark', '\ufeff{}', 400],
  ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d]), 400],
  ['half a surrogate pair as bytes', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 400],
  ['UTF-16', Buffer.from('{}', 'utf16le'), 400],
  ['a NUL byte', '{"a":"\0"}', 400],
  ['one mebibyte of brackets', '['.repeat(1_048_576), 400],
  ['deep lists that close', `${'['.repeat(5000)}${']'.repeat(5000)}`, 400],
  ['deep objects that close', `${'{"a":'.repeat(2000)}1${'}'.repeat(2000)}`, 400],
  ['a byte too many', `{"a":"${'x'.repeat(1_048_576)}"}`, 413],
  ['a list', '[]', 422],
  ['null', 'null', 422],
  ['a text', '"x"', 422],
  ['a number of twenty digits', '12345678901234567890', 422],
  ['1e400', '1e400', 422],
  ['__proto__', '{"__proto__":{"name":"x"}}', 422],
  ['an unknown key with NUL', '{"\\u0000":1}', 422],
  ['an unknown key that is half a surrogate pair', '{"\\ud800":1}', 422],
  ['five thousand keys', manyKeys(5000), 422],
  ['twenty thousand keys', manyKeys(20_000), 400],
];
/** Megabytes, made once. */
const rawBodies = rawTexts.map(
  ([what, body, status]) => [what, Buffer.from(body as string), status] as const,
);

const bodyTypes = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/jsonx',
  'multipart/form-data',
];

function manyKeys(length: number): string {
  return `{${Array.from({ length }, (_, i) => `"k${i}":${i}`).join(',')}}`;
}

const codedBodies: readonly (readonly [coding: string, body: string | Buffer])[] = [
  ['gzip', gzipSync('{}')],
  ['gzip', '{}'],
  ['br', brotliCompressSync('{}')],
  ['deflate', deflateSync('{}')],
  ['identity, gzip', '{}'],
  ['x-unknown', '{}'],
];

/** What a body is on the wire: after the request line, host and key. */
const wireBodies: readonly (readonly [what: string, rest: string, status: number | null])[] = [
  ['no body and no length', '\r\n', null],
  ['a length of 0', 'Content-Length: 0\r\n\r\n', null],
  ['no body of a type', 'Content-Type: application/json\r\n\r\n', null],
  ['no body, a type, a length', 'Content-Type: application/json\r\nContent-Length: 0\r\n\r\n', null],
  ['no chunks', 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', null],
  [
    'an open brace in chunks',
    'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n0\r\n\r\n',
    400,
  ],
  ['a chunk of no length', 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', 400],
  ['less than its length', 'Content-Type: application/json\r\nContent-Length: 1\r\n\r\n{}', 400],
  ['a length of two numbers', 'Content-Type: application/json\r\nContent-Length: 1, 2\r\n\r\n{}', 400],
  ['a negative length', 'Content-Type: application/json\r\nContent-Length: -1\r\n\r\n{}', 400],
  ['a length too great', 'Content-Type: application/json\r\nContent-Length: 1073741824\r\n\r\n{}', 413],
];

/** Each on a connection of its own, which the caller closes where more is awaited. */
async function assertWireBodies(place: Place, operation: Operation): Promise<void> {
  const { app, acme } = place;
  const path = fillPath(operation, paramsOf(operation, acme.seed));
  const head = [
    `${operation.method} ${path} HTTP/1.1`,
    'Host: folio.test',
    'Connection: close',
    `Authorization: Bearer ${keyFor(operation, acme)}`,
  ].join('\r\n');
  // Without its body, an operation that needs none would act on the shared company.
  const needs_body = operation.body !== null && !operation.body_optional;
  const sent = wireBodies.filter(([, , status]) => status !== null || needs_body);
  const answers = await Promise.all(sent.map(([, rest]) => rawStatus(app, `${head}\r\n${rest}`)));
  for (const [i, [what, , status]] of sent.entries()) {
    const got = answers[i]!;
    const is_right = status === null ? got < 500 && got !== 400 && got !== 415 : got === status;
    assert.ok(is_right, `${operation.name}: ${what}: ${got}`);
  }
  place.rows = null;
}

/** @returns the status of the first answer */
function rawStatus(app: App, request: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname, () => socket.write(request));
  let answer = '';
  socket.setEncoding('latin1').on('data', (piece: string) => {
    answer += piece;
  });
  socket.on('close', () => resolve(Number(answer.slice(9, 12))));
  // Whoever has answered may end the connection before all was read.
  socket.on('error', (error) => answer === '' && reject(error));
  return promise;
}

const texts = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'x',
    '0',
    '-1',
    '101',
    '1.5',
    '1e400',
    'null',
    'true',
    '%00',
    '\0',
    '\ud800',
    '😀',
    "'",
    '\\',
    '%',
    '_',
    newId(),
  ),
  fc.constantFrom(
    '2026-02-30',
    '2026-01-01',
    '9999-99-99T00:00:00Z',
    '2026-01-01T00:00:00Z',
    '2026-01-01T00:00:00+23:59',
    'draft',
    'draft,sent',
  ),
  fc.constantFrom(
    '99999999999999999999',
    '-999999999999.99',
    'x'.repeat(3000),
    'vat',
    'invoice.created',
    'name',
    '-total',
    'created',
  ),
  anyText({ maxLength: 20 }),
);

const headers = [
  ['service-version', 'today', 400],
  ['service-version', '2026-10-1', 400],
  ['service-version', '1999-01-01', 400],
  ['service-version', '2026-10-01, 2026-06-01', 400],
  ['x-active-profile', 'x', 400],
  ['x-active-profile', '', 400],
  ['x-active-profile', newId(), 404],
] as const;

const wrongIds = [
  'x',
  '%00',
  '0',
  'null',
  '..%2f..',
  '%F0%9F%98%80',
  'x'.repeat(400),
  '00000000-0000-0000-0000-000000000000',
  "'--",
  '*',
];

for (const operation of catalog) {
  const { name } = operation;

  if (operation.body) {
    test(`${name}: whatever becomes of one place of a valid body, the answer is a documented one`, async (t) => {
      const app = await startApp(t);
      // Some mutated bodies are valid and act, so they get a company of their own.
      const place = changesNothing(operation) ? await givenShared(app) : await givenPlace(app, operation);
      const { body = {} } = validCallOf(operation, place.acme.seed);
      await fc.assert(
        fc.asyncProperty(mutation, async (change) => {
          const answer = await send(place, operation, { raw: mutate(body, change) });
          assert.ok(answer.status < 500, answer.text);
        }),
        { numRuns: runs },
      );
    });
  }

  if (operation.method !== 'GET') {
    test(`${name}: a body that is none is refused as such`, async (t) => {
      const place = await givenShared(await startApp(t));
      await assertEachRefused(place, operation, [
        ...rawBodies.map(([what, raw, status]) => ({
          what,
          status: raw.length > operation.body_limit ? 413 : status,
          options: { raw },
        })),
        ...bodyTypes.map((type) => ({
          what: type,
          status: 415,
          param: 'Content-Type',
          options: { raw: '{}', headers: { 'content-type': type } },
        })),
        ...codedBodies.map(([coding, raw]) => ({
          what: coding,
          status: 415,
          param: 'Content-Encoding',
          options: { raw, headers: { 'content-encoding': coding } },
        })),
      ]);
      await assertUntouched(place, name);
      await assertWireBodies(place, operation);
    });
  }

  test(`${name}: whatever comes in the query, the answer is a documented one`, async (t) => {
    const place = await givenShared(await startApp(t));
    const call = validCallOf(operation, place.acme.seed);
    const known = Object.keys(operation.query?.properties ?? {});
    const names = fc.constantFrom(
      ...known,
      'page',
      '__proto__',
      'created[gte]',
      'created[',
      'q',
      'limit[]',
      'constructor',
      '',
    );
    const options = call.body === undefined ? {} : { body: call.body };
    // No read changes a row, so one look after all of them tells as much.
    const is_read = operation.method === 'GET';
    const trySent = is_read ? sendUnwatched : send;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(names, texts), { minLength: 1, maxLength: 3 }), async (pairs) => {
        const path = fillPath(operation, paramsOf(operation, place.acme.seed));
        const text = pairs.map(([key, value]) => `${encode(key)}=${encode(value)}`).join('&');
        const answer = await trySent(place, operation, { ...options, path: `${path}?${text}` });
        assert.ok(answer.status < 500, answer.text);
        const unknown = pairs.find(([key]) => key !== '' && !known.includes(key));
        if (unknown) assert.equal(answer.status, 422, `${text}: ${answer.text}`);
      }),
      { numRuns: runs },
    );
    if (is_read) await assertUntouched(place, name);
  });

  test(`${name}: bad headers are refused before anything is done`, async (t) => {
    const place = await givenShared(await startApp(t));
    const { body } = validCallOf(operation, place.acme.seed);
    const options = body === undefined ? {} : { body };
    const calls = headers.map(([header, value, status]) => ({
      what: `${header}: ${value.slice(0, 40)}`,
      status,
      options: { ...options, headers: { [header]: value } },
    }));
    await assertEachRefused(place, operation, calls);
    await assertUntouched(place, name);
  });

  if (operation.params) {
    test(`${name}: an id in the path that is none answers like one that nobody has`, async (t) => {
      const place = await givenShared(await startApp(t));
      const { body, query } = validCallOf(operation, place.acme.seed);
      const headers = neededKey(operation);
      const options = { headers, ...(body === undefined ? {} : { body }), ...(query ? { query } : {}) };
      const param = Object.keys(paramsOf(operation, place.acme.seed))[0]!;
      const calls = wrongIds.map((id) => ({
        what: id,
        status: 404,
        param,
        options: { ...options, path: operation.path.replaceAll(/:(\w+)/g, id) },
      }));
      await assertEachRefused(place, operation, calls);
      // Bytes that are not UTF-8 match no path.
      const no_text = await sendUnwatched(place, operation, {
        ...options,
        path: operation.path.replaceAll(/:(\w+)/g, '%ff'),
      });
      assert.ok([400, 404].includes(no_text.status), no_text.text);
      // A refusal with a key is kept for its repetition.
      if (operation.idempotency === 'required') place.rows = null;
      else await assertUntouched(place, name);
    });
  }
}

/** Also encodes half a surrogate pair. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}

test('given a credential that cannot be read, then it is one that is not valid', async (t) => {
  const app = await startApp(t, { fresh: true });
  const wrong = [
    'Basic eDp5',
    'Bearer',
    'Bearer ',
    'Bearer a b',
    `Bearer ${'x'.repeat(5000)}`,
    'Bearer \u00ff',
    '',
    'svc_live_x',
  ];
  for (const authorization of wrong) {
    const answer = await app.get('/v1/clients', { headers: { authorization } });
    assert.deepEqual(
      [answer.status, answer.body.error.code],
      [401, 'invalid_api_key'],
      authorization.slice(0, 40),
    );
  }
});

test('given a path that is no operation, then it is unknown, and without a key unauthorised', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  for (const path of [
    '/v1/nothing',
    '/v1/clients/',
    '/v1//clients',
    '/v1',
    '/v1/',
    '/v1/clients/x/y/z',
    `/v1/${'x'.repeat(5000)}`,
  ]) {
    const known = await app.get(path, { key: acme.live_key });
    assert.deepEqual([known.status, known.body.error.code], [404, 'resource_not_found'], path);
    const stranger = await app.get(path);
    assert.deepEqual([stranger.status, stranger.body.error.code], [401, 'missing_api_key'], path);
  }
});

test('given both media types for errors, then a refusal says the same in each', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const call = { key: acme.live_key, raw: '{"colour":1e400,"__proto__":1}' };
  const plain = await app.post('/v1/clients', call);
  const problem = await app.post('/v1/clients', { ...call, headers: { accept: 'application/problem+json' } });
  assert.match(String(problem.headers['content-type']), /^application\/problem\+json/);
  const { type: _, request_id: __, ...error } = plain.body.error;
  for (const [member, value] of Object.entries(error)) assert.deepEqual(problem.body[member], value, member);
  assert.equal(problem.body.status, plain.status);
});
