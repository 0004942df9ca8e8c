/**
 * The whole catalogue through a surface that knows no HTTP: each operation does and answers the same as over REST, so
 * nothing that only REST could know hides in a handler.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSchema } from '../../src/kernel/check.ts';
import type { Operation } from '../../src/kernel/operation.ts';
import { catalog } from '../../src/modules/catalog.ts';
import { type App, startApp } from '../harness.ts';
import { givenSeeded, paramsOf, type SeededCompany, send, validCallOf } from '../support/catalogue-calls.ts';
import { callerOf, memorySurface } from '../support/memory-surface.ts';

/** The body with what differs between two companies and two calls taken out. */
function plain(body: unknown): string {
  return (
    JSON.stringify(body)
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'uuid')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)/g, 'instant')
      .replaceAll(/"qr_png_base64":"[^"]+"/g, '"qr_png_base64":"png"')
      .replaceAll(/\/(i|pdf)\/[\w-]{40,}/g, '/$1/token')
      .replaceAll(/svc_(live|test)_\w+/g, 'secret')
      .replaceAll(/whsec_[\w+/=]+/g, 'secret')
      .replaceAll(/(req|mem)_[\w-]+/g, 'request')
      // Huellas, fingerprints and serial numbers.
      .replaceAll(/[0-9a-fA-F]{30,}/g, 'hex')
      .replaceAll(/\b[A-HJUV]\d{8}\b/g, 'tax_id')
      .replaceAll(/"duration_ms":[\d.]+/g, '"duration_ms":0')
  );
}

type Pair = readonly [by_rest: SeededCompany, in_memory: SeededCompany];

let readers: Promise<Pair> | undefined;

/** Two companies alike. Operations that read have the same two; one that writes, or tells of calls, has its own. */
function givenPair(app: App, operation: Operation): Promise<Pair> {
  if (operation.method !== 'GET' || operation.name === 'list_request_logs') return makePair(app);
  readers ??= makePair(app);
  return readers;
}

async function makePair(app: App): Promise<Pair> {
  const pair = [await givenSeeded(app), await givenSeeded(app)] as const;
  await app.service.flush();
  return pair;
}

for (const operation of catalog) {
  test(`${operation.name} does over a surface in memory what it does over REST`, async (t) => {
    const app = await startApp(t);
    const [by_rest, in_memory] = await givenPair(app, operation);
    const surface = memorySurface(app, catalog);
    const caller = await callerOf(app, in_memory.company);
    const call = validCallOf(operation, in_memory.seed);
    const rest = await send(app, operation, by_rest);
    const answer = await surface.call(caller, operation.name, {
      ...call,
      params: { ...paramsOf(operation, in_memory.seed), ...call.params },
    });
    assert.equal(answer.status, rest.status, `${JSON.stringify(answer)}\n${rest.text}`);
    if (answer.ok) {
      // A file has no JSON body, and one that is no text names its company in bytes.
      if (Buffer.isBuffer(answer.body)) {
        assert.deepEqual(answer.body.subarray(0, 8), rest.bytes.subarray(0, 8));
        return;
      }
      assert.equal(plain(answer.body), plain(rest.body ?? rest.text));
      assert.deepEqual(checkSchema(operation.output, answer.body), []);
    } else {
      assert.deepEqual([answer.code, answer.param], [rest.body.error.code, rest.body.error.param]);
    }
  });
}

test('given a client, a draft and its issue over the surface in memory, then REST shows them with their events', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const caller = await callerOf(app, acme);
  const surface = memorySurface(app, catalog);
  const data = async (name: string, call = {}) => {
    const answer = await surface.call(caller, name, call);
    assert.ok(answer.ok, JSON.stringify(answer));
    return (answer.body as { data: { id: string; number: string } }).data;
  };
  const client = await data('create_client', { body: { name: 'Librería Norte' } });
  const lines = [{ description: 'x', unit_price: 10, tax_rate: 21 }];
  const draft = await data('create_invoice', { body: { client_id: client.id, lines } });
  const issued = await data('issue_invoice', { params: { invoice: draft.id } });
  assert.match(issued.number, /000001$/);
  const read = await app.get(`/v1/invoices/${draft.id}`, { key: acme.live_key });
  assert.deepEqual(read.body.data, issued);
  assert.deepEqual(await app.eventTypes(acme, draft.id), ['invoice.created', 'invoice.number_assigned']);
});

test('given an idempotency key, then it names one request whatever surface it comes over', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const caller = await callerOf(app, acme);
  const surface = memorySurface(app, catalog);
  const body = { name: 'Librería Norte' };
  const headers = { 'idempotency-key': 'k1' };
  const first = await surface.call(caller, 'create_client', { body, idempotency_key: 'k1' });
  assert.ok(first.ok && !first.is_replay);
  const by_rest = await app.post('/v1/clients', { key: acme.live_key, headers, body });
  assert.deepEqual([by_rest.headers['idempotent-replayed'], by_rest.body], ['true', first.body]);
  const again = await surface.call(caller, 'create_client', { body, idempotency_key: 'k1' });
  assert.ok(again.ok && again.is_replay);
  const other = await surface.call(caller, 'create_client', { body: { name: 'X' }, idempotency_key: 'k1' });
  assert.deepEqual(other, {
    ok: false,
    code: 'idempotency_key_reused',
    status: 409,
    param: 'Idempotency-Key',
  });
});

test('given a caller with few scopes or wrong input, then the engine refuses it, whatever the surface', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const caller = await callerOf(app, acme);
  const surface = memorySurface(app, catalog);
  const poor = { ...caller, scopes: ['invoices:read'] };
  const code = async (...args: Parameters<typeof surface.call>) => {
    const answer = await surface.call(...args);
    return answer.ok ? answer.status : answer.code;
  };
  assert.equal(await code(poor, 'create_client', { body: { name: 'X' } }), 'insufficient_scope');
  assert.equal(await code(caller, 'create_client', { body: { colour: 1 } }), 'parameter_invalid');
  assert.equal(await code(caller, 'create_client', { body: { name: 'X\0' } }), 'parameter_invalid');
  assert.equal(await code(caller, 'get_client', { params: { client: 'x' } }), 'resource_not_found');
  assert.equal(await code(caller, 'list_clients', { query: { limit: 0 } }), 'parameter_invalid');
  assert.equal(await code(caller, 'list_clients', { query: { limit: 5 } }), 200);
  assert.equal(
    await code(caller, 'create_client', { body: { name: 'X' }, idempotency_key: '' }),
    'parameter_invalid',
  );
});

test('given the sandbox of the company, then a caller for it sees nothing of the live one', async (t) => {
  const app = await startApp(t);
  const { company, seed } = await givenSeeded(app);
  const surface = memorySurface(app, catalog);
  const caller = await callerOf(app, company, 'test');
  const list = await surface.call(caller, 'list_clients');
  assert.ok(list.ok);
  assert.deepEqual((list.body as { data: unknown[] }).data, []);
  const found = await surface.call(caller, 'get_client', { params: { client: seed.client } });
  assert.deepEqual(found, { ok: false, code: 'resource_not_found', status: 404, param: 'client' });
});
