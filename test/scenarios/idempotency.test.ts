/**
 * Idempotency keys in both kinds of transaction (docs/request-path.md). A key has one effect and one answer. Waiters
 * hold no connection, and failures are not stored.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { newId } from '../../src/kernel/uuid7.ts';
import { latestVersion } from '../../src/kernel/versions.ts';
import { systemCaller } from '../../src/platform/system-caller.ts';
import { type Answer, type App, type CallOptions, startApp, type TestCompany } from '../harness.ts';
import { breakTable, stateOf, tablesOfCalls } from '../support/broken-tables.ts';
import { holdLock, waitersOf } from '../support/held-lock.ts';
import { findOperation } from '../support/issuing-jobs.ts';
import { givenClient, givenPerson, grantTokens, refreshTokens } from '../support/oauth.ts';
import { assertRefused, create } from '../support/resource-checks.ts';
import { until } from '../support/worker-place.ts';

const kinds = [
  {
    transaction: 'own',
    path: '/v1/clients',
    body: { name: 'Librería Norte' },
    other_body: { name: 'Librería Sur' },
    /** Valid by the schema, refused by the domain. */
    refused_body: { name: 'X', tax_id: 'B12345675' },
    /** The table to which one effect adds rows. */
    effect: 'contacts',
  },
  {
    transaction: 'issuing',
    path: '/v1/invoices',
    body: {
      type: 'F2',
      lines: [{ description: 'x', unit_price: 10, tax_rate: 21 }],
      options: { issue: true },
    },
    other_body: {
      type: 'F2',
      lines: [{ description: 'y', unit_price: 10, tax_rate: 21 }],
      options: { issue: true },
    },
    refused_body: {
      type: 'F1',
      lines: [{ description: 'x', unit_price: 10, tax_rate: 21 }],
      options: { issue: true },
    },
    effect: 'invoices',
  },
] as const;

type Kind = (typeof kinds)[number];

const withKey = (key: string) => ({ 'idempotency-key': key });

function ask(
  app: App,
  company: TestCompany,
  kind: Kind,
  key: string,
  body: unknown = kind.body,
  more: CallOptions = {},
): Promise<Answer> {
  return app.post(kind.path, { key: company.live_key, headers: withKey(key), body, ...more });
}

async function effects(app: App, company: TestCompany, kind: Kind): Promise<number> {
  const [row] = await app.sql<{ count: number }[]>`
    select count(*)::integer as count from ${app.sql(kind.effect)} where company_id = ${company.company_id}`;
  return row?.count ?? 0;
}

const bytes = (answer: Answer) => [answer.status, answer.text.replace(/req_[0-9a-f]{32}/, 'req_')];

test('given a dry run with a key, then the key stays unused: a repetition is tried anew, and the real call takes it', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const [, kind] = kinds;
  const body = { ...kind.body, external_id: 'order-1' };
  const dry = () => ask(app, acme, kind, 'k1', { ...body, options: { dry_run: true } });
  const before = await dry();
  assert.deepEqual([before.status, before.body.data.object, before.body.data.id], [200, 'dry_run', null]);
  assertRefused(
    await ask(app, acme, kind, 'x'.repeat(256), { options: { dry_run: true } }),
    422,
    'parameter_invalid',
  );

  const real = await ask(app, acme, kind, 'k1', body);
  assert.deepEqual([real.status, real.headers['idempotent-replayed']], [201, undefined], real.text);
  assert.deepEqual(bytes(await ask(app, acme, kind, 'k1', body)), bytes(real));
  const after = await dry();
  assert.deepEqual([after.status, after.body.data.id], [200, real.body.data.id], after.text);
  assert.equal(after.headers['idempotent-replayed'], undefined);
  assert.equal(await effects(app, acme, kind), 1);
});

for (const kind of kinds) {
  const { transaction } = kind;

  test(`${transaction}: given a used key, when the same request comes, then it gets the same bytes and nothing happens`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const first = await ask(app, acme, kind, 'k1');
    assert.equal(first.status, 201);
    assert.equal(first.headers['idempotent-replayed'], undefined);
    for (const spelled of ['k1', '"k1"']) {
      const again = await ask(app, acme, kind, spelled);
      assert.deepEqual(bytes(again), bytes(first));
      assert.equal(again.headers['idempotent-replayed'], 'true');
      assert.notEqual(again.headers['x-request-id'], first.headers['x-request-id']);
    }
    assert.equal(await effects(app, acme, kind), 1);
    const quoted = await ask(app, acme, kind, '"k2"');
    assert.deepEqual(bytes(await ask(app, acme, kind, 'k2')), bytes(quoted));
    // The spaces of the body do not count.
    const spaced = await app.post(kind.path, {
      key: acme.live_key,
      headers: withKey('k1'),
      raw: JSON.stringify(kind.body, null, 2),
    });
    assert.deepEqual(bytes(spaced), bytes(first));
  });

  test(`${transaction}: given a key used before, when another request comes, then it is refused and changes nothing`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const first = await ask(app, acme, kind, 'k1');
    const refusals = [
      await ask(app, acme, kind, 'k1', kind.other_body),
      await app.post('/v1/suppliers', { key: acme.live_key, headers: withKey('k1'), body: { name: 'X' } }),
      await app.put('/v1/account/company', { key: acme.live_key, headers: withKey('k1'), body: {} }),
      await app.post(`/v1/invoices/${newId()}/issue`, { key: acme.live_key, headers: withKey('k1') }),
    ];
    for (const refused of refusals) {
      assertRefused(refused, 409, 'idempotency_key_reused', 'Idempotency-Key');
      assert.equal(refused.body.error.type, 'idempotency_error');
      assert.equal(refused.headers['idempotent-replayed'], undefined);
    }
    assert.deepEqual(bytes(await ask(app, acme, kind, 'k1')), bytes(first));
    assert.equal(await effects(app, acme, kind), 1);
  });

  test(`${transaction}: given a refusal by the domain, when the request comes again, then it is still refused alike`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const first = await ask(app, acme, kind, 'k1', kind.refused_body);
    assert.equal(first.status, 422, first.text);
    const again = await ask(app, acme, kind, 'k1', kind.refused_body);
    assert.deepEqual(bytes(again), bytes(first));
    assert.equal(again.headers['idempotent-replayed'], 'true');
    assertRefused(await ask(app, acme, kind, 'k1', kind.body), 409, 'idempotency_key_reused');
    assert.equal(await effects(app, acme, kind), 0);
  });

  test(`${transaction}: given refusals of schema, scope, rate, credential or key, then the key stays unused`, async (t) => {
    const limits = JSON.stringify({ scale: [1000, 4] });
    const app = await startApp(t, { env: { FOLIO_RATE_LIMITS: limits } });
    app.clock.set('2026-11-21T10:00:00Z');
    const acme = await app.given.company();
    const reader = await app.given.apiKey(acme, { scopes: ['invoices:read'] });
    const headers = withKey('k1');
    const { path, body } = kind;
    assertRefused(await app.post(path, { key: reader, headers, body }), 403, 'insufficient_scope');
    assertRefused(await app.post(path, { key: 'svc_live_no', headers, body }), 401, 'invalid_api_key');
    const key = acme.live_key;
    assertRefused(await app.post(path, { key, headers, body: { colour: 1 } }), 422, 'parameter_invalid');
    assertRefused(await app.post(path, { key, headers, raw: '{' }), 400, 'parameter_invalid_format');
    const version = { ...headers, 'service-version': '2020-01-01' };
    assertRefused(await app.post(path, { key, headers: version, body }), 400, 'unsupported_api_version');
    for (let i = 0; i < 3; i++) await app.post(path, { key, body: {} });
    assertRefused(await app.post(path, { key, headers, body }), 429, 'rate_limit_exceeded');
    assert.equal(await effects(app, acme, kind), 0);
    const [kept] =
      await app.sql`select count(*)::integer as count from idempotency_keys where company_id = ${acme.company_id}`;
    assert.equal(kept?.count, 0);

    app.clock.advance(60_000);
    const done = await ask(app, acme, kind, 'k1');
    assert.equal(done.status, 201, done.text);
    assert.equal(done.headers['idempotent-replayed'], undefined);
  });

  test(`${transaction}: a key has 1 to 255 printable ASCII characters`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const cases = [
      ['x'.repeat(255), 201],
      [`"${'y'.repeat(255)}"`, 201],
      ['x'.repeat(256), 422],
      [`"${'y'.repeat(256)}"`, 422],
      ['', 422],
      ['""', 422],
      ['a key with spaces: #1/2?', 201],
      ['clave-ñ', 422],
      // Not a quoted form, so it stands for itself.
      ['"half', 201],
      ["'single'", 201],
    ] as const;
    for (const [key, status] of cases) {
      const answer = await ask(app, acme, kind, Buffer.from(key, 'utf8').toString('latin1'));
      assert.equal(answer.status, status, `${key}: ${answer.text}`);
      if (status === 422) assertRefused(answer, 422, 'parameter_invalid', 'Idempotency-Key');
    }
  });

  test(`${transaction}: given a key of 24 hours ago, then it is free for any request; a second before it was not`, async (t) => {
    const app = await startApp(t, { fresh: true });
    app.clock.set('2026-11-21T10:00:00Z');
    const acme = await app.given.company();
    const first = await ask(app, acme, kind, 'k1');
    app.clock.set('2026-11-22T09:59:59.999Z');
    assert.deepEqual(bytes(await ask(app, acme, kind, 'k1')), bytes(first));
    assertRefused(await ask(app, acme, kind, 'k1', kind.other_body), 409, 'idempotency_key_reused');
    app.clock.set('2026-11-22T10:00:00Z');
    const other = await ask(app, acme, kind, 'k1', kind.other_body);
    assert.equal(other.status, 201, other.text);
    assert.equal(other.headers['idempotent-replayed'], undefined);
    assert.deepEqual(bytes(await ask(app, acme, kind, 'k1', kind.other_body)), bytes(other));
    assert.equal(await effects(app, acme, kind), 2);
  });

  test(`${transaction}: one key names one thing in each company, each sandbox and each child`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const other = await app.given.company();
    const child = await app.given.company({ parent_id: acme.company_id });
    const profile = { ...withKey('k1'), 'x-active-profile': child.company_id };
    const { path, body } = kind;
    const answers = [
      await app.post(path, { key: acme.live_key, headers: withKey('k1'), body }),
      await app.post(path, { key: acme.test_key, headers: withKey('k1'), body }),
      await app.post(path, { key: other.live_key, headers: withKey('k1'), body }),
      await app.post(path, { key: acme.live_key, headers: profile, body }),
    ];
    assert.deepEqual(
      answers.map((a) => [a.status, a.headers['idempotent-replayed']]),
      answers.map(() => [201, undefined]),
    );
    assert.equal(new Set(answers.map((a) => a.body.data.id)).size, 4);
    // The child's own key finds the record that its parent left.
    const by_child = await ask(app, child, kind, 'k1');
    assert.deepEqual(bytes(by_child), bytes(answers[3]!));
    // All keys of a company share its records.
    const second = await app.given.apiKey(acme, { scopes: ['*'] });
    assert.deepEqual(
      bytes(await app.post(path, { key: second, headers: withKey('k1'), body })),
      bytes(answers[0]!),
    );
  });

  test(`${transaction}: given 50 callers with one key, when the first is held up, then others go on and there is one effect`, async (t) => {
    const app = await startApp(t, { env: { FOLIO_POOL_SIZE: '5' } });
    const acme = await app.given.company();
    // Blocks new events, so that the first caller stops inside its transaction.
    const lock = await holdLock(t, app, (sql) => sql`lock table events in share mode`);
    const callers = Array.from({ length: 50 }, () => ask(app, acme, kind, 'k1'));
    await until(async () => (await waitersOf(app)) === 1);
    const unrelated = await Promise.all(
      Array.from({ length: 12 }, () => app.get('/v1/products', { key: acme.live_key })),
    );
    assert.deepEqual(new Set(unrelated.map((a) => a.status)), new Set([200]));
    assert.equal(await waitersOf(app), 1, 'one connection waits, not fifty');
    await lock.release();
    const answers = await Promise.all(callers);
    assert.deepEqual(
      answers.map(bytes),
      answers.map(() => bytes(answers[0]!)),
    );
    assert.equal(answers.filter((a) => a.headers['idempotent-replayed'] === undefined).length, 1);
    assert.equal(answers[0]?.status, 201);
    assert.equal(await effects(app, acme, kind), 1);
  });

  test(`${transaction}: given two instances, when both get the key at once, then there is one effect and one answer`, async (t) => {
    const one = await startApp(t, { fresh: true });
    const two = await startApp(t, { fresh: true });
    const acme = await one.given.company();
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all(
        [one, two, one, two, one, two].map((app) => ask(app, acme, kind, `k${round}`)),
      );
      assert.deepEqual(
        answers.map(bytes),
        answers.map(() => bytes(answers[0]!)),
      );
      assert.equal(answers.filter((a) => a.headers['idempotent-replayed'] === undefined).length, 1);
    }
    assert.equal(await effects(one, acme, kind), 5);
  });

  test(`${transaction}: given a key that only another instance has seen, then it is replayed, or refused for another request`, async (t) => {
    const one = await startApp(t, { fresh: true });
    const two = await startApp(t, { fresh: true });
    const acme = await one.given.company();
    const first = await ask(one, acme, kind, 'k1');
    const again = await ask(two, acme, kind, 'k1');
    assert.deepEqual(bytes(again), bytes(first));
    assert.equal(again.headers['idempotent-replayed'], 'true');
    const refused = await ask(one, acme, kind, 'k2', kind.refused_body);
    assert.equal(refused.status, 422, refused.text);
    const refused_again = await ask(two, acme, kind, 'k2', kind.refused_body);
    assertRefused(refused_again, 422, refused.body.error.code);
    assert.equal(refused_again.headers['idempotent-replayed'], 'true');
    const three = await startApp(t, { fresh: true });
    assertRefused(
      await ask(three, acme, kind, 'k1', kind.other_body),
      409,
      'idempotency_key_reused',
      'Idempotency-Key',
    );
    assert.equal(await effects(one, acme, kind), 1);
  });

  test(`${transaction}: given a key that another process holds, when callers wait for it, then they hold no connection`, async (t) => {
    const app = await startApp(t, { env: { FOLIO_POOL_SIZE: '5' } });
    const acme = await app.given.company();
    const claim = await holdKey(t, app, acme, 'k1');
    const callers = Array.from({ length: 20 }, () => ask(app, acme, kind, 'k1'));
    const others = Array.from({ length: 20 }, (_, i) => ask(app, acme, kind, `other ${i}`));
    for (const answer of await Promise.all(others)) assert.equal(answer.status, 201, answer.text);
    assert.equal((await app.get('/v1/products', { key: acme.live_key })).status, 200);
    await claim.release('rollback');
    const answers = await Promise.all(callers);
    assert.deepEqual(
      answers.map(bytes),
      answers.map(() => bytes(answers[0]!)),
    );
    assert.equal(answers[0]?.status, 201);
    assert.equal(await effects(app, acme, kind), 21);
  });

  test(`${transaction}: given a key held for longer than a caller waits, then resource_locked, and nothing is kept of it`, async (t) => {
    const app = await startApp(t, { key_wait_ms: 250 });
    const acme = await app.given.company();
    const claim = await holdKey(t, app, acme, 'k1');
    const answers = await Promise.all([ask(app, acme, kind, 'k1'), ask(app, acme, kind, 'k1')]);
    for (const answer of answers) assertRefused(answer, 409, 'resource_locked', 'Idempotency-Key');
    await claim.release('rollback');
    const done = await ask(app, acme, kind, 'k1');
    assert.equal(done.status, 201);
    assert.equal(done.headers['idempotent-replayed'], undefined);
    assert.equal(await effects(app, acme, kind), 1);
  });

  test(`${transaction}: given a fault at any table that the call writes, then nothing is kept, and the key is free`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    // The first invoice of a series creates its counter.
    for (const round of ['first', 'later']) {
      const written = await tablesWritten(app, () => ask(app, acme, kind, `all ${round}`));
      assert.ok(written.includes('events') && written.includes('idempotency_keys'), written.join());
      assert.ok(written.includes(kind.effect), written.join());
      for (const table of written) {
        const before = await stateOf(app.sql, [acme.company_id]);
        for (const when of ['write', 'commit'] as const) {
          const mend = await breakTable(app, table, acme.company_id, { when });
          const failed = await ask(app, acme, kind, `${round} ${table} ${when}`, kind.body, {
            expects_fault: true,
          });
          await mend();
          assert.equal(failed.status, 500, `${table}: ${failed.text}`);
          assert.deepEqual(await stateOf(app.sql, [acme.company_id]), before, `${table} ${when}`);
        }
        const after = await ask(app, acme, kind, `${round} ${table} commit`);
        assert.equal(after.status, 201, after.text);
        assert.equal(after.headers['idempotent-replayed'], undefined);
      }
    }
    const events = await app.sql<{ aggregate_id: string; types: string[]; sequences: number[] }[]>`
      select aggregate_id, array_agg(type order by sequence) as types, array_agg(sequence order by sequence) as sequences
        from events where company_id = ${acme.company_id} group by 1`;
    for (const { sequences } of events)
      assert.deepEqual(
        sequences,
        sequences.map((_, i) => i + 1),
      );
  });
}

/** Claims the key as another process does. */
function holdKey(t: TestContext, app: App, company: TestCompany, key: string) {
  return holdLock(
    t,
    app,
    (sql) => sql`
    insert into idempotency_keys (company_id, key, operation, body_hash, created_at, expires_at)
    values (${company.company_id}, ${key}, 'x', '', now(), now() + interval '1 day')`,
  );
}

/** Finds where the call left new or changed rows, by the transaction id of each row. */
async function tablesWritten(app: App, call: () => Promise<Answer>): Promise<string[]> {
  const names = await tablesOfCalls(app.sql);
  const last = async (name: string) => {
    const [row] = await app.sql<
      { last: string | null }[]
    >`select max(xmin::text::bigint) as last from ${app.sql(name)}`;
    return row?.last;
  };
  const before = await Promise.all(names.map(last));
  const answer = await call();
  assert.equal(answer.status, 201, answer.text);
  const after = await Promise.all(names.map(last));
  return names.filter((_, i) => before[i] !== after[i]);
}

/**
 * The first call stops at its last writes. The second finds its key free, and cannot read invoices before the first has committed: it waits
 * behind a lock that waits for the first.
 */
async function whileCommitting<T>(t: TestContext, app: App, calls: [() => Promise<T>, () => Promise<T>]) {
  const events = await holdLock(t, app, (sql) => sql`lock table events in share mode`);
  const first = calls[0]();
  await until(async () => (await waitersOf(app)) === 1);
  const locking = holdLock(t, app, (sql) => sql`lock table invoices in access exclusive mode`);
  await until(async () => {
    const waiting = await app.sql`
      select 1 from pg_locks where relation = 'invoices'::regclass and mode = 'AccessExclusiveLock' and not granted`;
    return waiting.length === 1;
  });
  const second = calls[1]();
  await until(async () => (await waitersOf(app)) === 2);
  await events.release();
  await (await locking).release();
  return [await first, await second] as const;
}

const correction = {
  type: 'R5',
  correction: { type: 'differences', reason: 'Precio' },
  lines: [{ description: 'x', unit_price: -10, tax_rate: 21 }],
};
const meetings: { name: string; path?: string; is_draft?: boolean; body?: object; conditional?: boolean }[] =
  [
    { name: 'issue', is_draft: true },
    { name: 'issue with If-Match', path: 'issue', is_draft: true, conditional: true },
    { name: 'annul' },
    { name: 'void' },
    { name: 'mark-sent' },
    { name: 'corrective', body: correction },
    {
      name: 'corrective with external_id',
      path: 'corrective',
      body: { ...correction, external_id: 'DEV-1' },
    },
  ];

for (const { name, path = name, is_draft = false, body, conditional = false } of meetings) {
  test(`${name}: given one key by two instances, when the second reads what the first has just committed, then it gets its answer`, async (t) => {
    const one = await startApp(t, { fresh: true });
    const two = await startApp(t, { fresh: true });
    const { live_key: key } = await one.given.company();
    const lines = [{ description: 'x', unit_price: 10, tax_rate: 21 }];
    const { id } = await create(one, '/v1/invoices', key, {
      type: 'F2',
      lines,
      options: { issue: !is_draft },
    });
    const { headers: read } = await one.get(`/v1/invoices/${id}`, { key });
    const expected = conditional ? { 'if-match': String(read.etag) } : {};
    const call = (app: App) => () =>
      app.post(`/v1/invoices/${id}/${path}`, {
        key,
        headers: { ...withKey('k1'), ...expected },
        ...(body ? { body } : {}),
      });
    const [first, second] = await whileCommitting(t, one, [call(one), call(two)]);
    assert.ok(first.status < 300, first.text);
    assert.deepEqual(bytes(second), bytes(first));
    assert.equal(second.headers['idempotent-replayed'], 'true');
    assert.deepEqual(bytes(await call(two)()), bytes(first));
  });
}

test('given two attempts of a job, when the second reads what the first has just committed, then it gets its answer', async (t) => {
  const one = await startApp(t, { fresh: true });
  const two = await startApp(t, { fresh: true });
  const { company_id, live_key: key } = await one.given.company();
  const job = { id: newId(), kind: 'test.job' };
  const caller = systemCaller({ company_id, environment: 'live' }, job);
  const lines = [{ description: 'x', unit_price: 10, tax_rate: 21 }];
  const draft = await create(one, '/v1/invoices', key, { type: 'F2', lines });
  const call = (app: App) => () =>
    app.service.engine.runAsSystem({
      operation: findOperation('issue_invoice'),
      caller,
      input: { params: { invoice: draft.id }, query: {}, body: undefined },
      idempotency_key: job.id,
      version: latestVersion,
      request_id: job.id,
    });
  const [first, second] = await whileCommitting(t, one, [call(one), call(two)]);
  assert.deepEqual([second.is_replay, second.status, second.body], [true, first.status, first.body]);
});

test('given an answer that holds a secret, then it is kept sealed, and replayed as it was', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const body = { name: 'Nueva', scopes: ['invoices:read'] };
  const make = (key: string) => app.post('/v1/account/api-keys', { key, headers: withKey('k1'), body });
  const first = await make(acme.live_key);
  assert.equal(first.status, 201);
  assert.deepEqual(bytes(await make(acme.live_key)), bytes(first));
  const [row] = await app.sql`
    select answer, sealed_answer from idempotency_keys where company_id = ${acme.company_id} and key = 'k1'`;
  assert.equal(row?.answer, null);
  assert.doesNotMatch(row?.sealed_answer.toString('latin1'), /svc_live_/);

  // Live and sandbox calls share the company's records, but a live secret must not reach the sandbox.
  const from_test = await make(acme.test_key);
  assert.equal(from_test.status, 201, from_test.text);
  assert.equal(from_test.body.data.environment, 'test');
  assert.deepEqual(bytes(await make(acme.test_key)), bytes(from_test));
});

test('given an answer that holds a secret, when another key of the company sends the same, then it is told no secret', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  // The request log shows the idempotency keys of others, and a rotation has no body to guess.
  const scopes = ['webhooks:write', 'account:write', 'developers:read'];
  const other = await app.given.apiKey(acme, { scopes });
  const equal = await app.given.apiKey(acme, { scopes: ['*'] });
  const made = async (path: string, body: object): Promise<string> => {
    const answer = await app.post(path, { key: acme.live_key, body });
    assert.equal(answer.status, 201, answer.text);
    app.given.secrets.push(answer.body.data.secret);
    return `${path}/${answer.body.data.id}/rotate_secret`;
  };
  const rotations = [
    await made('/v1/account/api-keys', { name: 'Nueva', scopes: ['*'] }),
    await made('/v1/webhook_endpoints', { url: 'https://hooks.example.com/a', enabled_events: ['*'] }),
    await made('/v1/oauth/clients', {
      name: 'Gestoría',
      type: 'confidential',
      redirect_uris: ['https://gestoria.example.com/vuelta'],
    }),
  ];
  for (const path of rotations) {
    const rotate = (key: string) => app.post(path, { key, headers: withKey(path) });
    const first = await rotate(acme.live_key);
    assert.equal(first.status, 200, first.text);
    assertRefused(await rotate(other), 409, 'idempotency_key_reused', 'Idempotency-Key');
    for (const key of [acme.live_key, equal]) assert.deepEqual(bytes(await rotate(key)), bytes(first));
  }
});

test('given a token that gave a key, when a narrower one of the same grant sends the same, then it is told no secret', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const client = await givenClient(app, acme);
  const granted = { scope: 'account.write invoices.read', also: ['account.write'] };
  const whole = await grantTokens(app, await givenPerson(app, acme), client, granted);
  const narrow = await refreshTokens(app, client, whole.refresh_token, { scope: 'account.write' });
  assert.equal(narrow.status, 200, narrow.text);
  app.given.secrets.push(narrow.body.access_token, narrow.body.refresh_token);
  const body = { name: 'Nueva', scopes: ['invoices:read'] };
  const made = await app.post('/v1/account/api-keys', { key: whole.access_token, body });
  assert.equal(made.status, 201, made.text);
  app.given.secrets.push(made.body.data.secret);
  const rotate = (key: string) =>
    app.post(`/v1/account/api-keys/${made.body.data.id}/rotate_secret`, { key, headers: withKey('k1') });
  const first = await rotate(whole.access_token);
  assert.equal(first.status, 200, first.text);
  assertRefused(await rotate(narrow.body.access_token), 409, 'idempotency_key_reused', 'Idempotency-Key');
  const same = await refreshTokens(app, client, narrow.body.refresh_token);
  app.given.secrets.push(same.body.access_token, same.body.refresh_token);
  assert.deepEqual(bytes(await rotate(same.body.access_token)), bytes(first));
});

test('given a move that changes nothing, then its key is used all the same', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const lines = [{ description: 'x', unit_price: 10, tax_rate: 21 }];
  const { body } = await app.post('/v1/invoices', {
    key,
    body: { type: 'F2', lines, options: { issue: true } },
  });
  const sent = `/v1/invoices/${body.data.id}/mark-sent`;
  assert.equal((await app.post(sent, { key })).status, 200);
  const first = await app.post(sent, { key, headers: withKey('k1') });
  assert.equal(first.status, 200);
  const again = await app.post(sent, { key, headers: withKey('k1') });
  assert.equal(again.headers['idempotent-replayed'], 'true');
  assert.deepEqual(bytes(again), bytes(first));
  assertRefused(
    await app.post('/v1/clients', { key, headers: withKey('k1'), body: { name: 'X' } }),
    409,
    'idempotency_key_reused',
  );
  // Where a body may be left out, or none is taken, an empty object says the same as none.
  const annul = `/v1/invoices/${body.data.id}/annul`;
  for (const [path, used, one, other] of [
    [sent, 'k2', undefined, {}],
    [sent, 'k3', {}, undefined],
    [annul, 'k4', {}, undefined],
    [annul, 'k5', undefined, {}],
  ] as const) {
    const call = (sent_body: object | undefined) =>
      app.post(path, { key, headers: withKey(used), ...(sent_body && { body: sent_body }) });
    const before = await call(one);
    const repeated = await call(other);
    assert.deepEqual([used, ...bytes(repeated)], [used, ...bytes(before)]);
    assert.equal(repeated.headers['idempotent-replayed'], 'true');
  }
  assertRefused(
    await app.post(annul, { key, headers: withKey('k4'), body: { revert_collections: true } }),
    409,
    'idempotency_key_reused',
  );
});

test('given a refusal that the last writes find, then it takes no number, and is stored as any other', async (t) => {
  const app = await startApp(t);
  const { live_key: key } = await app.given.company();
  const supplier = await create(app, '/v1/suppliers', key, { name: 'Papelera', tax_id: 'B12345674' });
  const register = (headers: Record<string, string>, number = 'A-1') => {
    const lines = [{ description: 'Papel', unit_price: 100, tax_rate: 21 }];
    const body = { supplier_id: supplier.id, number, issued_on: '2026-01-12', lines, expected_total: 121 };
    return app.post('/v1/purchase_invoices', { key, headers, body });
  };
  const first = await register(withKey('k1'));
  assert.equal(first.status, 201, first.text);
  const refused = await register(withKey('k2'));
  assertRefused(refused, 422, 'business_rule_violation', 'number');
  const { id, reception_number } = first.body.data;
  assert.equal((await app.post(`/v1/purchase_invoices/${id}/cancel`, { key })).status, 200);
  const again = await register(withKey('k2'));
  assert.equal(again.headers['idempotent-replayed'], 'true');
  assert.deepEqual(bytes(again), bytes(refused));
  const next = await register(withKey('k3'));
  assert.equal(next.status, 201, next.text);
  const place = (number: string) => Number(number.split('-').at(-1));
  assert.equal(place(next.body.data.reception_number), place(reception_number) + 1);
});

test('given reads, then a key means nothing to them', async (t) => {
  const app = await startApp(t);
  const acme = await app.given.company();
  const key = acme.live_key;
  const find = (external_id: string) =>
    app.post('/v1/clients/find-by-external-id', { key, headers: withKey('k1'), body: { external_id } });
  assert.equal((await find('A')).status, 404);
  assert.equal((await find('B')).headers['idempotent-replayed'], undefined);
  for (const path of ['/v1/clients', '/v1/products']) {
    assert.equal((await app.get(path, { key, headers: withKey('') })).status, 200);
  }
});

for (const kind of kinds) {
  const faults = [
    // A statement waited too long for another transaction's lock.
    ['55P03', 409, 'resource_locked'],
    ['57014', 503, 'service_unavailable'],
    ['57P01', 503, 'service_unavailable'],
    // A standby, or a database that was made read only.
    ['25006', 503, 'service_unavailable'],
    // The disk is full.
    ['53100', 503, 'service_unavailable'],
    ['XX000', 500, 'internal_error'],
  ] as const;
  for (const [code, status, expected] of faults) {
    test(`${kind.transaction}: given the database fails with ${code}, then a keyless call answers ${expected}, leaving nothing`, async (t) => {
      const app = await startApp(t);
      const acme = await app.given.company();
      const before = await stateOf(app.sql, [acme.company_id]);
      const mend = await breakTable(app, 'events', acme.company_id, { code });
      const call = { key: acme.live_key, body: kind.body, expects_fault: true };
      const answer = await app.post(kind.path, call);
      await mend();
      assertRefused(answer, status, expected);
      assert.equal(answer.headers['retry-after'] !== undefined, status === 503);
      assert.deepEqual(await stateOf(app.sql, [acme.company_id]), before);
      assert.equal((await app.post(kind.path, call)).status, 201);
    });
  }

  test(`${kind.transaction}: given the call is the victim of a deadlock, then it runs again and happens once`, async (t) => {
    const app = await startApp(t);
    const acme = await app.given.company();
    const mend = await breakTable(app, 'events', acme.company_id, { code: '40P01', times: 3 });
    const answer = await ask(app, acme, kind, 'k1');
    await mend();
    assert.equal(answer.status, 201, answer.text);
    assert.equal(await effects(app, acme, kind), 1);
    const types = await app.eventTypes(acme, answer.body.data.id);
    assert.equal(new Set(types).size, types.length);
  });
}
