import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noPorts } from '../../test/support/no-ports.ts';
import { enqueue, leaveTrace, SetClock, silentLog, WorkerPlace } from '../../test/support/worker-place.ts';
import { newId } from '../kernel/uuid7.ts';
import type { CompanyClock } from './clock.ts';
import type { Database } from './db.ts';
import { rescheduleCompany } from './due-work.ts';
import { ensureSchedule, type JobHandler, makeWorker } from './worker.ts';

const place = await WorkerPlace.make();
const db = place.open();

function workerOf(clock: SetClock, ...handlers: JobHandler[]) {
  return makeWorker({ db, clock, ports: noPorts, handlers, log: silentLog });
}

const trace: JobHandler = {
  kind: 'trace',
  run: ({ tx, company: { company_id }, job: { id: job_id, payload } }) =>
    leaveTrace(tx, company_id, job_id, String(payload.label)),
};

const failing = (retry?: readonly number[]): JobHandler => ({
  kind: 'failing',
  ...(retry ? { retry } : {}),
  async run({ tx, company: { company_id }, emit, enqueue: more, job: { id: job_id, attempt } }) {
    await leaveTrace(tx, company_id, job_id, `attempt ${attempt}`);
    emit('client.created', job_id);
    more('trace', { label: 'from a failed run' });
    throw new Error(`attempt ${attempt} went wrong`);
  },
});

type JobState = { status: string; attempts: number; last_error: string | null; due_at: string | null };

async function stateOf(id: string): Promise<JobState | undefined> {
  const [row] = await place.sql<JobState[]>`
    select j.status, j.attempts, j.last_error, d.due_at::text from jobs j left join due_work d using (company_id, id)
     where j.id = ${id}`;
  return row;
}

async function rowsOf(company_id: string): Promise<number[]> {
  const [row] = await place.sql<{ jobs: number; due: number }[]>`
    select (select count(*) from jobs where company_id = ${company_id})::int as jobs,
           (select count(*) from due_work where company_id = ${company_id})::int as due`;
  return [row!.jobs, row!.due];
}

test('given a job enqueued in a transaction, when that is rolled back, then there is no job', async () => {
  const clock = new SetClock('2026-05-04T10:00:00Z');
  const company = await place.company();
  const rollingBack: Database['transaction'] = (company_id, work) =>
    db.transaction(company_id, async (tx) => {
      await work(tx);
      throw new Error('changed its mind');
    });
  await assert.rejects(
    enqueue({ ...db, transaction: rollingBack }, company, clock.now(), { kind: 'trace' }),
    /changed its mind/,
  );
  assert.deepEqual(await rowsOf(company), [0, 0]);
  assert.equal(await workerOf(clock, trace).runDue(company), 0);
});

test('given a job that succeeds, when it was run, then its effects, events and jobs are kept and it is gone', async () => {
  const clock = new SetClock('2026-05-04T10:00:00Z');
  const company = await place.company();
  const aggregate_id = newId();
  const emitting: JobHandler = {
    kind: 'emitting',
    async run({ emit, enqueue: more, company: context, today, job: { payload } }) {
      emit('client.created', aggregate_id);
      emit('client.updated', aggregate_id);
      more('trace', { label: `${payload.word} ${context.time_zone} ${today}` });
    },
  };
  await enqueue(db, company, clock.now(), { kind: 'emitting', payload: { word: 'hola' } });

  assert.equal(await workerOf(clock, emitting, trace).runDue(company), 2);

  assert.deepEqual(await place.labels(company), ['hola Europe/Madrid 2026-05-04']);
  const events =
    await place.sql`select type, sequence, api_version from events where aggregate_id = ${aggregate_id} order by sequence`;
  assert.deepEqual(
    events.map((e) => [e.type, e.sequence, e.api_version]),
    [
      ['client.created', 1, '2026-10-01'],
      ['client.updated', 2, '2026-10-01'],
    ],
  );
  assert.deepEqual(await rowsOf(company), [0, 0]);
});

test('given a job that fails, when its attempts are used up, then it waited as the table says and has failed for good', async () => {
  const clock = new SetClock('2026-05-04T10:00:00Z');
  const company = await place.company();
  const worker = workerOf(clock, failing(), trace);
  const [id] = await enqueue(db, company, clock.now(), { kind: 'failing' });
  const waits = [5, 30, 300, 1800, 3600];
  for (const [index, seconds] of waits.entries()) {
    assert.equal(await worker.runDue(company), 1);
    const due_at = new Date(clock.now().getTime() + seconds * 1000);
    const state = await stateOf(id!);
    assert.deepEqual(
      [state?.status, state?.attempts, state?.last_error, new Date(state?.due_at ?? '').getTime()],
      ['queued', index + 1, `attempt ${index + 1} went wrong`, due_at.getTime()],
    );
    clock.advance(seconds - 0.001);
    assert.equal(await worker.runDue(company), 0, 'it ran before its time');
    clock.advance(0.001);
  }
  assert.equal(await worker.runDue(company), 1);
  assert.deepEqual(await stateOf(id!), {
    status: 'failed_permanently',
    attempts: 6,
    last_error: 'attempt 6 went wrong',
    due_at: null,
  });
  clock.advance(1_000_000);
  assert.equal(await worker.runDue(company), 0);
  // Nothing of a failed run is kept.
  assert.deepEqual(await place.labels(company), []);
  assert.equal((await place.sql`select 1 from events where company_id = ${company}`).length, 0);
  assert.deepEqual(await rowsOf(company), [1, 0]);
});

test('given a handler with its own retry table, when its waits are used up, then its job has failed for good', async () => {
  const clock = new SetClock('2026-05-04T10:00:00Z');
  const company = await place.company();
  const [id] = await enqueue(db, company, clock.now(), { kind: 'failing' });
  const worker = workerOf(clock, failing([60]));
  await worker.runDue(company);
  clock.advance(60);
  await worker.runDue(company);
  assert.equal((await stateOf(id!))?.status, 'failed_permanently');
});

test('given a handler that overlooks a failed statement, when it was run, then the run has failed', async () => {
  const clock = new SetClock('2026-05-04T10:00:00Z');
  const company = await place.company();
  const careless: JobHandler = {
    kind: 'careless',
    async run({ tx, company: { company_id }, job: { id: job_id } }) {
      await leaveTrace(tx, company_id, job_id, 'seemingly done');
      await tx`select 1 / 0`.catch(() => undefined);
    },
  };
  const [id] = await enqueue(db, company, clock.now(), { kind: 'careless' });
  await workerOf(clock, careless).runDue(company);
  assert.equal((await stateOf(id!))?.attempts, 1);
  assert.deepEqual(await place.labels(company), []);
});

test('given two jobs of one key, when the first waits for another attempt, then the second waits too', async () => {
  const clock = new SetClock('2026-05-04T10:00:00Z');
  const company = await place.company();
  const order_key = newId();
  let is_broken = true;
  const once: JobHandler = {
    kind: 'once',
    async run({ tx, company: { company_id }, job: { id: job_id } }) {
      if (is_broken) throw new Error('not yet');
      await leaveTrace(tx, company_id, job_id, 'first');
    },
  };
  const worker = workerOf(clock, once, trace);
  await enqueue(
    db,
    company,
    clock.now(),
    { kind: 'once', options: { order_key } },
    { kind: 'trace', payload: { label: 'second' }, options: { order_key } },
  );
  assert.equal(await worker.runDue(company), 1);
  assert.deepEqual(await place.labels(company), []);
  is_broken = false;
  clock.advance(5);
  assert.equal(await worker.runDue(company), 2);
  assert.deepEqual(await place.labels(company), ['first', 'second']);
});

test('given due work without a handler, when all is run, then it is left alone and blocks no job of its key', async () => {
  const clock = new SetClock('2026-05-04T10:00:00Z');
  const company = await place.company();
  const order_key = newId();
  const event_id = newId();
  await place.sql`insert into due_work (company_id, id, kind, order_key, due_at) values (${company}, ${event_id}, 'event', ${order_key}, '2026-01-01')`;
  await enqueue(
    db,
    company,
    clock.now(),
    { kind: 'unknown' },
    { kind: 'trace', payload: { label: 'mine' }, options: { order_key } },
  );
  assert.equal(await workerOf(clock, trace).runDue(company), 1);
  assert.deepEqual(await place.labels(company), ['mine']);
  const left = await place.sql<
    { kind: string; lease_id: string | null }[]
  >`select kind, lease_id from due_work where company_id = ${company} order by kind`;
  assert.deepEqual(
    left.map((r) => [r.kind, r.lease_id]),
    [
      ['event', null],
      ['job:unknown', null],
    ],
  );
});

test('given jobs that beget jobs, when due work is run, then it ends at its bound', async () => {
  const clock = new SetClock('2026-05-04T10:00:00Z');
  const company = await place.company();
  const endless: JobHandler = { kind: 'endless', run: async ({ enqueue: more }) => more('endless', {}) };
  await enqueue(db, company, clock.now(), { kind: 'endless' });
  assert.equal(await workerOf(clock, endless).runDue(company, 25), 25);
});

/** As the sandbox operation does. */
async function moveClock(company_id: string, company_clock: CompanyClock, real_now: Date): Promise<void> {
  await db.transaction(company_id, async (tx) => {
    await tx`update companies set clock_offset_ms = ${company_clock.clock_offset_ms}, clock_frozen_at = ${company_clock.clock_frozen_at}
              where company_id = ${company_id}`;
    await rescheduleCompany(tx, company_id, company_clock, real_now);
  });
}

const at = (text: string) => ({ run_at: new Date(text) });

test('given a frozen sandbox, when its clock is moved, then what became due runs in due order and the rest stays', async () => {
  const clock = new SetClock('2026-05-04T10:00:00Z');
  const company = await place.company({ clock_frozen_at: new Date('2027-01-01T00:00:00Z') });
  const seen: string[] = [];
  const monthly: JobHandler = {
    kind: 'monthly',
    async run({ now, enqueue: more, job: { run_at } }) {
      seen.push(`month ${run_at.toISOString().slice(0, 10)} at ${now.toISOString().slice(0, 10)}`);
      more(
        'monthly',
        {},
        { run_at: new Date(Date.UTC(run_at.getUTCFullYear(), run_at.getUTCMonth() + 1, 1)) },
      );
    },
  };
  const note: JobHandler = {
    kind: 'note',
    run: async ({ job: { payload } }) => void seen.push(String(payload.label)),
  };
  const worker = workerOf(clock, monthly, note);
  await enqueue(
    db,
    company,
    clock.now(),
    { kind: 'note', payload: { label: 'mid March' }, options: at('2027-03-15T00:00:00Z') },
    { kind: 'note', payload: { label: 'mid February' }, options: at('2027-02-15T00:00:00Z') },
    { kind: 'monthly', options: at('2027-02-01T00:00:00Z') },
    { kind: 'note', payload: { label: 'long past' }, options: at('2026-12-01T00:00:00Z') },
    { kind: 'note', payload: { label: 'at once' } },
    { kind: 'note', payload: { label: 'noon' }, options: at('2027-03-01T12:00:00Z') },
    {
      kind: 'note',
      payload: { label: 'real time' },
      options: { run_at: new Date('2026-06-01T00:00:00Z'), clock: 'real' },
    },
  );
  assert.equal(await worker.runDue(company), 2);
  assert.deepEqual(seen.splice(0), ['long past', 'at once']);
  clock.advance(3 * 365 * 86_400);
  assert.equal(await worker.runDue(company), 1);
  assert.deepEqual(seen.splice(0), ['real time']);

  await moveClock(
    company,
    { clock_offset_ms: 0, clock_frozen_at: new Date('2027-03-02T00:00:00Z') },
    clock.now(),
  );
  assert.equal(await worker.runDue(company), 4);
  // What the first month enqueues is due before noon, and runs before it.
  assert.deepEqual(seen.splice(0), [
    'month 2027-02-01 at 2027-02-01',
    'mid February',
    'month 2027-03-01 at 2027-03-01',
    'noon',
  ]);
  // A job on real time does not move with the company's clock.
  const later = new Date(clock.now().getTime() + 60_000);
  await enqueue(db, company, clock.now(), {
    kind: 'note',
    payload: { label: 'in a real minute' },
    options: { run_at: later, clock: 'real' },
  });
  await moveClock(
    company,
    { clock_offset_ms: 0, clock_frozen_at: new Date('2027-03-03T00:00:00Z') },
    clock.now(),
  );
  clock.advance(59);
  assert.equal(await worker.runDue(company), 0);
  clock.advance(1);
  assert.equal(await worker.runDue(company), 1);
  assert.deepEqual(seen, ['in a real minute']);
});

test('given a sandbox that runs ahead, when real time passes, then its jobs run at their company time', async () => {
  const clock = new SetClock('2026-05-04T10:00:00Z');
  const company = await place.company({ clock_frozen_at: new Date('2026-05-04T10:00:00Z') });
  const worker = workerOf(clock, trace);
  await enqueue(db, company, clock.now(), {
    kind: 'trace',
    payload: { label: 'in June' },
    options: at('2026-06-01T00:00:00Z'),
  });
  // Set to one minute before, and running.
  const offset_ms = Date.parse('2026-05-31T23:59:00Z') - clock.now().getTime();
  await moveClock(company, { clock_offset_ms: offset_ms, clock_frozen_at: null }, clock.now());
  clock.advance(59.999);
  assert.equal(await worker.runDue(company), 0);
  clock.advance(0.001);
  assert.equal(await worker.runDue(company), 1);
});

test('given a job that waits for another attempt, when the sandbox clock is moved, then it still waits', async () => {
  const clock = new SetClock('2026-05-04T10:00:00Z');
  const company = await place.company({ clock_frozen_at: new Date('2026-05-04T10:00:00Z') });
  const worker = workerOf(clock, failing());
  await enqueue(db, company, clock.now(), { kind: 'failing' });
  await worker.runDue(company);
  await moveClock(
    company,
    { clock_offset_ms: 0, clock_frozen_at: new Date('2026-07-01T00:00:00Z') },
    clock.now(),
  );
  assert.equal(await worker.runDue(company), 0);
  // The company's clock is frozen; the wait is real time.
  clock.advance(5);
  assert.equal(await worker.runDue(company), 1);
});

test('given a due time that is out of date, when the job is claimed before its company time, then it is put off', async () => {
  const clock = new SetClock('2026-05-04T10:00:00Z');
  const company = await place.company();
  const [id] = await enqueue(db, company, clock.now(), {
    kind: 'trace',
    payload: { label: 'early' },
    options: at('2026-05-05T00:00:00Z'),
  });
  await place.sql`update due_work set due_at = '2026-01-01' where id = ${id!}`;
  await workerOf(clock, trace).runDue(company);
  assert.deepEqual(await place.labels(company), []);
  assert.equal(new Date((await stateOf(id!))?.due_at ?? '').toISOString(), '2026-05-05T00:00:00.000Z');
});

const daily: JobHandler = {
  kind: 'daily',
  async run({ tx, company: { company_id }, now, job: { id: job_id, run_at } }) {
    await leaveTrace(tx, company_id, job_id, `ran at ${now.toISOString()}`);
    return { next_run_at: new Date(run_at.getTime() + 86_400_000) };
  },
};

test('given a schedule that is ensured twice, when days pass, then its one job runs once a day', async () => {
  const clock = new SetClock('2026-05-04T10:00:00Z');
  const company = await place.company();
  const wanted = { schedule: 'daily', kind: 'daily', next_run_at: new Date('2026-05-05T00:00:00Z') };
  await db.transaction(company, (tx) => ensureSchedule(tx, company, wanted));
  await db.transaction(company, (tx) =>
    ensureSchedule(tx, company, { ...wanted, next_run_at: new Date('2026-05-04T00:00:00Z') }),
  );
  const worker = workerOf(clock, daily);
  assert.equal(await worker.runDue(company), 0);
  for (const day of ['2026-05-05', '2026-05-06']) {
    clock.advance((Date.parse(day) - clock.now().getTime()) / 1000);
    assert.equal(await worker.runDue(company), 1);
  }
  assert.deepEqual(await place.labels(company), [
    'ran at 2026-05-05T00:00:00.000Z',
    'ran at 2026-05-06T00:00:00.000Z',
  ]);
  assert.deepEqual(await rowsOf(company), [1, 1]);
});

test('given a schedule in a sandbox, when its frozen clock moves over three days, then it runs three times', async () => {
  const clock = new SetClock('2026-05-04T10:00:00Z');
  const company = await place.company({ clock_frozen_at: new Date('2030-01-01T12:00:00Z') });
  await db.transaction(company, (tx) =>
    ensureSchedule(tx, company, {
      schedule: 'daily',
      kind: 'daily',
      next_run_at: new Date('2030-01-02T00:00:00Z'),
    }),
  );
  const worker = workerOf(clock, daily);
  assert.equal(await worker.runDue(company), 0);
  await moveClock(
    company,
    { clock_offset_ms: 0, clock_frozen_at: new Date('2030-01-04T00:00:00Z') },
    clock.now(),
  );
  assert.equal(await worker.runDue(company), 3);
  assert.deepEqual(await rowsOf(company), [1, 1]);
});

test('given a frozen clock past the first time of a schedule, when the schedule is ensured, then it is due', async () => {
  const clock = new SetClock('2026-05-04T10:00:00Z');
  const company = await place.company({ clock_frozen_at: new Date('2030-01-01T12:00:00Z') });
  await db.transaction(company, (tx) =>
    ensureSchedule(tx, company, {
      schedule: 'daily',
      kind: 'daily',
      next_run_at: new Date('2030-01-01T00:00:00Z'),
    }),
  );
  assert.equal(await workerOf(clock, daily).runDue(company), 1);
});

test('given a scheduled job that keeps failing, when it works at last, then the schedule goes on', async () => {
  const clock = new SetClock('2026-05-04T10:00:00Z');
  const company = await place.company();
  let is_broken = true;
  const shaky: JobHandler = {
    kind: 'shaky',
    retry: [10, 20],
    async run({ now }) {
      if (is_broken) throw new Error('out of order');
      return { next_run_at: new Date(now.getTime() + 3_600_000) };
    },
  };
  const worker = workerOf(clock, shaky);
  await db.transaction(company, (tx) =>
    ensureSchedule(tx, company, { schedule: 'hourly', kind: 'shaky', next_run_at: clock.now() }),
  );
  for (const seconds of [10, 20, 20, 20]) {
    assert.equal(await worker.runDue(company), 1);
    clock.advance(seconds - 1);
    assert.equal(await worker.runDue(company), 0);
    clock.advance(1);
  }
  is_broken = false;
  assert.equal(await worker.runDue(company), 1);
  const [job] = await place.sql`select status, attempts, last_error from jobs where company_id = ${company}`;
  assert.deepEqual({ ...job }, { status: 'queued', attempts: 0, last_error: null });
  clock.advance(3600);
  assert.equal(await worker.runDue(company), 1);
});
