/** Several workers and processes at one table. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { after, type TestContext, test } from 'node:test';
import { noPorts } from '../../test/support/no-ports.ts';
import {
  enqueue,
  leaveTrace,
  SetClock,
  silentLog,
  until,
  WorkerPlace,
} from '../../test/support/worker-place.ts';
import { newId } from '../kernel/uuid7.ts';
import { systemClock } from './clock.ts';
import { connect } from './db.ts';
import { markDriven } from './driven-companies.ts';
import { makeDueHint } from './due-hint.ts';
import { findCandidates } from './due-work.ts';
import { winDue } from './leases.ts';
import { type JobHandler, makeWorker, type WorkerOptions } from './worker.ts';

const place = await WorkerPlace.make();
const db = place.open(12);
const start = '2026-05-04T10:00:00Z';

const trace: JobHandler = {
  kind: 'trace',
  run: ({ tx, company: { company_id }, job: { id: job_id, payload } }) =>
    leaveTrace(tx, company_id, job_id, String(payload.label)),
};

function workerOf(t: TestContext, options: Partial<WorkerOptions> & Pick<WorkerOptions, 'handlers'>) {
  const worker = makeWorker({
    ports: noPorts,
    db,
    clock: new SetClock(start),
    log: silentLog,
    poll_ms: 20,
    stop_ms: 5000,
    ...options,
  });
  t.after(() => worker.stop());
  return worker;
}

const traces = (count: number, prefix = '') =>
  Array.from({ length: count }, (_, i) => ({ kind: 'trace', payload: { label: `${prefix}${i}` } }));

async function isAllDone(...companies: string[]): Promise<boolean> {
  return (
    (await place.sql`select 1 from due_work where company_id = any(${companies}::uuid[]) limit 1`).length ===
    0
  );
}

function latch(): { opened: Promise<void>; open(): void } {
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  return { opened, open };
}

test('given much work of some companies, when two workers share it, then each job is done exactly once', async (t) => {
  const companies = await Promise.all([1, 2, 3].map(() => place.company()));
  for (const company of companies) await enqueue(db, company, new Date(start), ...traces(100));
  const ran = [0, 0];
  for (const index of [0, 1]) {
    const counting: JobHandler = {
      kind: 'trace',
      async run(ctx) {
        ran[index]!++;
        await trace.run(ctx);
      },
    };
    workerOf(t, { handlers: [counting] }).start();
  }
  await until(() => isAllDone(...companies));
  for (const company of companies) {
    const labels = await place.labels(company);
    assert.deepEqual(
      labels.sort(),
      traces(100)
        .map((j) => j.payload.label)
        .sort(),
    );
  }
  assert.equal(ran[0]! + ran[1]!, 300, 'a job was begun twice');
  assert.ok(ran[0]! > 0 && ran[1]! > 0, 'one worker did it all');
});

test('given jobs with keys, when four workers run them, then each key keeps its order and no two run at once', async (t) => {
  const company = await place.company();
  const keys = [newId(), newId(), newId()];
  const wanted = Array.from({ length: 60 }, (_, i) => ({
    kind: 'keyed',
    payload: { key: i % 3, label: `${i % 3} ${i}` },
    options: { order_key: keys[i % 3]! },
  }));
  await enqueue(db, company, new Date(start), ...wanted);
  const running = new Set<unknown>();
  let overlaps = 0;
  const keyed: JobHandler = {
    kind: 'keyed',
    async run(ctx) {
      if (running.has(ctx.job.payload.key)) overlaps++;
      running.add(ctx.job.payload.key);
      await trace.run(ctx);
      running.delete(ctx.job.payload.key);
    },
  };
  for (let i = 0; i < 4; i++) workerOf(t, { handlers: [keyed], concurrency: 2 }).start();
  await until(() => isAllDone(company));
  const labels = await place.labels(company);
  for (const key of [0, 1, 2]) {
    assert.deepEqual(
      labels.filter((l) => l.startsWith(`${key} `)),
      wanted.filter((w) => w.payload.key === key).map((w) => w.payload.label),
    );
  }
  assert.equal(overlaps, 0);
});

test('given a job of a key that is being done, when an earlier one appears, then it waits its turn', async () => {
  const company = await place.company();
  const order_key = newId();
  const options = { order_key };
  const [first, second] = await enqueue(
    db,
    company,
    new Date(start),
    { kind: 'trace', options },
    { kind: 'trace', options },
  );
  // As if the earlier job's transaction had not committed.
  await place.sql`update due_work set kind = 'job:hidden', order_key = null where id = ${first!}`;
  const query = { kinds: ['job:trace'], now: new Date(start), limit: 10, company_id: company };
  const lease = { id: newId(), now: query.now, until: new Date(query.now.getTime() + 1000) };
  assert.deepEqual(
    (await winDue(db.index, await findCandidates(db.index, query), lease)).map((r) => r.id),
    [second],
  );
  await place.sql`update due_work set kind = 'job:trace', order_key = ${order_key} where id = ${first!}`;
  assert.equal((await findCandidates(db.index, query)).length, 0);
});

test('given rows that two workers saw free, when both claim them, then each row is won once', async () => {
  const company = await place.company();
  await enqueue(db, company, new Date(start), ...traces(40));
  const now = new Date(start);
  const rows = await findCandidates(db.index, { kinds: ['job:trace'], now, limit: 40, company_id: company });
  const claim = (shuffled: typeof rows) =>
    winDue(db.index, shuffled, { id: newId(), now, until: new Date(now.getTime() + 1000) });
  const won = await Promise.all([claim(rows), claim([...rows].reverse()), claim(rows)]);
  assert.deepEqual(
    won
      .flat()
      .map((r) => r.id)
      .sort(),
    rows.map((r) => r.id).sort(),
  );
  assert.deepEqual(await claim(rows), []);
});

test('given a worker that lost its lease, when both finish, then the effects are kept once', async (t) => {
  const clock = new SetClock(start);
  const company = await place.company();
  await enqueue(db, company, clock.now(), ...traces(1, 'once '));
  const stuck = latch();
  const begun = latch();
  const slow: JobHandler = {
    kind: 'trace',
    async run(ctx) {
      begun.open();
      await stuck.opened;
      await trace.run(ctx);
    },
  };
  const first = workerOf(t, { clock, handlers: [slow], lease_ms: 60_000 });
  const firstRun = first.runDue(company);
  await begun.opened;
  const second = workerOf(t, { clock, handlers: [trace] });
  clock.advance(60);
  assert.equal(await second.runDue(company), 1);
  stuck.open();
  await firstRun;
  assert.deepEqual(await place.labels(company), ['once 0']);
  assert.ok(await isAllDone(company));
});

test('given a worker that lost its lease, when it finishes before its successor, then only the successor counts', async (t) => {
  const clock = new SetClock(start);
  const company = await place.company();
  await enqueue(db, company, clock.now(), { kind: 'contested' });
  const [first, second] = ['first', 'second'].map((label) => {
    const [begun, stuck] = [latch(), latch()];
    const handler: JobHandler = {
      kind: 'contested',
      async run({ tx, company: { company_id }, job: { id: job_id } }) {
        await leaveTrace(tx, company_id, job_id, label);
        begun.open();
        await stuck.opened;
      },
    };
    return { begun, stuck, run: () => workerOf(t, { clock, handlers: [handler] }).runDue(company, 1) };
  });
  const firstRun = first!.run();
  await first!.begun.opened;
  clock.advance(60);
  const secondRun = second!.run();
  await second!.begun.opened;
  first!.stuck.open();
  await firstRun;
  assert.deepEqual(await place.labels(company), []);
  second!.stuck.open();
  await secondRun;
  assert.deepEqual(await place.labels(company), ['second']);
});

test('given a handler that takes longer than a lease, when its worker lives, then nobody takes over', async (t) => {
  const clock = new SetClock(start);
  const company = await place.company();
  await enqueue(db, company, clock.now(), ...traces(1));
  const stuck = latch();
  const begun = latch();
  let runs = 0;
  const slow: JobHandler = {
    kind: 'trace',
    async run(ctx) {
      runs++;
      begun.open();
      await stuck.opened;
      await trace.run(ctx);
    },
  };
  const lease_ms = 90;
  workerOf(t, { clock, handlers: [slow], lease_ms }).start();
  await begun.opened;
  for (let i = 0; i < 3; i++) {
    clock.advance(0.06);
    const renewed = clock.now().getTime() + lease_ms;
    await until(async () => {
      const [row] = await place.sql<
        { lease_until: Date }[]
      >`select lease_until from due_work where company_id = ${company}`;
      return row!.lease_until.getTime() === renewed;
    });
    const free = await findCandidates(db.index, {
      kinds: ['job:trace'],
      now: clock.now(),
      limit: 1,
      company_id: company,
    });
    assert.equal(free.length, 0);
  }
  stuck.open();
  await until(() => isAllDone(company));
  assert.deepEqual([runs, await place.labels(company)], [1, ['0']]);
});

test('given a job that kills its workers, when it was taken over too often, then it has failed for good', async (t) => {
  const clock = new SetClock(start);
  const company = await place.company();
  const [id] = await enqueue(db, company, clock.now(), ...traces(1));
  const query = { kinds: ['job:trace'], limit: 1, company_id: company };
  const attempts: number[] = [];
  const dying: JobHandler = {
    kind: 'trace',
    retry: [1, 1],
    run: async ({ job: { attempt } }) => void attempts.push(attempt),
  };
  // Three workers claim it and are never heard of again.
  for (let i = 0; i < 3; i++) {
    const now = clock.now();
    const won = await winDue(db.index, await findCandidates(db.index, { ...query, now }), {
      id: newId(),
      now,
      until: new Date(now.getTime() + 60_000),
    });
    assert.equal(won.length, 1);
    clock.advance(60);
  }
  await workerOf(t, { clock, handlers: [dying] }).runDue(company);
  assert.deepEqual(attempts, []);
  const [job] = await place.sql`select status, attempts from jobs where id = ${id!}`;
  assert.deepEqual({ ...job }, { status: 'failed_permanently', attempts: 4 });
  assert.ok(await isAllDone(company));
});

test('given a company with 10,000 jobs, when another has one, then that is done among the first', async (t) => {
  const [heavy, light] = await Promise.all([place.company(), place.company()]);
  await place.sql`
    with made as (
      insert into jobs (company_id, id, kind, payload, clock, run_at, status)
      select ${heavy}, gen_random_uuid(), 'trace', '{"label": "heavy"}', 'company', '2026-01-01', 'queued' from generate_series(1, 10000)
      returning company_id, id)
    insert into due_work (company_id, id, kind, due_at) select company_id, id, 'job:trace', '2026-01-01' from made`;
  await enqueue(db, light, new Date(start), ...traces(1, 'light '));
  const order: string[] = [];
  const noting: JobHandler = {
    kind: 'trace',
    run: async ({ company: { company_id } }) => void order.push(company_id),
  };
  const worker = workerOf(t, { handlers: [noting] });
  worker.start();
  await until(() => order.includes(light));
  await worker.stop();
  assert.ok(order.indexOf(light) < 40, `it came after ${order.indexOf(light)} others`);
  await place.sql`delete from due_work where company_id = ${heavy}`;
});

test('given a job that is read more than once in a claim, when it runs, then it does so once', async (t) => {
  const [heavy, light] = await Promise.all([place.company(), place.company()]);
  await enqueue(db, light, new Date('2026-01-01T00:00:00Z'), { kind: 'counted' });
  await enqueue(db, heavy, new Date(start), ...Array.from({ length: 40 }, () => ({ kind: 'counted' })));
  const order: string[] = [];
  const counted: JobHandler = {
    kind: 'counted',
    async run({ company: { company_id } }) {
      order.push(company_id);
      // Long enough for a second run to begin, if there were one.
      await new Promise((resolve) => setTimeout(resolve, 10));
    },
  };
  workerOf(t, { handlers: [counted], batch: 8 }).start();
  await until(() => isAllDone(heavy, light));
  assert.equal(order.filter((c) => c === light).length, 1);
  assert.equal(order.length, 41);
});

test('given many companies with older work, when another has one job, then it waits at most one turn of each', async (t) => {
  const heavy = await Promise.all(Array.from({ length: 12 }, () => place.company()));
  const light = await place.company();
  for (const company of heavy) await enqueue(db, company, new Date('2026-01-01T00:00:00Z'), ...traces(50));
  await enqueue(db, light, new Date(start), ...traces(1));
  const order: string[] = [];
  const noting: JobHandler = {
    kind: 'trace',
    run: async ({ company: { company_id } }) => void order.push(company_id),
  };
  const worker = workerOf(t, { handlers: [noting], batch: 8 });
  worker.start();
  await until(() => order.includes(light));
  await worker.stop();
  // Two turns for each of twelve, and the batch in progress.
  assert.ok(order.indexOf(light) < 12 * 2 + 8 + 4, `it came after ${order.indexOf(light)} others`);
  await place.sql`delete from due_work where company_id = any(${heavy}::uuid[])`;
});

test('given two shares, when both look, then each sees its own, and in the end what the other leaves', async () => {
  const companies = await Promise.all(Array.from({ length: 12 }, () => place.company()));
  for (const company of companies) await enqueue(db, company, new Date(start), { kind: 'shared' });
  const now = new Date(start);
  const see = async (index: number, late: Date) =>
    (
      await findCandidates(db.index, {
        kinds: ['job:shared'],
        now,
        limit: 100,
        share: { index, count: 2, late },
      })
    ).map((r) => r.company_id);
  const early = new Date(now.getTime() - 1);
  const halves = [await see(0, early), await see(1, early)];
  // The last digits are random: all twelve may be of one share.
  const ofShare = (index: number) =>
    companies.filter((id) => Number.parseInt(id.slice(-1), 16) % 2 === index).sort();
  assert.deepEqual(
    halves.map((half) => half.sort()),
    [ofShare(0), ofShare(1)],
  );
  assert.equal((await see(0, now)).length, 12);
});

test('given a worker that stops, when jobs run and wait, then it finishes the first and gives back the others', async (t) => {
  const company = await place.company();
  await enqueue(db, company, new Date(start), ...traces(6));
  const stuck = latch();
  let begun = 0;
  const slow: JobHandler = {
    kind: 'trace',
    async run(ctx) {
      begun++;
      await stuck.opened;
      await trace.run(ctx);
    },
  };
  const worker = workerOf(t, { handlers: [slow], concurrency: 4 });
  worker.start();
  await until(() => begun === 2);
  const stopped = worker.stop();
  stuck.open();
  await stopped;
  assert.equal((await place.labels(company)).length, 2);
  const rows = await place.sql<
    { lease_id: string | null; takeovers: number }[]
  >`select lease_id, takeovers from due_work where company_id = ${company}`;
  assert.deepEqual(
    rows.map((r) => [r.lease_id, r.takeovers]),
    Array.from({ length: 4 }, () => [null, 0]),
  );
  await place.sql`delete from due_work where company_id = ${company}`;
});

test('given a job that never ends, when its worker stops, then that waits for a bounded time', async () => {
  const company = await place.company();
  await enqueue(db, company, new Date(start), { kind: 'endless' });
  const stuck = latch();
  const begun = latch();
  const endless: JobHandler = {
    kind: 'endless',
    async run() {
      begun.open();
      await stuck.opened;
    },
  };
  const worker = makeWorker({
    ports: noPorts,
    db,
    clock: new SetClock(start),
    log: silentLog,
    handlers: [endless],
    stop_ms: 30,
  });
  worker.start();
  await begun.opened;
  await worker.stop();
  assert.ok(!(await isAllDone(company)));
  stuck.open();
  await until(() => isAllDone(company));
});

test('given a loop that is at work, when due work is run to its end, then that waits for the loop', async (t) => {
  const company = await place.company();
  await enqueue(db, company, new Date(start), ...traces(1));
  const stuck = latch();
  const begun = latch();
  const slow: JobHandler = {
    kind: 'trace',
    async run(ctx) {
      begun.open();
      await stuck.opened;
      await trace.run(ctx);
    },
  };
  const worker = workerOf(t, { handlers: [slow] });
  worker.start();
  await begun.opened;
  const ended = worker.runDue(company);
  setTimeout(stuck.open, 50);
  assert.equal(await ended, 0);
  assert.deepEqual(await place.labels(company), ['0']);
});

test('given due work that one process runs in order, when another looks meanwhile, then it leaves that company alone and takes others', async (t) => {
  const [driven, other] = [await place.company(), await place.company()];
  const [early, late] = [new Date(Date.parse(start) - 60_000), new Date(start)];
  await enqueue(db, driven, early, ...traces(3));
  await enqueue(db, other, late, ...traces(1));
  const taken: string[] = [];
  const elsewhere = workerOf(t, {
    handlers: [
      {
        kind: 'trace',
        async run(ctx) {
          taken.push(ctx.company.company_id);
          await trace.run(ctx);
        },
      },
    ],
  });
  const first: JobHandler = {
    kind: 'trace',
    async run(ctx) {
      elsewhere.start();
      await until(() => isAllDone(other));
      await trace.run(ctx);
    },
  };
  // As where a clock is moved.
  await markDriven(db.index, driven, newId(), late);
  assert.equal(await workerOf(t, { handlers: [first] }).runDue(driven), 3);
  assert.deepEqual(taken, [other]);
  // Whatever comes now is anybody's.
  await enqueue(db, driven, late, ...traces(1, 'late '));
  await until(() => isAllDone(driven));
  assert.deepEqual(taken, [other, driven]);
});

test('given a job that takes long, when its company asks twenty times for what is due, then one more of them looks at a time', async (t) => {
  const company = await place.company();
  const { opened: begun, open: begin } = latch();
  const { opened: ended, open: end } = latch();
  const long: JobHandler = {
    kind: 'trace',
    async run(ctx) {
      begin();
      await ended;
      await trace.run(ctx);
    },
  };
  await enqueue(db, company, new Date(start), ...traces(1));
  let looks = 0;
  const index = new Proxy(db.index, {
    apply(sql, self, args: [unknown, ...unknown[]]) {
      if (String(args[0]).includes('order by d.due_at')) looks += 1;
      return Reflect.apply(sql, self, args) as unknown;
    },
  });
  const worker = workerOf(t, { handlers: [long], db: { ...db, index } });
  const first = worker.runDue(company);
  await begun;
  const others = Array.from({ length: 20 }, () => worker.runDue(company));
  assert.equal(looks, 2);
  await enqueue(db, company, new Date(start), ...traces(1, 'later '));
  end();
  await Promise.all([first, ...others]);
  assert.ok(await isAllDone(company));
});

test('given a worker that hardly ever polls, when it is woken or hinted at, then it looks at once', async (t) => {
  const company = await place.company();
  const sqls = [1, 2].map(() => connect({ target: place.target, pool_size: 1, role: null }));
  t.after(() => Promise.all(sqls.map((sql) => sql.end())));
  const [near, far] = sqls.map((sql) => makeDueHint(sql));
  const worker = workerOf(t, { handlers: [trace], poll_ms: 3_600_000, hint: near! });
  worker.start();
  await enqueue(db, company, new Date(start), ...traces(1, 'woken '));
  worker.wake();
  await until(() => isAllDone(company));
  // Listening begins a moment later, and a hint before that is lost.
  await until(
    async () =>
      (
        await place.sql`
          select 1 from pg_stat_activity
           where datname = ${place.database} and query ilike 'listen%' and state = 'idle'`
      ).length > 0,
  );
  await enqueue(db, company, new Date(start), ...traces(1, 'hinted '));
  workerOf(t, { handlers: [], hint: far! }).wake();
  await until(() => isAllDone(company));
  assert.deepEqual(await place.labels(company), ['woken 0', 'hinted 0']);
});

test('given two handlers of one kind, when a worker is made, then it refuses', () => {
  assert.throws(
    () => makeWorker({ db, ports: noPorts, clock: systemClock, log: silentLog, handlers: [trace, trace] }),
    /one kind/,
  );
});

const children: ChildProcess[] = [];
after(() => {
  for (const child of children) child.kill('SIGKILL');
});

/** Hangs for ever in the fifth `trace` job. */
function startDoomed(): ChildProcess {
  const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const script = `
    const { openDatabase } = await import(${url('./db.ts')});
    const { makeWorker } = await import(${url('./worker.ts')});
    const { leaveTrace, silentLog } = await import(${url('../../test/support/worker-place.ts')});
    const db = openDatabase({ target: ${JSON.stringify(place.target)}, pool_size: 4, role: null });
    let runs = 0;
    const handler = { kind: 'trace', async run({ tx, company, job }) {
      await leaveTrace(tx, company.company_id, job.id, job.payload.label);
      if (++runs === 5) { console.log('in the middle'); await new Promise(() => {}); }
    } };
    const clock = { now: () => new Date(${JSON.stringify(start)}) };
    makeWorker({ db, clock, ports: {}, log: silentLog, handlers: [handler], concurrency: 1 }).start();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  return child;
}

test('given a worker killed in the middle of a job, when its lease has run out, then all is done and counted once', async (t) => {
  const clock = new SetClock(start);
  const company = await place.company();
  await enqueue(db, company, clock.now(), ...traces(12));
  const child = startDoomed();
  const [line] = await once(createInterface({ input: child.stdout! }), 'line');
  assert.equal(line, 'in the middle');
  child.kill('SIGKILL');
  await once(child, 'exit');
  assert.equal((await place.labels(company)).length, 4, 'only what was committed counts');

  const worker = workerOf(t, { clock, handlers: [trace] });
  const query = { kinds: ['job:trace'], now: clock.now(), limit: 100, company_id: company };
  assert.equal((await findCandidates(db.index, query)).length, 0, 'it was taken over before its time');
  clock.advance(60);
  assert.equal(await worker.runDue(company), 8);
  assert.deepEqual(
    (await place.labels(company)).sort(),
    traces(12)
      .map((j) => j.payload.label)
      .sort(),
  );
});
