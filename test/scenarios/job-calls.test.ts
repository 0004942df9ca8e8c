/** Jobs that call operations (ADR 26). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobHandler } from '../../src/platform/worker.ts';
import { type App, startApp, type TestCompany } from '../harness.ts';
import { auditedAction, findOperation, issuingJobs } from '../support/issuing-jobs.ts';
import { enqueue } from '../support/worker-place.ts';

const start = '2026-01-15T10:00:00.000Z';
const line = { description: 'Cuota', unit_price: 50, tax_rate: 21 };
const body = { type: 'F2', lines: [line], options: { issue: true } };

const createClient = findOperation('create_client');
const getClient = findOperation('get_client');

/** What the current test wants called. */
let attempt: NonNullable<JobHandler['outside']>['call'] = async () => undefined;
const calling: JobHandler = {
  kind: 'test.calling',
  outside: { begin: async ({ job }) => job.payload, call: (intent, ctx) => attempt(intent, ctx) },
  run: async () => undefined,
};
const options = { more_jobs: [...issuingJobs, calling] };

async function givenAt(app: App, time: string): Promise<TestCompany> {
  app.clock.set(time);
  return app.given.company();
}

async function datesOf(app: App, company_id: string): Promise<[string, string][]> {
  const rows = await app.sql<{ issued_on: string; issued_at: Date }[]>`
    select issued_on::text, issued_at from invoices where company_id = ${company_id} order by issued_at`;
  return rows.map(({ issued_on, issued_at }) => [issued_on, issued_at.toISOString()]);
}

async function jobsLeft(app: App, kind: string, company_id: string) {
  return app.sql<{ attempts: number; last_error: string | null }[]>`
    select attempts, last_error from jobs where company_id = ${company_id} and kind = ${kind}`;
}

for (const frozen of [true, false]) {
  test(`given a monthly issuing job, when the sandbox clock moves a year (frozen: ${frozen}), then twelve invoices have twelve dates`, async (t) => {
    const app = await startApp(t, options);
    const { test_key: key, sandbox_company_id: sandbox } = await givenAt(app, start);
    const first = { run_at: new Date('2026-02-01T08:00:00Z') };
    await enqueue(app.db, sandbox, app.clock.now(), { kind: 'test.monthly', payload: body, options: first });

    const moved = await app.put('/v1/sandbox/clock', { key, body: { now: '2027-01-15T10:00:00Z', frozen } });

    assert.equal(moved.status, 200, moved.text);
    const days = Array.from({ length: 12 }, (_, i) => new Date(Date.UTC(2026, i + 1, 1, 8)).toISOString());
    assert.deepEqual(
      await datesOf(app, sandbox),
      days.map((at) => [at.slice(0, 10), at]),
    );
    const events = await app.get('/v1/events', {
      key,
      query: { type: 'invoice.number_assigned', limit: '100' },
    });
    const created = events.body.data.map((event: { created: string }) => event.created).sort();
    assert.deepEqual(created, days);
    const audit = await app.sql`
      select distinct request_id, actor, actor_name from audit_log where company_id = ${sandbox} and action = ${auditedAction}`;
    assert.deepEqual(
      audit.map(({ actor, actor_name }) => [actor, actor_name]),
      [['system', 'test.monthly']],
    );
  });
}

test('given a live company whose job runs two days late, when it issues, then the invoice has the day on which it was issued', async (t) => {
  const app = await startApp(t, options);
  const { company_id } = await givenAt(app, start);
  const first = { run_at: new Date('2026-02-01T08:00:00Z') };
  await enqueue(app.db, company_id, app.clock.now(), { kind: 'test.monthly', payload: body, options: first });
  const late = '2026-02-03T09:30:00.000Z';
  app.clock.set(late);
  await app.service.worker.runDue(company_id);
  assert.deepEqual(await datesOf(app, company_id), [['2026-02-03', late]]);
});

test('given what a job of a past month enqueues, when the clock walks on, then it runs before what was due later', async (t) => {
  const seen: string[] = [];
  const follow_up: JobHandler = {
    kind: 'test.follow_up',
    run: async ({ now, today }) => void seen.push(`follow-up ${today} ${now.toISOString()}`),
  };
  const leading: JobHandler = {
    kind: 'test.leading',
    async run({ today, enqueue: more }) {
      seen.push(`leading ${today}`);
      more('test.follow_up', {});
    },
  };
  const app = await startApp(t, { more_jobs: [leading, follow_up] });
  const { test_key: key, sandbox_company_id: sandbox } = await givenAt(app, start);
  for (const day of ['2026-02-01', '2026-03-01']) {
    const run_at = new Date(`${day}T08:00:00Z`);
    await enqueue(app.db, sandbox, app.clock.now(), { kind: 'test.leading', options: { run_at } });
  }
  await app.put('/v1/sandbox/clock', { key, body: { now: '2026-04-01T00:00:00Z', frozen: false } });
  assert.deepEqual(seen, [
    'leading 2026-02-01',
    'follow-up 2026-02-01 2026-02-01T08:00:00.000Z',
    'leading 2026-03-01',
    'follow-up 2026-03-01 2026-03-01T08:00:00.000Z',
  ]);
});

test('given a run that fails after its calls, when it is retried a month later, then each call has acted once with one answer', async (t) => {
  const app = await startApp(t, options);
  const { company_id, live_key: key } = await givenAt(app, start);
  const answers: unknown[] = [];
  attempt = async (_intent, { call }) => {
    const names = ['Norte', 'Sur'];
    const made = [];
    // What the job reads may have changed since, so the key names the call.
    for (const name of names) {
      const body = { name: `${name} ${answers.length}` };
      made.push((await call(createClient, { body }, name)).body);
    }
    answers.push(made);
    if (answers.length === 1) throw new Error('the second half fails');
  };
  await enqueue(app.db, company_id, app.clock.now(), { kind: 'test.calling' });
  await app.service.worker.runDue(company_id);
  assert.equal((await jobsLeft(app, 'test.calling', company_id))[0]?.attempts, 1);
  app.clock.advance(30 * 24 * 3_600_000);
  await app.service.worker.runDue(company_id);
  assert.equal((await jobsLeft(app, 'test.calling', company_id)).length, 0);
  assert.deepEqual(answers[1], answers[0]);
  assert.equal((await app.get('/v1/clients', { key })).body.data.length, 2);
});

test('given a call that is refused, when the job is attempted again, then the operation is asked again', async (t) => {
  const app = await startApp(t, options);
  const { company_id, live_key: key } = await givenAt(app, start);
  const body_of = { name: 'Norte', tax_id: 'B00000001' };
  let refusals = 0;
  attempt = async (_intent, { call }) => {
    if (refusals === 0) refusals += 1;
    else body_of.tax_id = 'B12345674';
    await call(createClient, { body: body_of });
  };
  await enqueue(app.db, company_id, app.clock.now(), { kind: 'test.calling' });
  await app.service.worker.runDue(company_id);
  assert.equal((await jobsLeft(app, 'test.calling', company_id))[0]?.attempts, 1);
  app.clock.advance(10_000);
  await app.service.worker.runDue(company_id);
  assert.equal((await jobsLeft(app, 'test.calling', company_id)).length, 0);
  assert.equal((await app.get('/v1/clients', { key })).body.data.length, 1);
});

test('given two calls of one name in a run, when the second is made, then it is a fault of the job', async (t) => {
  const app = await startApp(t, options);
  const { company_id } = await givenAt(app, start);
  attempt = async (_intent, { call }) => {
    await call(createClient, { body: { name: 'Norte' } });
    await call(createClient, { body: { name: 'Sur' } });
  };
  await enqueue(app.db, company_id, app.clock.now(), { kind: 'test.calling' });
  await app.service.worker.runDue(company_id);
  assert.match((await jobsLeft(app, 'test.calling', company_id))[0]?.last_error ?? '', /named create_client/);
});

test('given a job of one company, when it reads what is of another, then it finds nothing', async (t) => {
  const app = await startApp(t, options);
  const { company_id } = await givenAt(app, start);
  const other = await app.given.company();
  const made = await app.post('/v1/clients', { key: other.live_key, body: { name: 'Norte' } });
  attempt = async (_intent, { call }) => call(getClient, { params: { client: made.body.data.id } });
  await enqueue(app.db, company_id, app.clock.now(), { kind: 'test.calling' });
  await app.service.worker.runDue(company_id);
  assert.equal((await jobsLeft(app, 'test.calling', company_id))[0]?.last_error, 'resource_not_found');
});
