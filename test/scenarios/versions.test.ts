/** The date version in effect: header, pinned key, latest; always echoed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp, type TestCompany } from '../harness.ts';
import { assertRefused, create } from '../support/resource-checks.ts';

const [first, latest] = ['2026-06-01', '2026-10-01'] as const;

const headerCases: [header: string, code: string | null][] = [
  [first, null],
  [latest, null],
  ['2026-07-01', 'unsupported_api_version'],
  ['2026-06-02', 'unsupported_api_version'],
  ['2027-01-01', 'unsupported_api_version'],
  ['1066-10-14', 'unsupported_api_version'],
  ['9999-12-31', 'unsupported_api_version'],
  ['', 'parameter_invalid_format'],
  ['latest', 'parameter_invalid_format'],
  ['2026', 'parameter_invalid_format'],
  ['2026-6-1', 'parameter_invalid_format'],
  ['2026-13-01', 'parameter_invalid_format'],
  ['2026-02-30', 'parameter_invalid_format'],
  ['01-06-2026', 'parameter_invalid_format'],
  ['20260601', 'parameter_invalid_format'],
  ['v2026-06-01', 'parameter_invalid_format'],
  ['2026-06-01T00:00:00Z', 'parameter_invalid_format'],
  ['2026-06-01, 2026-10-01', 'parameter_invalid_format'],
];

test('given a Service-Version, when a call is made, then it is in effect and echoed, or refused with what would be', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const pinned = await app.given.apiKey(acme, { scopes: ['*'], api_version: first });
  for (const [key, without] of [
    [acme.live_key, latest],
    [pinned, first],
  ] as const) {
    assert.equal((await app.get('/v1/account', { key })).headers['service-version'], without);
    for (const [header, code] of headerCases) {
      const answer = await app.get('/v1/account', { key, headers: { 'Service-Version': header } });
      assert.equal(answer.headers['service-version'], code === null ? header : without, header);
      if (code === null) {
        assert.equal(answer.status, 200);
        continue;
      }
      assertRefused(answer, 400, code, 'Service-Version');
      assert.equal(answer.body.error.type, 'invalid_request_error');
      if (code === 'unsupported_api_version')
        assert.equal(
          answer.body.error.message,
          `La versión ${header} de la API no existe. Las versiones son: ${first}, ${latest}.`,
        );
    }
  }
});

test('given a call that is refused, when it is answered, then the version in effect is echoed all the same', async (t) => {
  const app = await startApp(t, { env: { FOLIO_RATE_LIMITS: '{"scale":[1000,2]}' } });
  const acme = await app.given.company();
  app.clock.set('2026-05-04T10:00:00Z');
  const pinned = await app.given.apiKey(acme, { scopes: ['account:read'], api_version: first });
  const big = Buffer.alloc(1_100_000, ' ');
  const calls: [
    status: number,
    call: (headers: Record<string, string>, key: string) => ReturnType<App['get']>,
  ][] = [
    [403, (headers, key) => app.get('/v1/clients', { key, headers })],
    [404, (headers, key) => app.get('/v1/nowhere', { key, headers })],
    [422, (headers, key) => app.get('/v1/account?x=1', { key, headers })],
    [413, (headers, key) => app.post('/v1/clients', { key, headers, raw: big })],
    [
      415,
      (headers, key) =>
        app.post('/v1/clients', { key, headers: { ...headers, 'content-type': 'text/plain' }, raw: 'x' }),
    ],
    [429, (headers, key) => app.post('/v1/clients', { key, headers, body: {} })],
  ];
  for (const [status, call] of calls) {
    const answer = await call({}, pinned);
    assert.deepEqual([answer.status, answer.headers['service-version']], [status, first]);
  }
  // Without a key nothing is pinned, so the header decides.
  for (const [header, echoed] of [
    [undefined, latest],
    [first, first],
    [latest, latest],
    ['2026-07-01', latest],
    ['x', latest],
  ] as const) {
    const headers: Record<string, string> = header === undefined ? {} : { 'Service-Version': header };
    for (const key of [undefined, 'nonsense']) {
      const answer = await app.get('/v1/account', { headers, ...(key === undefined ? {} : { key }) });
      assert.deepEqual([answer.status, answer.headers['service-version']], [401, echoed], String(header));
    }
  }
});

async function givenDefaultVat(app: App): Promise<TestCompany> {
  const acme = await app.given.company();
  const { status, text } = await app.put('/v1/account/company', {
    key: acme.live_key,
    body: { default_vat: { invoice: 10 } },
  });
  assert.equal(status, 200, text);
  return acme;
}

const bare = {
  lines: [
    { description: 'Con tipo', unit_price: 10, tax_rate: 21 },
    { description: 'Sin tipo', unit_price: 100 },
  ],
};

test("given a line without its tax rate, when it is sent, then 2026-10-01 takes the company's default and 2026-06-01 refuses", async (t) => {
  const app = await startApp(t);
  const acme = await givenDefaultVat(app);
  const none = await app.given.company();
  const pinned = await app.given.apiKey(acme, { scopes: ['*'], api_version: first });
  const cases: [name: string, key: string, header: string | null, rate: number | null][] = [
    ['latest', acme.live_key, null, 10],
    ['asked for the latest', acme.live_key, latest, 10],
    ['asked for the first', acme.live_key, first, null],
    ['pinned', pinned, null, null],
    ['pinned, asked for the latest', pinned, latest, 10],
    ['no default', none.live_key, latest, null],
    ['the sandbox has no default', acme.test_key, latest, null],
  ];
  for (const [name, key, header, rate] of cases) {
    const headers: Record<string, string> = header === null ? {} : { 'Service-Version': header };
    const answer = await app.post('/v1/invoices', { key, headers, body: bare });
    if (rate === null) {
      assertRefused(answer, 422, 'missing_required_param', 'lines.1.tax_rate');
      assert.equal(answer.body.error.line_index, 1, name);
      // It is not told that a company with a default has none.
      assert.match(answer.body.error.errors[0].message, /desde la versión 2026-10-01/, name);
      continue;
    }
    assert.equal(answer.status, 201, `${name}: ${answer.text}`);
    assert.deepEqual(
      answer.body.data.lines.map((l: { tax_rate: number }) => l.tax_rate),
      [21, rate],
    );
    const { body } = await app.get('/v1/events', { key, query: { aggregate_id: answer.body.data.id } });
    assert.deepEqual(
      body.data.map((e: { api_version: string }) => e.api_version),
      [latest],
    );
  }
});

test('given a draft, when a line without its tax rate is put in, then the version decides as on creation', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await givenDefaultVat(app);
  const headers = { 'Service-Version': first };
  const draft = await app.post('/v1/invoices', { key, headers, body: { lines: [bare.lines[0]] } });
  assert.equal(draft.status, 201, draft.text);
  const path = `/v1/invoices/${draft.body.data.id}`;
  assertRefused(
    await app.put(path, { key, headers, body: bare }),
    422,
    'missing_required_param',
    'lines.1.tax_rate',
  );
  const updated = await app.put(path, { key, body: bare });
  assert.deepEqual(
    updated.body.data.lines.map((l: { tax_rate: number }) => l.tax_rate),
    [21, 10],
  );
});

test('given one change made under each version, when the events are read, then each is sealed with its own', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const client = await create(app, '/v1/clients', key, { name: 'Uno' });
  const headers = { 'Service-Version': first };
  await app.put(`/v1/clients/${client.id}`, { key, headers, body: { name: 'Dos' } });
  for (const reader of [first, latest]) {
    const { body } = await app.get('/v1/events', {
      key,
      headers: { 'Service-Version': reader },
      query: { aggregate_id: client.id },
    });
    const sealed = body.data.map((e: { type: string; api_version: string }) => [e.type, e.api_version]);
    assert.deepEqual(sealed, [
      ['client.updated', first],
      ['client.created', latest],
    ]);
  }
});

test('given an answer kept for an idempotency key, when it is asked for under another version, then it has the shape and the name of its own', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await givenDefaultVat(app);
  const draft = await create(app, '/v1/invoices', key, { type: 'F2', lines: [bare.lines[0]] });
  const calls = [
    ['a creation', '/v1/clients', { name: 'x' }, 201],
    ['an issue', `/v1/invoices/${draft.id}/issue`, undefined, 200],
    ['a refusal', `/v1/invoices/${draft.id}/issue`, undefined, 409],
    ['a checkout', '/v1/invoices', { type: 'F2', lines: [bare.lines[0]], options: { issue: true } }, 201],
    ['a refused checkout', '/v1/invoices', { lines: [bare.lines[0]], options: { issue: true } }, 422],
  ] as const;
  for (const [name, path, body, status] of calls) {
    const ask = (version: string) =>
      app.post(path, {
        key,
        headers: { 'Service-Version': version, 'Idempotency-Key': name },
        ...(body ? { body } : {}),
      });
    const made = await ask(first);
    assert.equal(made.status, status, `${name}: ${made.text}`);
    for (const version of [latest, first]) {
      const again = await ask(version);
      assert.deepEqual(
        [again.status, again.headers['idempotent-replayed'], again.headers['service-version']],
        [status, 'true', first],
        name,
      );
      if (status < 300) assert.equal(again.text, made.text, name);
    }
  }
});
