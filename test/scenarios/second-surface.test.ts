/** Calls without HTTP answer as over REST. The engine admits, limits and logs them (ADR 25). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkSchema } from '../../src/kernel/check.ts';
import type { Operation } from '../../src/kernel/operation.ts';
import { newId } from '../../src/kernel/uuid7.ts';
import { latestVersion } from '../../src/kernel/versions.ts';
import { catalog } from '../../src/modules/catalog.ts';
import { systemCaller } from '../../src/platform/system-caller.ts';
import { type App, startApp } from '../harness.ts';
import { idOf, newKey } from '../support/api-keys.ts';
import {
  adding,
  givenSeeded,
  makeSeeding,
  neededKey,
  paramsOf,
  type SeededCompany,
  send,
  validCallOf,
} from '../support/catalogue-calls.ts';
import { memoryAddress, memorySurface } from '../support/memory-surface.ts';

/** Without what differs between companies and calls. */
function plain(body: unknown): string {
  return (
    JSON.stringify(body)
      .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, 'uuid')
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)/g, 'instant')
      .replaceAll(/"qr_png_base64":"[^"]+"/g, '"qr_png_base64":"png"')
      .replaceAll(/\/(i|pdf)\/[\w-]{40,}/g, '/$1/token')
      .replaceAll(/svc_(live|test|app|cs)_[\w-]+/g, 'secret')
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
let growing: Promise<Pair> | undefined;
const seedings = [makeSeeding(), makeSeeding()] as const;

/**
 * Read operations share a pair of equal companies, and those that only add something another, which stay equal, as do those that
 * change a document of their own. Any other that changes something, or lists calls, has its own.
 */
function givenPair(app: App, operation: Operation): Promise<Pair> {
  if (adding.includes(operation)) {
    growing ??= asPair(app, () => givenSeeded(app, ...adding));
    return growing;
  }
  if (operation.method !== 'GET' || operation.name === 'list_request_logs')
    return asPair(app, (i) => seedings[i](app, operation));
  readers ??= asPair(app, () => givenSeeded(app));
  return readers;
}

async function asPair(app: App, given: (i: 0 | 1) => Promise<SeededCompany>): Promise<Pair> {
  const pair = [await given(0), await given(1)] as const;
  await app.service.flush();
  return pair;
}

for (const operation of catalog) {
  test(`${operation.name} does over a surface in memory what it does over REST`, async (t) => {
    const app = await startApp(t);
    const [by_rest, in_memory] = await givenPair(app, operation);
    const surface = memorySurface(app, catalog);
    const call = validCallOf(operation, in_memory.seed);
    const rest = await send(app, operation, by_rest);
    const { 'idempotency-key': idempotency_key } = neededKey(operation);
    const answer = await surface.call(in_memory.company.live_key, operation.name, {
      ...call,
      params: { ...paramsOf(operation, in_memory.seed), ...call.params },
      ...(idempotency_key === undefined ? {} : { idempotency_key }),
    });
    assert.equal(answer.status, rest.status, `${JSON.stringify(answer)}\n${rest.text}`);
    // What another has added to their companies keeps none from being carried out.
    if (adding.includes(operation) && operation.name !== 'register_company_representation')
      assert.equal(answer.status, operation.status, rest.text);
    if (answer.ok) {
      // A file has no JSON body, and its bytes name its company.
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
  const surface = memorySurface(app, catalog);
  const data = async (name: string, call = {}) => {
    const answer = await surface.call(acme.live_key, name, call);
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
  const caller = acme.live_key;
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
  assert.ok(!other.ok);
  assert.deepEqual(
    [other.code, other.status, other.param],
    ['idempotency_key_reused', 409, 'idempotency_key'],
  );
});

test('given a caller with few scopes or wrong input, then the engine refuses it, whatever the surface', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const caller = acme.live_key;
  const surface = memorySurface(app, catalog);
  const poor = await app.given.apiKey(acme, { scopes: ['invoices:read'] });
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
  const { company, seed } = await givenSeeded(app, catalog.find(({ name }) => name === 'get_client')!);
  const surface = memorySurface(app, catalog);
  const caller = company.test_key;
  const list = await surface.call(caller, 'list_clients');
  assert.ok(list.ok);
  assert.deepEqual((list.body as { data: unknown[] }).data, []);
  const found = await surface.call(caller, 'get_client', { params: { client: seed.client } });
  assert.ok(!found.ok);
  assert.deepEqual([found.code, found.status, found.param], ['resource_not_found', 404, 'client']);
});

test('given two writes a minute, when a surface that does nothing for it goes on, then it is told to wait, and REST with it', async (t) => {
  const app = await startApp(t, { env: { FOLIO_RATE_LIMITS: '{"scale":[5,2]}' } });
  const { live_key: key } = await app.given.company();
  app.clock.set('2026-05-04T10:00:20.000Z');
  const surface = memorySurface(app, catalog);
  const write = async () => (await surface.call(key, 'create_client', { body: { name: 'Uno' } })).status;
  assert.deepEqual([await write(), await write(), await write()], [201, 201, 429]);
  const refused = await surface.call(key, 'create_client', { body: { name: 'Uno' } });
  const by_rest = await app.post('/v1/clients', { key, body: { name: 'Uno' } });
  assert.ok(!refused.ok && by_rest.status === 429);
  const { request_id: _, ...told } = refused.error;
  const { request_id: __, ...wanted } = by_rest.body.error;
  assert.deepEqual(told, wanted);
  // Refused input counts, reads count separately, and a dry run is a read.
  const lines = [{ description: 'Café', unit_price: 10, tax_rate: 10 }];
  const dry = { body: { type: 'F2', lines, options: { dry_run: true } } };
  assert.equal((await surface.call(key, 'create_invoice', dry)).status, 200);
  assert.equal((await surface.call(key, 'list_clients', { query: { limit: 0 } })).status, 422);
  assert.equal((await surface.call(key, 'list_clients', { version: 'x' })).status, 400);
  const { headers } = await app.get('/v1/account', { key });
  assert.equal(headers.ratelimit, '"read";r=1;t=40');
});

test('given secrets of every kind, when they come over the surface in memory, then they are refused as over REST', async (t) => {
  const app = await startApp(t, { fresh: true });
  const acme = await app.given.company();
  const made = await newKey(app, acme.live_key, { allowed_ips: ['198.51.100.0/24'] });
  const revoked = await newKey(app, acme.live_key);
  await app.post(`/v1/account/api-keys/${revoked.id}/revoke`, { key: acme.live_key });
  const surface = memorySurface(app, catalog);
  const code = async (secret: string | null) => {
    const answer = await surface.call(secret, 'get_account');
    return answer.ok ? answer.status : answer.code;
  };
  assert.equal(await code(acme.live_key), 200);
  assert.equal(await code(null), 'missing_api_key');
  for (const secret of ['nonsense', made.secret, revoked.secret])
    assert.equal(await code(secret), 'invalid_api_key');
});

test('given a master, when it names a child over the surface in memory, then it works for it', async (t) => {
  const app = await startApp(t);
  const master = await app.given.company();
  const child = await app.given.company({ parent_id: master.company_id, plan: 'free' });
  const stranger = await app.given.company();
  const surface = memorySurface(app, catalog);
  const company = async (active_profile: string) => {
    const answer = await surface.call(master.live_key, 'get_company', { active_profile });
    return answer.ok ? (answer.body as { data: { id: string } }).data.id : [answer.code, answer.param];
  };
  assert.equal(await company(child.company_id), child.company_id);
  assert.deepEqual(await company(stranger.company_id), ['profile_not_found', 'active_profile']);
  assert.deepEqual(await company('none'), ['parameter_invalid_uuid', 'active_profile']);
});

async function loggedCalls(app: App, key: string) {
  await app.service.flush();
  const { body } = await app.get('/v1/request-logs', { key });
  const entries = body.data as Record<string, unknown>[];
  return entries.filter((entry) => String(entry.request_id).startsWith('mem_'));
}

test('given calls over the surface in memory, when the logs are read, then they tell of them as of any other', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const key_id = await idOf(app, key);
  const surface = memorySurface(app, catalog);
  await surface.call(key, 'update_company', { body: { phone: '+34 600 000 000' }, idempotency_key: 'k1' });
  await surface.call(key, 'get_client', { params: { client: 'x' } });
  await surface.call('nonsense', 'list_clients');
  const logged = await loggedCalls(app, key);
  assert.deepEqual(
    logged.map(({ operation, method, path, status, error_code, idempotency_key, ip, key_id: id }) => ({
      operation,
      method,
      path,
      status,
      error_code,
      idempotency_key,
      ip,
      id,
    })),
    [
      {
        operation: 'get_client',
        method: 'GET',
        path: '/v1/clients/:client',
        status: 404,
        error_code: 'resource_not_found',
        idempotency_key: null,
        ip: memoryAddress,
        id: key_id,
      },
      {
        operation: 'update_company',
        method: 'PUT',
        path: '/v1/account/company',
        status: 200,
        error_code: null,
        idempotency_key: 'k1',
        ip: memoryAddress,
        id: key_id,
      },
    ],
  );
  const audit = await app.get('/v1/audit-log', { key, query: { action: 'company.updated' } });
  const [entry] = audit.body.data;
  assert.deepEqual([entry.actor, entry.actor_id, entry.actor_name], ['api_key', key_id, 'Primera clave']);
});

test('given a job, when it calls operations, then it is told of as the system, spends no rate and is in no request log', async (t) => {
  const app = await startApp(t, { env: { FOLIO_RATE_LIMITS: '{"scale":[100,1]}' } });
  const acme = await app.given.company();
  const job = { id: newId(), kind: 'test.job' };
  const caller = systemCaller({ company_id: acme.company_id, environment: 'live' }, job);
  const operation = catalog.find(({ name }) => name === 'update_company')!;
  const call = (idempotency_key: string, phone: string) =>
    app.service.engine.runAsSystem({
      operation,
      caller,
      input: { params: {}, query: {}, body: { phone } },
      idempotency_key,
      version: latestVersion,
      request_id: `job_${job.id}`,
    });
  await call(job.id, '+34 600 000 000');
  assert.ok((await call(job.id, '+34 600 000 000')).is_replay);
  await call(`${job.id} 2`, '+34 600 000 001');
  const { body } = await app.get('/v1/audit-log', {
    key: acme.live_key,
    query: { action: 'company.updated' },
  });
  const told = body.data.map((e: Record<string, unknown>) => [
    e.actor,
    e.actor_id,
    e.actor_name,
    e.actor_key_id,
  ]);
  assert.deepEqual(told, Array(2).fill(['system', job.id, 'test.job', null]));
  await app.service.flush();
  const logged = await app.sql`select 1 from request_logs where request_id = ${`job_${job.id}`}`;
  assert.equal(logged.length, 0);
  // A job's key is not a caller's key.
  const headers = { 'Idempotency-Key': job.id };
  const put = await app.put('/v1/account/company', { key: acme.live_key, headers, body: { phone: '+34 1' } });
  assert.deepEqual([put.status, put.headers['idempotent-replayed']], [200, undefined]);
});
