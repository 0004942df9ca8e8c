/** What a move changes, what runs before the answer, and whom it leaves alone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type App, startApp, type TestCompany } from '../../../../test/harness.ts';
import { newKey, rotateKey, keyWorks } from '../../../../test/support/api-keys.ts';
import { assertRefused, create } from '../../../../test/support/resource-checks.ts';
import { boostCompany } from '../../companies/index.ts';

const path = '/v1/sandbox/clock';
const start = '2026-05-04T10:00:00.000Z';
const year_later = '2027-05-04T10:00:00.000Z';
const hour = 3_600_000;

const line = { description: 'Consultoría', unit_price: 100, tax_rate: 21 };
const issued = (due_on: string) => ({ type: 'F2', lines: [line], due_on, options: { issue: true } });

type Clock = { object: string; now: string; frozen: boolean };

async function setClock(app: App, key: string, body: unknown): Promise<Clock> {
  const answer = await app.put(path, { key, body });
  assert.equal(answer.status, 200, answer.text);
  return answer.body.data;
}

async function readClock(app: App, key: string, headers: Record<string, string> = {}): Promise<Clock> {
  return (await app.get(path, { key, headers })).body.data;
}

async function previousSecrets(app: App, key_id: string): Promise<number> {
  const rows = await app.sql`
    select 1 from credentials where key_id = ${key_id} and previous_until is not null`;
  return rows.length;
}

async function givenAt(app: App, real: string): Promise<TestCompany> {
  app.clock.set(real);
  return app.given.company();
}

test('given a sandbox, when its clock is set a year ahead, then a year has passed before the answer', async (t) => {
  const app = await startApp(t);
  const acme = await givenAt(app, start);
  const { test_key: key, sandbox_company_id: sandbox } = acme;
  const invoice = await create(app, '/v1/invoices', key, issued('2026-06-03'));
  const later = await create(app, '/v1/invoices', key, issued('2027-05-04'));
  const environment = 'test';
  const expiring = await newKey(app, key, { environment, expires_at: '2026-08-01T00:00:00Z' });
  const lasting = await newKey(app, key, { environment, expires_at: '2027-08-01T00:00:00Z' });
  const rotated = await newKey(app, key, { environment });
  const { secret } = await rotateKey(app, key, rotated.id);
  for (const each of [expiring.secret, lasting.secret, rotated.secret, secret]) {
    assert.equal(await keyWorks(app, each), true);
  }

  const answer = await app.put(path, { key, body: { now: year_later, frozen: false } });
  // Read from the tables: nothing may still be pending.
  const events = await app.eventTypes(sandbox, invoice.id);
  const left = await previousSecrets(app, rotated.id);

  assert.equal(answer.status, 200);
  assert.deepEqual(answer.body, {
    data: { object: 'sandbox_clock', id: sandbox, now: year_later, frozen: false },
  });
  assert.equal(events.at(-1), 'invoice.overdue');
  assert.equal(left, 0);
  const status = async (id: string) => (await app.get(`/v1/invoices/${id}`, { key })).body.data.status;
  assert.deepEqual([await status(invoice.id), await status(later.id)], ['overdue', 'issued']);
  const working = [];
  for (const each of [expiring.secret, lasting.secret, rotated.secret, secret]) {
    working.push(await keyWorks(app, each));
  }
  assert.deepEqual(working, [false, true, false, true]);

  const next = await create<{ id: string; number: string; issued_on: string; series: { id: string } }>(
    app,
    '/v1/invoices',
    key,
    issued('2027-06-03'),
  );
  assert.deepEqual([next.number, next.issued_on], ['S2027-000001', '2027-05-04']);
  assert.ok((await app.eventTypes(sandbox, next.series.id)).includes('series.year_reset'));
  const { body } = await app.get('/v1/events', { key, query: { aggregate_id: next.id } });
  assert.equal(body.data[0].created, year_later);
  // Later work follows the moved clock, without another move.
  app.clock.advance(24 * hour);
  await app.service.worker.runDue(sandbox);
  assert.equal(await status(later.id), 'overdue');
});

test('given a company with much that falls due, when the clock of its sandbox or of another moves, then it is untouched', async (t) => {
  const app = await startApp(t);
  const acme = await givenAt(app, start);
  const child = await app.given.company({ parent_id: acme.company_id });
  const other = await app.given.company();
  const untouched: [key: string, company_id: string, headers?: Record<string, string>][] = [
    [acme.live_key, acme.company_id],
    [acme.test_key, child.sandbox_company_id, { 'x-active-profile': child.sandbox_company_id }],
    [other.test_key, other.sandbox_company_id],
  ];
  const invoices: string[] = [];
  for (const [key, , headers = {}] of untouched) {
    const made = await app.post('/v1/invoices', { key, headers, body: issued('2026-06-03') });
    assert.equal(made.status, 201, made.text);
    invoices.push(made.body.data.id);
  }
  const keys = [
    await newKey(app, acme.live_key, { expires_at: '2026-08-01T00:00:00Z' }),
    await newKey(app, child.test_key, { environment: 'test', expires_at: '2026-08-01T00:00:00Z' }),
    await newKey(app, other.test_key, { environment: 'test', expires_at: '2026-08-01T00:00:00Z' }),
  ];
  const rotated = await newKey(app, acme.live_key);
  await rotateKey(app, acme.live_key, rotated.id);

  await setClock(app, acme.test_key, { now: year_later, frozen: true });

  for (const [i, [key, company_id, headers = {}]] of untouched.entries()) {
    await app.service.worker.runDue(company_id);
    const { body } = await app.get(`/v1/invoices/${invoices[i]}`, { key, headers });
    assert.equal(body.data.status, 'issued');
    const made = await app.post('/v1/invoices', { key, headers, body: issued('2026-06-03') });
    assert.deepEqual([made.body.data.issued_on, made.body.data.created_at], ['2026-05-04', start]);
    assert.equal(await keyWorks(app, keys[i]!.secret), true);
  }
  assert.equal(await keyWorks(app, rotated.secret), true);
  assert.equal(await previousSecrets(app, rotated.id), 1);
  assert.equal((await readClock(app, other.test_key)).now, start);
  const profile = { 'x-active-profile': child.sandbox_company_id };
  assert.equal((await readClock(app, acme.test_key, profile)).now, start);

  // A parent's key moves only its child's clock.
  const moved = await app.put(path, {
    key: acme.test_key,
    headers: profile,
    body: { now: '2026-09-01T00:00:00Z', frozen: true },
  });
  assert.equal(moved.status, 200, moved.text);
  assert.equal((await readClock(app, child.test_key)).now, '2026-09-01T00:00:00.000Z');
  assert.equal((await readClock(app, acme.test_key)).now, year_later);
  assert.deepEqual(
    [await keyWorks(app, keys[1]!.secret), await keyWorks(app, keys[2]!.secret)],
    [false, true],
  );
});

test('given a frozen clock, when real time passes, then it stands still, and runs on from there', async (t) => {
  const app = await startApp(t);
  const acme = await givenAt(app, start);
  const { test_key: key, sandbox_company_id: sandbox } = acme;
  const invoice = await create(app, '/v1/invoices', key, issued('2026-05-04'));
  const rotated = await newKey(app, key, { environment: 'test' });
  await rotateKey(app, key, rotated.id);
  assert.deepEqual(await setClock(app, key, { now: null, frozen: true }), {
    object: 'sandbox_clock',
    id: sandbox,
    now: start,
    frozen: true,
  });
  app.clock.advance(72 * hour);
  await app.service.worker.runDue(sandbox);
  assert.deepEqual(await readClock(app, key), {
    object: 'sandbox_clock',
    id: sandbox,
    now: start,
    frozen: true,
  });
  assert.equal(
    ((await create(app, '/v1/clients', key, { name: 'Norte' })) as unknown as { created_at: string })
      .created_at,
    start,
  );
  assert.equal((await app.get(`/v1/invoices/${invoice.id}`, { key })).body.data.status, 'issued');
  assert.equal(await keyWorks(app, rotated.secret), true);

  // Set forward, it stands still; released, it runs on, three days behind real time.
  assert.equal((await setClock(app, key, { now: '2026-05-04T21:59:59Z' })).frozen, true);
  assert.equal((await app.get(`/v1/invoices/${invoice.id}`, { key })).body.data.status, 'issued');
  assert.deepEqual(await setClock(app, key, { frozen: false }), {
    object: 'sandbox_clock',
    id: sandbox,
    now: '2026-05-04T21:59:59.000Z',
    frozen: false,
  });
  app.clock.advance(1000);
  await app.service.worker.runDue(sandbox);
  assert.equal((await readClock(app, key)).now, '2026-05-04T22:00:00.000Z');
  assert.equal((await app.get(`/v1/invoices/${invoice.id}`, { key })).body.data.status, 'overdue');
  app.clock.advance(12 * hour);
  assert.equal(await keyWorks(app, rotated.secret), false);
});

test('given a time in the past or too far ahead, when the clock is set to it, then it is refused and nothing moves', async (t) => {
  const app = await startApp(t);
  const { test_key: key, sandbox_company_id } = await givenAt(app, start);
  await setClock(app, key, { now: year_later, frozen: true });
  for (const now of ['2027-05-04T09:59:59.999Z', start, '2036-05-04T10:00:00Z']) {
    const refused = await app.put(path, { key, body: { now, frozen: false } });
    assertRefused(refused, 422, 'business_rule_violation', 'now');
  }
  for (const [param, body] of [
    ['now', { now: '2028-01-01' }],
    ['now', { now: 5 }],
    ['frozen', { frozen: 'yes' }],
    ['frozen', { frozen: null }],
    ['hour', { hour: 1 }],
    ['object', { object: 'clock' }],
    ['id', { id: '01980000-0000-7000-8000-00000000000a' }],
  ] as const) {
    assertRefused(await app.put(path, { key, body }), 422, 'parameter_invalid', param);
  }
  const clock = await readClock(app, key);
  assert.deepEqual(clock, { object: 'sandbox_clock', id: sandbox_company_id, now: year_later, frozen: true });
  // The clock may be sent back as read. An empty change changes nothing.
  for (const body of [clock, {}, { now: null }, { frozen: true }]) {
    assert.deepEqual(await setClock(app, key, body), clock);
  }
});

test('given a live key or one that may only read, when the clock is moved, then it is refused, whatever is sent', async (t) => {
  const app = await startApp(t);
  const acme = await givenAt(app, start);
  for (const body of [{ now: year_later, frozen: true }, { nonsense: 1 }]) {
    const live = await app.put(path, { key: acme.live_key, body });
    assertRefused(live, 403, 'insufficient_scope');
    assert.match(live.body.error.message, /account:write en el entorno de pruebas/);
  }
  const environment = 'test';
  const reader = await app.given.apiKey(acme, { environment, scopes: ['account:read'] });
  assertRefused(await app.put(path, { key: reader, body: {} }), 403, 'insufficient_scope');
  const writer = await app.given.apiKey(acme, { environment, scopes: ['account:write'] });
  assert.equal((await setClock(app, writer, { frozen: true })).now, start);
  app.clock.advance(1000);
  assert.equal((await app.get('/v1/account/company', { key: acme.live_key })).body.data.created_at, start);
  const client = await app.post('/v1/clients', { key: acme.live_key, body: { name: 'Norte' } });
  assert.equal(client.body.data.created_at, app.clock.now().toISOString());
});

test('given a move, when it is done, then the audit log tells it on real time, and what is no move tells nothing', async (t) => {
  const app = await startApp(t);
  const { test_key: key, sandbox_company_id } = await givenAt(app, start);
  await setClock(app, key, { now: year_later, frozen: true });
  await setClock(app, key, { now: year_later });
  const { body } = await app.get('/v1/audit-log', { key, query: { action: 'sandbox_clock.updated' } });
  assert.deepEqual(
    body.data.map((e: Record<string, unknown>) => [e.target, e.details, e.created_at]),
    [
      [
        { object: 'company', id: sandbox_company_id },
        { now: year_later, frozen: true, was: { now: start, frozen: false } },
        start,
      ],
    ],
  );
});

test('given a boost that runs on real time, when the clock is set past its end, then the tier is the same in every answer', async (t) => {
  const app = await startApp(t);
  app.clock.set(start);
  const acme = await app.given.company({ plan: 'free' });
  const until = new Date(Date.parse(start) + 24 * hour);
  await boostCompany(app.db, acme.company_id, 'growth', until, app.clock.now());
  const { test_key: key } = acme;
  await setClock(app, key, { now: year_later, frozen: false });
  const tiers = [
    (await app.get('/v1/account', { key })).body.data.tier,
    (await app.get('/v1/account/company', { key })).body.data.tier,
    (await app.put('/v1/account/company', { key, body: { name: 'Otra' } })).body.data.tier,
  ];
  assert.deepEqual(tiers, ['growth', 'growth', 'growth']);
});
