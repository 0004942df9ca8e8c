import assert from 'node:assert/strict';
import { newId } from '../../src/kernel/uuid7.ts';
import type { Answer, App, CallOptions, TestCompany } from '../harness.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The call must succeed. @returns its data */
export async function create<T = Record<string, never> & { id: string }>(
  app: App,
  path: string,
  key: string,
  body: unknown,
): Promise<T> {
  const answer = await app.post(path, { key, body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body.data as T;
}

export function assertRefused(answer: Answer, status: number, code: string, param?: string): void {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.body.error.code, code, answer.text);
  if (param !== undefined) assert.equal(answer.body.error.param, param, answer.text);
  for (const { message } of answer.body.error.errors ?? []) assertSentence(message);
}

/** Each message of a refusal is a sentence for people. */
export function assertSentence(message: string): void {
  assert.match(message, /^[A-ZÁÉÍÓÚ].*[.»]$/s);
}

/** Needs exactly this scope, whatever others the key has. */
export async function assertNeedsScope(
  app: App,
  company: TestCompany,
  scope: string,
  method: Method,
  path: string,
  options: CallOptions = {},
): Promise<void> {
  const others = ['contacts', 'products', 'taxes'].flatMap((r) =>
    ['read', 'write', 'delete'].map((a) => `${r}:${a}`),
  );
  const all = [...others, 'series:read', 'series:write'];
  const without = await app.given.apiKey(company, { scopes: all.filter((s) => s !== scope) });
  assertRefused(await app.call(method, path, { ...options, key: without }), 403, 'insufficient_scope');
  const just = await app.given.apiKey(company, { scopes: [scope] });
  const allowed = await app.call(method, path, { ...options, key: just });
  assert.ok(allowed.status < 300, allowed.text);
}

/** A foreign id gets the same answer as an unknown id and as text that is no id. */
export async function assertHidesForeignIds(
  app: App,
  method: Method,
  path: (id: string) => string,
  foreign_id: string,
  options: CallOptions,
): Promise<void> {
  for (const id of [foreign_id, newId(), 'none']) {
    const answer = await app.call(method, path(id), options);
    assertRefused(answer, 404, 'resource_not_found');
  }
}

export async function assertRefusesUnknownKey(
  app: App,
  method: 'POST' | 'PUT',
  path: string,
  key: string,
  body: object,
): Promise<void> {
  const answer = await app.call(method, path, { key, body: { ...body, colour: 'red' } });
  assertRefused(answer, 422, 'parameter_invalid', 'colour');
}

/** PUT accepts the answer of GET, changes nothing and emits no event. */
export async function assertRoundTrip(
  app: App,
  company: TestCompany,
  path: string,
  id: string,
): Promise<void> {
  const key = company.live_key;
  const before = await app.get(`${path}/${id}`, { key });
  const events = await app.eventTypes(company, id);
  app.clock.advance(1000);
  const answer = await app.put(`${path}/${id}`, { key, body: before.body.data });
  assert.equal(answer.status, 200, answer.text);
  assert.deepEqual(answer.body, before.body);
  assert.deepEqual((await app.get(`${path}/${id}`, { key })).body, before.body);
  assert.deepEqual(await app.eventTypes(company, id), events);
}

export async function assertReadOnly(
  app: App,
  key: string,
  path: string,
  changes: Record<string, unknown>,
): Promise<void> {
  for (const [name, value] of Object.entries(changes)) {
    assertRefused(await app.put(path, { key, body: { [name]: value } }), 422, 'parameter_invalid', name);
  }
}

type Listed = { id: string } & Record<string, unknown>;

/** Reads forwards in pages of two. Each page must also be reachable backwards. */
export async function listAll(
  app: App,
  path: string,
  key: string,
  query: Record<string, string>,
): Promise<Listed[]> {
  const items: Listed[] = [];
  let cursor: string | null = null;
  for (let pages = 0; pages < 50; pages++) {
    const from: Record<string, string> = cursor === null ? {} : { starting_after: cursor };
    const { status, body, text } = await app.get(path, { key, query: { ...query, limit: '2', ...from } });
    assert.equal(status, 200, text);
    if (items.length > 0 && body.data.length > 0) {
      const back = await app.get(path, {
        key,
        query: { ...query, limit: '2', ending_before: body.data[0].id },
      });
      assert.deepEqual(back.body.data, items.slice(-2), 'the page before is the one read before');
      assert.equal(back.body.has_more, items.length > 2);
    }
    items.push(...body.data);
    assert.equal(body.has_more, body.next_cursor !== null);
    cursor = body.next_cursor;
    if (cursor === null) return items;
    assert.equal(cursor, items.at(-1)?.id);
  }
  throw new Error('The list has no end.');
}

/**
 * Walks a list in each order. `expected` holds ids in ascending order of each sort field. Without `sort` the newest
 * come first.
 */
export async function assertPages(
  app: App,
  path: string,
  key: string,
  query: Record<string, string>,
  expected: Record<string, readonly string[]>,
): Promise<void> {
  const ids = async (sort: Record<string, string>) =>
    (await listAll(app, path, key, { ...query, ...sort })).map((i) => i.id);
  for (const [field, ascending] of Object.entries(expected)) {
    assert.deepEqual(await ids({ sort: field }), ascending, `sort=${field}`);
    assert.deepEqual(await ids({ sort: `-${field}` }), ascending.toReversed(), `sort=-${field}`);
  }
  if (expected.created) assert.deepEqual(await ids({}), expected.created.toReversed());
  assertRefused(await app.get(path, { key, query: { sort: 'size' } }), 422, 'parameter_invalid', 'sort');
  for (const param of ['starting_after', 'ending_before']) {
    assertRefused(
      await app.get(path, { key, query: { [param]: 'x' } }),
      422,
      'parameter_invalid_cursor',
      param,
    );
    const by_value = Object.keys(expected).find((field) => field !== 'created');
    if (by_value === undefined) continue;
    const unknown = await app.get(path, { key, query: { [param]: newId(), sort: by_value } });
    assertRefused(unknown, 422, 'parameter_invalid_cursor', param);
  }
  const both = { starting_after: newId(), ending_before: newId() };
  assertRefused(await app.get(path, { key, query: both }), 422, 'parameter_invalid', 'ending_before');
  assertRefused(await app.get(path, { key, query: { page: '2' } }), 422, 'parameter_invalid', 'page');
}

export async function assertFilters(
  app: App,
  path: string,
  key: string,
  cases: readonly (readonly [query: Record<string, string>, ids: readonly string[]])[],
): Promise<void> {
  for (const [query, ids] of cases) {
    const { status, body, text } = await app.get(path, { key, query: { sort: 'created', ...query } });
    assert.equal(status, 200, text);
    assert.deepEqual(
      body.data.map((item: Listed) => item.id),
      ids,
      JSON.stringify(query),
    );
  }
}
