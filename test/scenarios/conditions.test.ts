/** ETag and If-Match on every single resource (RFC 9110, 8.8.3 and 13.1.1; ADR 33). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { request } from 'undici';
import { isResource, type Operation, resourceOf, takesCondition } from '../../src/kernel/operation.ts';
import { latestVersion } from '../../src/kernel/versions.ts';
import { newId } from '../../src/kernel/uuid7.ts';
import { catalog } from '../../src/modules/catalog.ts';
import { type Answer, type App, startApp } from '../harness.ts';
import {
  fillPath,
  givenSeeded,
  keyFor,
  makeSeeding,
  paramsOf,
  send,
  validCallOf,
} from '../support/catalogue-calls.ts';
import { assertRefused, create } from '../support/resource-checks.ts';

/** What they answer changes with the clock, or with each look. */
const moving = new Set([
  'get_sandbox_clock',
  'get_invoice_pdf_link',
  'get_proforma_pdf_link',
  'get_quote_pdf_link',
  'get_delivery_note_pdf_link',
  'get_verifactu_stats',
  'get_account',
]);

const resources = catalog.filter(isResource);

test('every single resource has an ETag that stays while it does, and 304 for who has it', async (t) => {
  const app = await startApp(t);
  // The clock goes on between the looks, and no day may end meanwhile.
  app.clock.set(`${app.clock.now().toISOString().slice(0, 10)}T10:00:00Z`);
  const seeded = await givenSeeded(app);
  for (const operation of resources) {
    const path = fillPath(operation, paramsOf(operation, seeded.seed));
    const key = keyFor(operation, seeded);
    const { query = {} } = validCallOf(operation, seeded.seed);
    const first = await app.get(path, { key, query });
    if (first.status === 404) continue;
    assert.match(String(first.headers.etag), /^"[\w-]{20,}"$/, operation.name);
    if (moving.has(operation.name)) continue;
    const etag = String(first.headers.etag);
    app.clock.advance(1000);
    assert.equal((await app.get(path, { key, query })).headers.etag, etag, operation.name);
    const held = await app.get(path, { key, query, headers: { 'If-None-Match': etag } });
    assert.deepEqual([held.status, held.text, held.headers.etag], [304, '', etag], operation.name);
    const asked = async (value: string) =>
      (await app.get(path, { key, query, headers: { 'If-Match': value } })).status;
    assert.deepEqual(
      [await asked(etag), await asked('*'), await asked('"x"'), await asked(`W/${etag}`)],
      [200, 200, 412, 412],
    );
    const head = await request(new URL(path, app.url), {
      method: 'HEAD',
      headers: { authorization: `Bearer ${key}` },
    });
    assert.equal(head.headers.etag, Object.keys(query).length > 0 ? head.headers.etag : etag);
  }
});

async function tagOf(
  app: App,
  resource: Operation,
  given: Awaited<ReturnType<typeof givenSeeded>>,
  params: Record<string, string>,
) {
  const { headers } = await app.get(fillPath(resource, { ...paramsOf(resource, given.seed), ...params }), {
    key: keyFor(resource, given),
  });
  return headers.etag === undefined ? undefined : String(headers.etag);
}

/** A refusal names its own request. */
const dataOf = ({ body }: Answer) => body.data ?? body.error.code;

const seeding = makeSeeding();

const acting = catalog.filter((operation) => takesCondition(operation) && operation.method !== 'GET');

for (const operation of acting) {
  test(`${operation.name}: a wrong If-Match changes nothing and is not kept, the right one passes`, async (t) => {
    const app = await startApp(t);
    const resource = resourceOf(operation, catalog);
    const given = await seeding(app, operation, ...(resource ? [resource] : []));
    const key = keyFor(operation, given);
    const call = validCallOf(operation, given.seed);
    const params = { ...paramsOf(operation, given.seed), ...call.params };
    const idempotency = operation.idempotency === 'none' ? {} : { 'idempotency-key': `cond-${newId()}` };
    const asked = (value: string, version = latestVersion) => {
      const headers = { ...idempotency, 'If-Match': value, 'Service-Version': version };
      return send(app, operation, { key, seed: given.seed, headers }, call);
    };
    const tag = resource && (await tagOf(app, resource, given, params));
    const newestEvent = async () =>
      (await app.get('/v1/events', { key, query: { limit: '1' } })).body.data[0]?.id;
    const before = await newestEvent();
    for (const wrong of ['"other"', ...(tag ? [`W/${tag}`] : []), 'x', ''])
      if (wrong !== '' || !tag)
        assertRefused(await asked(wrong || '"x"'), 412, 'precondition_failed', 'If-Match');
    assert.equal(await newestEvent(), before);
    if (!tag) return;
    if (!moving.has(resource.name)) assert.equal(await tagOf(app, resource, given, params), tag);
    const passed = await asked(moving.has(resource.name) ? '*' : `"other", ${tag}`);
    // The seed's tax and series are in use, which only the operation itself may say.
    assert.ok(
      passed.status < 300 || /^delete_(tax|series)$/.test(operation.name),
      `${operation.name}: ${passed.text}`,
    );
    assert.notEqual(passed.status, 412);
    if (operation.idempotency === 'none') return;
    // The stored answer is given again, whatever has changed since, in the shape and name of its version.
    const again = await asked('"other"', '2026-06-01');
    const { 'idempotent-replayed': replayed, 'service-version': version } = again.headers;
    assert.deepEqual([again.status, replayed, version], [passed.status, 'true', latestVersion]);
    assert.deepEqual(dataOf(again), dataOf(passed));
  });
}

test('given two edits that read the same, when both are sent at once with If-Match, then one is made', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const line = { description: 'x', unit_price: 10, tax_rate: 21 };
  for (const [path, body, change] of [
    ['/v1/clients', { name: 'x' }, (n: number) => ({ notes: `${n}` })],
    ['/v1/invoices', { lines: [line] }, (n: number) => ({ notes: `${n}` })],
  ] as const) {
    const { id } = await create(app, path, key, body);
    for (let round = 0; round < 5; round++) {
      const etag = String((await app.get(`${path}/${id}`, { key })).headers.etag);
      const edits = [0, 1, 2, 3].map((n) =>
        app.put(`${path}/${id}`, { key, body: change(round * 10 + n), headers: { 'If-Match': etag } }),
      );
      const statuses = (await Promise.all(edits)).map(({ status }) => status).toSorted();
      assert.deepEqual(statuses, [200, 412, 412, 412], path);
    }
  }
});

test('given one resource, when it is read under each version, by another key, and after a change, then tags tell', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { id } = await create(app, '/v1/clients', acme.live_key, { name: 'x' });
  const path = `/v1/clients/${id}`;
  const etagOf = async (headers: Record<string, string> = {}) =>
    String((await app.get(path, { key: acme.live_key, headers })).headers.etag);
  const latest = await etagOf();
  assert.notEqual(await etagOf({ 'Service-Version': '2026-06-01' }), latest);
  const body = { name: 'y' };
  const older = { 'Service-Version': '2026-06-01', 'If-Match': latest };
  assertRefused(
    await app.put(path, { key: acme.live_key, body, headers: older }),
    412,
    'precondition_failed',
  );
  // Whoever may not read it has no tag of it.
  const writer = await app.given.apiKey(acme, { scopes: ['contacts:write'] });
  const unread = await app.put(path, { key: writer, body, headers: { 'If-Match': latest } });
  assertRefused(unread, 403, 'insufficient_scope');
  assert.equal(
    (await app.put(path, { key: acme.live_key, body, headers: { 'If-Match': latest } })).status,
    200,
  );
  assert.notEqual(await etagOf(), latest);
  // Whatever it is now.
  const any = await app.put(path, { key: acme.live_key, body: { name: 'z' }, headers: { 'If-Match': '*' } });
  assert.deepEqual([any.status, any.body.data?.name], [200, 'z'], any.text);
  for (const value of [latest, '*'])
    assertRefused(
      await app.put(`/v1/clients/${newId()}`, { key: acme.live_key, body, headers: { 'If-Match': value } }),
      404,
      'resource_not_found',
    );
  // A schema's refusal comes first.
  assertRefused(
    await app.put(path, { key: acme.live_key, body: { name: 1 }, headers: { 'If-Match': latest } }),
    422,
    'parameter_invalid',
  );
});
