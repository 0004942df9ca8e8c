import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp } from '../harness.ts';
import { idOf, newKey } from '../support/api-keys.ts';
import { givenClient, givenPerson, grantTokens } from '../support/oauth.ts';
import { assertNeedsScope, assertPages, assertRefused, create, listAll } from '../support/resource-checks.ts';
import { until } from '../support/worker-place.ts';

type Entry = Record<string, unknown> & { id: string; request_id: string };

/** The entry appears a moment after the answer. */
async function entryOf(app: App, key: string, request_id: string | string[] | undefined): Promise<Entry> {
  let found: Entry | undefined;
  await until(async () => {
    await app.service.flush();
    const { body } = await app.get('/v1/request-logs', { key, query: { request_id: String(request_id) } });
    [found] = body.data;
    return found !== undefined;
  });
  return found!;
}

test('given requests of every outcome, when the log is read, then it tells what was asked and how it ended', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = await app.given.apiKey(acme, {
    scopes: ['account:read', 'contacts:write', 'developers:read'],
    api_version: '2026-06-01',
  });
  const key_id = await idOf(app, key);
  const headers = { 'Idempotency-Key': '"alta 1"', 'Service-Version': '2026-10-01' };
  const expected: [answer: Awaited<ReturnType<App['get']>>, entry: Record<string, unknown>][] = [
    [
      await app.post('/v1/clients', { key, headers, body: { name: 'Uno' } }),
      {
        operation: 'create_client',
        method: 'POST',
        path: '/v1/clients',
        status: 201,
        error_code: null,
        api_version: '2026-10-01',
        idempotency_key: 'alta 1',
      },
    ],
    [
      await app.get('/v1/account?x=secreto', { key }),
      {
        operation: 'get_account',
        method: 'GET',
        path: '/v1/account',
        status: 422,
        error_code: 'parameter_invalid',
        api_version: '2026-06-01',
        idempotency_key: null,
      },
    ],
    [
      await app.get('/v1/taxes', { key }),
      {
        operation: 'list_taxes',
        method: 'GET',
        path: '/v1/taxes',
        status: 403,
        error_code: 'insufficient_scope',
        api_version: '2026-06-01',
        idempotency_key: null,
      },
    ],
    [
      await app.delete('/v1/nowhere/1', { key }),
      {
        operation: null,
        method: 'DELETE',
        path: '/v1/nowhere/1',
        status: 404,
        error_code: 'resource_not_found',
        api_version: '2026-06-01',
        idempotency_key: null,
      },
    ],
    [
      await app.get('/v1/account', { key, headers: { 'Service-Version': 'x' } }),
      {
        operation: 'get_account',
        method: 'GET',
        path: '/v1/account',
        status: 400,
        error_code: 'parameter_invalid_format',
        api_version: '2026-06-01',
        idempotency_key: null,
      },
    ],
    [
      await app.post('/v1/clients', { key, raw: '{' }),
      {
        operation: 'create_client',
        method: 'POST',
        path: '/v1/clients',
        status: 400,
        error_code: 'parameter_invalid_format',
        api_version: '2026-06-01',
        idempotency_key: null,
      },
    ],
  ];
  for (const [answer, expected_entry] of expected) {
    const { id, duration_ms, ...entry } = await entryOf(app, key, answer.headers['x-request-id']);
    assert.deepEqual(entry, {
      object: 'request_log',
      request_id: answer.headers['x-request-id'],
      key_id,
      actor: 'api_key',
      actor_id: key_id,
      actor_name: 'Prueba',
      ip: '127.0.0.1',
      created_at: app.clock.now().toISOString(),
      ...expected_entry,
    });
    assert.ok(typeof duration_ms === 'number' && duration_ms >= 0);
  }
});

test('given logged requests, when the log is filtered and paged, then just those are given, newest first', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const reader = acme.live_key;
  const start = app.clock.now().getTime();
  const ids: string[] = [];
  for (const [second, path] of [
    [0, '/v1/clients'],
    [1, '/v1/nowhere'],
    [2, '/v1/taxes'],
    [3, '/v1/clients?limit=x'],
  ] as const) {
    app.clock.set(new Date(start + second * 1000));
    ids.push(String((await app.get(path, { key })).headers['x-request-id']));
  }
  app.clock.set(new Date(start + 4000));
  ids.push(String((await app.post('/v1/clients', { key, body: { name: 'Uno' } })).headers['x-request-id']));
  await entryOf(app, reader, ids.at(-1));
  app.clock.set(new Date(start + 60_000));
  const at = (second: number) => new Date(start + second * 1000).toISOString();
  const within = { 'created[lte]': at(5) };
  const cases: [query: Record<string, string>, indexes: number[]][] = [
    [{}, [4, 3, 2, 1, 0]],
    [{ status: '404' }, [1]],
    [{ method: 'POST' }, [4]],
    [{ method: 'post' }, [4]],
    [{ 'method[in]': 'post,Put' }, [4]],
    [{ method: 'GET', status: '200' }, [2, 0]],
    [{ error_code: 'parameter_invalid' }, [3]],
    [{ request_id: ids[2]! }, [2]],
    [{ request_id: 'req_none' }, []],
    [{ 'created[gte]': at(1), 'created[lt]': at(3) }, [2, 1]],
    [{ 'created[gt]': at(1), 'created[lte]': at(3) }, [3, 2]],
    [{ limit: '2' }, [4, 3]],
  ];
  for (const [query, indexes] of cases) {
    const { status, body, text } = await app.get('/v1/request-logs', {
      key: reader,
      query: { ...within, ...query },
    });
    assert.equal(status, 200, text);
    const entries = body.data.filter((e: Entry) => e.operation !== 'list_request_logs');
    assert.deepEqual(
      entries.map((e: Entry) => ids.indexOf(e.request_id)),
      indexes,
      JSON.stringify(query),
    );
  }
  for (const [query, param] of [
    [{ status: '99' }, 'status'],
    [{ status: 'ok' }, 'status'],
    [{ 'created[gte]': 'today' }, 'created[gte]'],
    [{ path: '/' }, 'path'],
  ] as const) {
    assertRefused(await app.get('/v1/request-logs', { key: reader, query }), 422, 'parameter_invalid', param);
  }
  const walked = await listAll(app, '/v1/request-logs', reader, within);
  assert.deepEqual(
    walked.filter((e) => e.operation !== 'list_request_logs').map((e) => ids.indexOf(String(e.request_id))),
    [4, 3, 2, 1, 0],
  );
  await assertPages(app, '/v1/request-logs', reader, {}, {});
  await assertNeedsScope(app, acme, 'developers:read', 'GET', '/v1/request-logs');
});

test('given companies and environments, when logs are read, then each reads its own', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const other = await app.given.company();
  const request_id = (await app.get('/v1/clients', { key: acme.test_key })).headers['x-request-id'];
  await entryOf(app, acme.test_key, request_id);
  for (const key of [acme.live_key, other.live_key, other.test_key]) {
    const { body } = await app.get('/v1/request-logs', { key, query: { request_id: String(request_id) } });
    assert.deepEqual(body.data, []);
  }
  // A call without a valid key belongs to no company.
  const anonymous = await app.get('/v1/clients', { key: 'nonsense' });
  await app.service.flush();
  const rows =
    await app.sql`select 1 from request_logs where request_id = ${String(anonymous.headers['x-request-id'])}`;
  assert.equal(rows.length, 0);
});

test('given a secret where an id belongs, when the request is logged, then only its prefix is', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const made = await newKey(app, key);
  const answer = await app.get(`/v1/account/api-keys/${made.secret}?key=${made.secret}`, { key });
  const entry = await entryOf(app, key, answer.headers['x-request-id']);
  assert.equal(entry.path, `/v1/account/api-keys/${made.prefix}…`);
  assert.ok(!app.log_lines.some((line) => line.includes(made.secret)));
});

test('given changes to keys and settings, when the audit log is read, then filters and pages give them newest first', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const start = app.clock.now().getTime();
  const made = await newKey(app, key);
  app.clock.set(new Date(start + 1000));
  await app.post(`/v1/account/api-keys/${made.id}/rotate_secret`, { key });
  app.clock.set(new Date(start + 2000));
  await app.post(`/v1/account/api-keys/${made.id}/revoke`, { key });
  await app.put('/v1/account/company', { key, body: { phone: '+34 600 000 000' } });
  await create(app, '/v1/clients', key, { name: 'Uno' });
  const actions = async (query: Record<string, string>) => {
    const { status, body, text } = await app.get('/v1/audit-log', { key, query });
    assert.equal(status, 200, text);
    return body.data.map((e: Entry) => e.action);
  };
  const all = ['company.updated', 'api_key.revoked', 'api_key.rotated', 'api_key.created', 'company.created'];
  assert.deepEqual(await actions({}), all);
  assert.deepEqual(await actions({ action: 'api_key.rotated' }), ['api_key.rotated']);
  assert.deepEqual(await actions({ action: 'api_key' }), []);
  assert.deepEqual(await actions({ 'created[gt]': new Date(start).toISOString() }), all.slice(0, 3));
  assert.deepEqual(
    (await listAll(app, '/v1/audit-log', key, {})).map((e) => e.action),
    all,
  );
  await assertPages(app, '/v1/audit-log', key, {}, {});
  await assertNeedsScope(app, acme, 'account:read', 'GET', '/v1/audit-log');
  const other = await app.given.company();
  const { body } = await app.get('/v1/audit-log', { key: other.live_key });
  assert.deepEqual(
    body.data.map((e: Entry) => e.action),
    ['company.created'],
  );
});

test("given what a test key does, when audit logs are read, then the sandbox's alone has it, on real time", async (t) => {
  const app = await startApp(t, { env: { FOLIO_TRUSTED_PROXIES: '127.0.0.1' } });
  const acme = await app.given.company();
  const ahead = 90 * 86_400_000;
  for (const table of ['companies', 'credentials']) {
    await app.sql`update ${app.sql(table)} set clock_offset_ms = ${ahead} where company_id = ${acme.sandbox_company_id}`;
  }
  await newKey(app, acme.live_key);
  const made = await newKey(app, acme.test_key, { allowed_ips: ['192.0.2.1'] });
  await app.put('/v1/account/company', { key: acme.test_key, body: { phone: '+34 600 000 000' } });
  assert.equal((await app.get('/v1/account', { key: made.secret })).status, 401);
  await app.service.flush();
  const log = async (key: string) => (await app.get('/v1/audit-log', { key })).body.data;
  const sandbox = await log(acme.test_key);
  assert.deepEqual(sandbox.map((e: Entry) => e.action).sort(), [
    'api_key.address_refused',
    'api_key.created',
    'company.updated',
  ]);
  const now = app.clock.now().toISOString();
  assert.deepEqual([...new Set(sandbox.map((e: Entry) => e.created_at))], [now]);
  const live = await log(acme.live_key);
  assert.deepEqual(
    live.map((e: Entry) => e.action),
    ['api_key.created', 'company.created'],
  );
  assert.ok(!live.some((e: { target: { id: string } }) => e.target.id === made.id));
});

test('given calls of two keys and an application, when the log is asked for an operation or a caller, then just those are given', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const { live_key: reader, company_id } = acme;
  const scopes = ['account:read', 'contacts:write', 'taxes:read'];
  const keys = [await app.given.apiKey(acme, { scopes }), await app.given.apiKey(acme, { scopes })] as const;
  const [one, two] = [await idOf(app, keys[0]), await idOf(app, keys[1])];
  const person = await givenPerson(app, acme);
  const { access_token: token } = await grantTokens(app, person, await givenClient(app, acme), {
    scope: 'taxes.read',
  });
  const grants = await app.get('/v1/oauth/grants', { key: reader });
  const grant_id: string = grants.body.data[0].id;
  const calls: [key: string, method: 'get' | 'post', path: string][] = [
    [keys[0], 'get', '/v1/taxes'],
    [keys[1], 'get', '/v1/taxes'],
    [keys[0], 'post', '/v1/clients'],
    [token, 'get', '/v1/taxes'],
    [keys[0], 'get', '/v1/nowhere'],
  ];
  const ids: string[] = [];
  for (const [key, method, path] of calls) {
    const answer = await app[method](path, { key, ...(method === 'post' ? { body: { name: 'Uno' } } : {}) });
    ids.push(String(answer.headers['x-request-id']));
  }
  await entryOf(app, reader, ids.at(-1));
  const found = async (query: Record<string, string>, key = reader) => {
    const { status, body, text } = await app.get('/v1/request-logs', { key, query });
    assert.equal(status, 200, text);
    return body.data
      .map((entry: Entry) => ids.indexOf(entry.request_id))
      .filter((index: number) => index >= 0);
  };
  for (const [query, indexes] of [
    [{ operation: 'list_taxes' }, [3, 1, 0]],
    [{ operation: 'taxes' }, []],
    [{ 'operation[in]': 'list_taxes,create_client' }, [3, 2, 1, 0]],
    [{ actor_id: one }, [4, 2, 0]],
    [{ actor_id: one.toUpperCase() }, [4, 2, 0]],
    [{ actor_id: two }, [1]],
    [{ actor_id: grant_id }, [3]],
    [{ 'actor_id[in]': `${two},${grant_id}` }, [3, 1]],
    [{ actor_id: one, operation: 'list_taxes' }, [0]],
    [{ actor_id: one, status: '404' }, [4]],
    [{ actor_id: company_id }, []],
  ] as [Record<string, string>, number[]][])
    assert.deepEqual(await found(query), indexes, JSON.stringify(query));
  const other = await app.given.company();
  assert.deepEqual(await found({ actor_id: one }, other.live_key), []);
  assertRefused(
    await app.get('/v1/request-logs', { key: reader, query: { actor_id: 'Prueba' } }),
    422,
    'parameter_invalid',
    'actor_id',
  );
  await assertPages(app, '/v1/request-logs', reader, { operation: 'list_taxes' }, {});
});
