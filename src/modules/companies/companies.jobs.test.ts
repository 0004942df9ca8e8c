import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noPorts } from '../../../test/support/no-ports.ts';
import { SetClock, silentLog, WorkerPlace } from '../../../test/support/worker-place.ts';
import { companyDailyKind } from '../../platform/jobs.ts';
import { ensureSchedule, makeWorker } from '../../platform/worker.ts';
import { companyDaily, type DailyTask } from './companies.jobs.ts';

const place = await WorkerPlace.make();
const db = place.open();

function workerWith(clock: SetClock, work: Parameters<typeof companyDaily>[0]) {
  return makeWorker({ db, clock, ports: noPorts, handlers: [companyDaily(work)], log: silentLog });
}

const workerOf = (clock: SetClock, ...daily_tasks: DailyTask[]) => workerWith(clock, { daily_tasks });

async function schedule(company_id: string, next_run_at: string): Promise<void> {
  const wanted = { schedule: 'daily', kind: companyDailyKind, next_run_at: new Date(next_run_at) };
  await db.transaction(company_id, (tx) => ensureSchedule(tx, company_id, wanted));
}

async function count(table: string, company_id: string): Promise<number> {
  const [row] = await place.sql<{ count: number }[]>`
    select count(*)::int from ${place.sql(table)} where company_id = ${company_id}`;
  return row!.count;
}

test('given days with a change of the clocks, when they begin where the company is, then its tasks run once on each', async () => {
  for (const [time_zone, runs] of [
    [
      'Europe/Madrid',
      [
        '2026-03-27T23:00:00.000Z',
        '2026-03-28T23:00:00.000Z',
        '2026-03-29T22:00:00.000Z',
        '2026-03-30T22:00:00.000Z',
      ],
    ],
    [
      'Atlantic/Canary',
      [
        '2026-03-28T00:00:00.000Z',
        '2026-03-29T00:00:00.000Z',
        '2026-03-29T23:00:00.000Z',
        '2026-03-30T23:00:00.000Z',
      ],
    ],
  ] as const) {
    const clock = new SetClock('2026-03-27T12:00:00Z');
    const company = await place.company({}, time_zone);
    await schedule(company, runs[0]);
    const ran: string[] = [];
    const days: string[] = [];
    const worker = workerOf(
      clock,
      async ({ now }) => void ran.push(now.toISOString()),
      async ({ today }) => void days.push(today),
    );
    for (let quarters = 0; quarters < 4 * 24 * 3.8; quarters++) {
      clock.advance(900);
      await worker.runDue(company);
    }
    assert.deepEqual(ran, [...runs]);
    assert.deepEqual(days, ['2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31']);
  }
});

async function fill(company_id: string, kind: 'keys' | 'logs', rows: number, at: string): Promise<void> {
  if (kind === 'keys') {
    await place.sql`
      insert into idempotency_keys (company_id, key, operation, body_hash, created_at, expires_at)
      select ${company_id}, ${at} || n, 'create_client', '\\x00', ${at}::timestamptz - interval '1 day', ${at} from generate_series(1, ${rows}::int) n`;
  } else {
    await place.sql`
      insert into request_logs (company_id, id, request_id, method, path, status, duration_ms, api_version, created_at)
      select ${company_id}, gen_random_uuid(), 'req_' || n, 'GET', '/v1/clients', 200, 1, '2026-10-01', ${at} from generate_series(1, ${rows}::int) n`;
  }
}

test("given expired keys and logs, when the day begins, then this company's are deleted, by real time", async () => {
  const clock = new SetClock('2026-05-04T22:00:00Z');
  // A sandbox a year ahead: retention still follows real time.
  const [company, other] = [
    await place.company({ clock_offset_ms: 365 * 86_400_000 }),
    await place.company(),
  ];
  for (const id of [company, other]) {
    await fill(id, 'keys', 3, '2026-05-04T22:00:00Z');
    await fill(id, 'keys', 2, '2026-05-04T22:00:00.001Z');
    await fill(id, 'logs', 4, '2026-04-04T21:59:59.999Z');
    await fill(id, 'logs', 1, '2026-04-04T22:00:00Z');
  }
  await schedule(company, '2027-05-04T22:00:00Z');
  assert.equal(await workerOf(clock).runDue(company), 1);
  assert.deepEqual([await count('idempotency_keys', company), await count('request_logs', company)], [2, 1]);
  assert.deepEqual([await count('idempotency_keys', other), await count('request_logs', other)], [5, 5]);
});

test('given more than one run deletes, when the day begins, then further runs delete the rest and tasks are not repeated', async () => {
  const clock = new SetClock('2026-05-04T22:00:00Z');
  const company = await place.company();
  await fill(company, 'logs', 12_000, '2026-01-01T00:00:00Z');
  await schedule(company, '2026-05-04T22:00:00Z');
  let tasks = 0;
  const worker = workerOf(clock, async () => void tasks++);
  assert.equal(await worker.runDue(company), 3);
  assert.deepEqual([await count('request_logs', company), tasks], [0, 1]);
  // Only the schedule is left.
  assert.deepEqual([await count('jobs', company), await count('due_work', company)], [1, 1]);
});

test('given a sandbox whose clock jumped ahead, when it catches up, then what follows real time is done once, at its end', async () => {
  const clock = new SetClock('2026-05-04T22:00:00Z');
  const company = await place.company();
  await schedule(company, '2026-04-24T22:00:00Z');
  const ran: string[] = [];
  const worker = workerWith(clock, {
    daily_tasks: [async ({ today }) => void ran.push(today)],
    real_tasks: [async ({ today }) => void ran.push(`real ${today}`)],
    purges: [
      async ({ today }) => {
        ran.push(`purge ${today}`);
        return false;
      },
    ],
  });
  assert.equal(await worker.runDue(company), 11);
  const days = ran.slice(0, 11);
  assert.deepEqual([days[0], days.at(-1), new Set(days).size], ['2026-04-25', '2026-05-05', 11]);
  assert.deepEqual(ran.slice(11), ['real 2026-05-05', 'purge 2026-05-05']);
});

test('given a task that fails, when the day begins, then nothing of the run is kept and it is tried again', async () => {
  const clock = new SetClock('2026-05-04T22:00:00Z');
  const company = await place.company();
  await fill(company, 'keys', 3, '2026-01-01T00:00:00Z');
  await schedule(company, '2026-05-04T22:00:00Z');
  let failures = 1;
  const worker = workerOf(clock, async () => {
    if (failures-- > 0) throw new Error('not today');
  });
  await worker.runDue(company);
  assert.equal(await count('idempotency_keys', company), 3);
  clock.advance(5);
  await worker.runDue(company);
  assert.equal(await count('idempotency_keys', company), 0);
});
