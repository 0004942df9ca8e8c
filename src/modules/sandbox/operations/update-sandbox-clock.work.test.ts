import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startApp } from '../../../../test/harness.ts';
import { newKey } from '../../../../test/support/api-keys.ts';
import { holdLock, waitersOf } from '../../../../test/support/held-lock.ts';
import { enqueue, until } from '../../../../test/support/worker-place.ts';
import type { JobHandler } from '../../../platform/worker.ts';
import { runsMax } from './update-sandbox-clock.ts';

const path = '/v1/sandbox/clock';
const start = '2026-05-04T10:00:00.000Z';
const year_later = '2027-05-04T10:00:00.000Z';
const hour = 3_600_000;
const day = 24 * hour;

const traced: { label: unknown; now: string }[] = [];
let while_running: () => Promise<void> = async () => undefined;

const trace: JobHandler = {
  kind: 'trace',
  async run({ now, job: { payload } }) {
    traced.push({ label: payload.label, now: now.toISOString() });
    await while_running();
  },
};
const monthly: JobHandler = {
  kind: 'monthly',
  async run({ now, job: { run_at } }) {
    traced.push({ label: run_at.toISOString().slice(0, 10), now: now.toISOString() });
    return { next_run_at: new Date(run_at.getTime() + 100 * day) };
  },
};
const options = { more_jobs: [trace, monthly] };

const inDays = (days: number) => ({ run_at: new Date(Date.parse(start) + days * day) });

for (const frozen of [true, false]) {
  test(`given jobs of a year, when the clock is set ahead (frozen: ${frozen}), then those due run in due order`, async (t) => {
    const app = await startApp(t, options);
    app.clock.set(start);
    const { test_key: key, sandbox_company_id: sandbox, company_id } = await app.given.company();
    traced.length = 0;
    for (const [days, company] of [
      [300, sandbox],
      [20, sandbox],
      [390, sandbox],
      [150, sandbox],
      [20, company_id],
    ] as const) {
      const wanted = { kind: 'trace', payload: { label: days }, options: inDays(days) };
      await enqueue(app.db, company, app.clock.now(), wanted);
    }
    await enqueue(app.db, sandbox, app.clock.now(), { kind: 'monthly', options: inDays(100) });

    const answer = await app.put(path, { key, body: { now: year_later, frozen } });

    assert.equal(answer.status, 200);
    const labels = [20, '2026-08-12', 150, '2026-11-20', 300, '2027-02-28'];
    const dueTime = (label: number | string) =>
      typeof label === 'number' ? inDays(label).run_at.toISOString() : `${label}T10:00:00.000Z`;
    assert.deepEqual(
      traced,
      labels.map((label) => ({ label, now: dueTime(label) })),
    );
    traced.length = 0;
    app.clock.advance(30 * day);
    await app.service.worker.runDue(sandbox);
    assert.deepEqual(
      traced.map((each) => each.label),
      frozen ? [] : [390],
    );
    await app.put(path, { key, body: { now: new Date(Date.parse(year_later) + 36 * day), frozen: true } });
    assert.deepEqual(
      traced.map((each) => each.label),
      [390, '2027-06-08'],
    );
  });
}

test('given more due work than the bound, when the clock is set ahead, then 202, and the next answer has the rest', async (t) => {
  const app = await startApp(t, options);
  app.clock.set(start);
  const { test_key: key, sandbox_company_id: sandbox } = await app.given.company();
  traced.length = 0;
  const jobs = Array.from({ length: runsMax + 1 }, (_, label) => ({
    kind: 'trace',
    payload: { label },
    options: inDays(1),
  }));
  await enqueue(app.db, sandbox, app.clock.now(), ...jobs);
  const headers = { 'idempotency-key': 'much' };
  const body = { now: year_later, frozen: true };
  const first = await app.put(path, { key, headers, body });
  assert.deepEqual([first.status, first.body.data.now], [202, year_later]);
  // The daily work was due before them, at midnight.
  assert.equal(traced.length, runsMax - 1);
  assert.equal((await app.put(path, { key, headers, body })).status, 202);
  assert.equal((await app.put(path, { key, body: {} })).status, 200);
  assert.equal(traced.length, runsMax + 1);
});

test('given an idempotency key, when the clock is moved, then the stored answer says 202 until all has run, then 200', async (t) => {
  const app = await startApp(t, options);
  app.clock.set(start);
  const { test_key: key, sandbox_company_id: sandbox } = await app.given.company();
  await enqueue(app.db, sandbox, app.clock.now(), { kind: 'trace', options: inDays(1) });
  traced.length = 0;
  const stored = async (): Promise<number> => {
    const [row] = await app.sql<{ answer: string }[]>`
      select answer from idempotency_keys where company_id = ${sandbox} and key = 'once'`;
    return JSON.parse(row!.answer).status;
  };
  let seen = 0;
  while_running = async () => {
    seen = await stored();
  };
  t.after(() => {
    while_running = async () => undefined;
  });
  const move = { key, headers: { 'idempotency-key': 'once' }, body: { now: year_later, frozen: false } };
  const first = await app.put(path, move);
  assert.deepEqual([first.status, seen, await stored()], [200, 202, 200]);
  app.clock.advance(hour);
  const again = await app.put(path, move);
  assert.deepEqual([again.status, again.body], [200, first.body]);
  assert.equal(again.headers['idempotent-replayed'], 'true');
  assert.equal(traced.length, 1);
  const other = await app.put(path, { ...move, body: { frozen: true } });
  assert.deepEqual([other.status, other.body.error.code], [409, 'idempotency_key_reused']);
  const now = (await app.get(path, { key })).body.data.now;
  assert.equal(now, new Date(Date.parse(year_later) + hour).toISOString());
});

test('given moves of one clock at once, when they are answered, then each took place, one after the other', async (t) => {
  const app = await startApp(t);
  app.clock.set(start);
  const { test_key: key } = await app.given.company();
  const moves = Array.from({ length: 8 }, (_, i) => ({
    now: new Date(Date.parse(start) + i * day),
    frozen: true,
  }));
  const answers = await Promise.all(
    moves.map((body, i) => app.put(path, { key, body, headers: { 'idempotency-key': `k${i}` } })),
  );
  // 202: work of that move is still done while another move is answered.
  for (const { status, text } of answers) assert.ok([200, 202, 422].includes(status), text);
  assert.equal((await app.get(path, { key })).body.data.now, moves.at(-1)!.now.toISOString());
});

test('given a clock that is being moved, when a key is made or work is scheduled, then both wait and use the moved clock', async (t) => {
  const app = await startApp(t, options);
  app.clock.set(start);
  const { test_key: key, sandbox_company_id: sandbox } = await app.given.company();
  const moving = await holdLock(
    t,
    app,
    (sql) => sql`
    update companies set clock_offset_ms = ${30 * day} where company_id = ${sandbox}`,
  );
  const made = newKey(app, key, { environment: 'test', expires_at: '2027-01-01T00:00:00Z' });
  const scheduled = enqueue(app.db, sandbox, app.clock.now(), { kind: 'trace', options: inDays(40) });
  await until(async () => (await waitersOf(app)) === 2);
  await moving.release('commit');
  const [credential] = await app.sql`
    select clock_offset_ms::float from credentials where key_id = ${(await made).id}`;
  assert.equal(credential?.clock_offset_ms, 30 * day);
  const [due] = await app.sql`select due_at from due_work where id = ${(await scheduled)[0]!}`;
  assert.deepEqual(due?.due_at, inDays(10).run_at);
});

test('given recurring work that ends while the clock is being moved, then its next run is due by the moved clock', async (t) => {
  const app = await startApp(t, options);
  app.clock.set(start);
  const { sandbox_company_id: sandbox } = await app.given.company();
  const recurring = { kind: 'monthly', options: inDays(0) };
  const [id] = await enqueue(app.db, sandbox, app.clock.now(), recurring);
  const moving = await holdLock(
    t,
    app,
    (sql) => sql`
    update companies set clock_offset_ms = ${30 * day} where company_id = ${sandbox}`,
  );
  const running = app.service.worker.runDue(sandbox);
  await until(async () => (await waitersOf(app)) === 1);
  await moving.release('commit');
  await running;
  const [due] = await app.sql`select due_at from due_work where id = ${id!}`;
  assert.deepEqual(due?.due_at, inDays(70).run_at);
});

test('given invoices prepared before and after a move, when they are committed together, then all have the moved time', async (t) => {
  // From one year to the next in Madrid. Nobody waits long for a lock, so little may fall due meanwhile.
  const [before, after] = ['2026-12-31T22:30:00.000Z', '2026-12-31T23:30:00.000Z'];
  const app = await startApp(t, options);
  app.clock.set(before);
  const { test_key: key, sandbox_company_id: sandbox } = await app.given.company();
  const body = {
    type: 'F2',
    lines: [{ description: 'x', unit_price: 10, tax_rate: 21 }],
    options: { issue: true },
  };
  let prepared = 0;
  const { read } = app.db;
  t.mock.method(app.db, 'read', (...args: Parameters<typeof read>) =>
    read(...args).finally(() => prepared++),
  );
  const held = await holdLock(
    t,
    app,
    (sql) => sql`select 1 from issuing_heads where company_id = ${sandbox} for update`,
  );
  const issuing = [app.post('/v1/invoices', { key, body })];
  await until(async () => (await waitersOf(app)) === 1);
  issuing.push(app.post('/v1/invoices', { key, body }));
  await until(() => prepared === 2);
  assert.equal((await app.put(path, { key, body: { now: after, frozen: false } })).status, 200);
  issuing.push(app.post('/v1/invoices', { key, body }));
  await until(() => prepared === 3);
  await held.release();
  const numbers = [];
  for (const { status, text, body } of await Promise.all(issuing)) {
    assert.equal(status, 201, text);
    numbers.push(body.data.number);
  }
  assert.deepEqual(numbers.sort(), ['S2027-000001', 'S2027-000002', 'S2027-000003']);
  const rows = await app.sql`select issued_at from invoices where company_id = ${sandbox}`;
  assert.deepEqual(
    rows.map((row) => row.issued_at.toISOString()),
    [after, after, after],
  );
});

test('given a clock that stands still, when real days pass, then what is kept for so long goes, until the clock runs on', async (t) => {
  const app = await startApp(t);
  app.clock.set(start);
  const { test_key: key, sandbox_company_id: sandbox } = await app.given.company();
  const move = async (body: object) => assert.equal((await app.put(path, { key, body })).status, 200);
  await move({ frozen: true });
  // As one whose clock was stopped by an earlier version.
  await app.sql`delete from due_work where company_id = ${sandbox} and kind <> 'job:company.daily'`;
  await app.sql`delete from jobs where company_id = ${sandbox} and kind <> 'company.daily'`;
  await move({ frozen: true });
  await move({ frozen: true });
  const headers = { 'Idempotency-Key': 'uno' };
  const made = await app.post('/v1/clients', { key, headers, body: { name: 'Eva Ruiz' } });
  assert.equal(made.status, 201, made.text);
  const left = async (days: number) => {
    app.clock.advance(days * day);
    await app.service.worker.runDue(sandbox);
    await app.service.flush();
    const [row] = await app.sql<{ answers: number; calls: number; jobs: number }[]>`
      select (select count(*)::int from idempotency_keys where company_id = ${sandbox}) as answers,
             (select count(*)::int from request_logs where company_id = ${sandbox}) as calls,
             (select count(*)::int from jobs where company_id = ${sandbox}) as jobs`;
    return [row?.answers, row?.calls, row?.jobs];
  };
  assert.deepEqual((await left(0)).slice(0, 2), [1, 4]);
  assert.deepEqual(await left(1.5), [0, 4, 2]);
  assert.deepEqual(await left(29), [0, 0, 2]);
  await move({ frozen: false });
  assert.deepEqual(await left(1.5), [0, 1, 1], 'the days of the clock do it again');
});
