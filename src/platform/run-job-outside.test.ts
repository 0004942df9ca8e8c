import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noPorts } from '../../test/support/no-ports.ts';
import { enqueue, leaveTrace, SetClock, silentLog, WorkerPlace } from '../../test/support/worker-place.ts';
import type { Tx } from '../kernel/operation.ts';
import { ConnectionLost, type Database, ShareSpent } from './db.ts';
import type { JobCtx } from './job-handler.ts';
import { type JobHandler, makeWorker } from './worker.ts';

const place = await WorkerPlace.make();
const db = place.open();
const start = '2026-05-04T10:00:00Z';

const workerOf = (clock: SetClock, handler: JobHandler, database = db) =>
  makeWorker({
    ...{ db: database, clock, ports: noPorts, handlers: [handler], log: silentLog },
    answer_pauses_ms: [1, 1, 1],
  });

type Parts = {
  begin?: (ctx: JobCtx) => Promise<unknown>;
  call?: (intent: unknown) => Promise<unknown>;
  run?: (ctx: JobCtx, result: unknown) => Promise<void>;
};

/** Traces each of its parts, then runs what is given. */
function calling({ begin, call, run }: Parts = {}): JobHandler {
  return {
    kind: 'calling',
    outside: {
      async begin(ctx) {
        await leaveTrace(ctx.tx, ctx.company.company_id, ctx.job.id, `begin ${ctx.job.attempt}`);
        return begin ? begin(ctx) : 'intent';
      },
      call: (intent: unknown) => (call ? call(intent) : Promise.resolve(`answer to ${String(intent)}`)),
    },
    async run(ctx, result?: unknown) {
      await leaveTrace(ctx.tx, ctx.company.company_id, ctx.job.id, `run ${String(result)}`);
      await run?.(ctx, result);
    },
  } as JobHandler;
}

async function jobOf(company_id: string) {
  const [job] = await place.sql<{ attempts: number; last_error: string | null }[]>`
    select attempts, last_error from jobs where company_id = ${company_id}`;
  return job && { ...job };
}

test('given a job that calls outside, when it runs, then its first part is committed and no connection is held', async () => {
  const clock = new SetClock(start);
  const company = await place.company();
  await enqueue(db, company, clock.now(), { kind: 'calling' });
  // A transaction open during the call would hold its one connection.
  const narrow = place.open(1);
  const seen: string[][] = [];
  const handler = calling({
    async call(intent) {
      seen.push(await place.labels(company));
      await narrow.transaction(company, (tx) => tx`select 1`);
      return `answer to ${String(intent)}`;
    },
  });
  assert.equal(await workerOf(clock, handler, narrow).runDue(company), 1);
  assert.deepEqual(seen, [['begin 1']]);
  assert.deepEqual(await place.labels(company), ['begin 1', 'run answer to intent']);
  assert.equal(await jobOf(company), undefined);
});

test('given a job with nothing to ask, when it is run, then nobody is called', async () => {
  const clock = new SetClock(start);
  const company = await place.company();
  await enqueue(db, company, clock.now(), { kind: 'calling' });
  let calls = 0;
  const handler = calling({ begin: async () => undefined, call: async () => ++calls });
  await workerOf(clock, handler).runDue(company);
  assert.deepEqual([calls, await place.labels(company)], [0, ['begin 1', 'run undefined']]);
});

test('given a call that throws, when it is tried again, then one attempt has failed and the first part is kept', async () => {
  const clock = new SetClock(start);
  const company = await place.company();
  await enqueue(db, company, clock.now(), { kind: 'calling' });
  let calls = 0;
  const handler = calling({
    async call() {
      if (++calls === 1) throw new Error('nobody there');
      return 'heard';
    },
  });
  const worker = workerOf(clock, handler);
  await worker.runDue(company);
  assert.deepEqual(await jobOf(company), { attempts: 1, last_error: 'nobody there' });
  assert.deepEqual(await place.labels(company), ['begin 1']);
  clock.advance(4.999);
  assert.equal(await worker.runDue(company), 0);
  clock.advance(0.001);
  await worker.runDue(company);
  assert.deepEqual(await place.labels(company), ['begin 1', 'begin 2', 'run heard']);
});

test('given a begin or a run that throws, when it fails, then nothing of that part is kept', async () => {
  for (const part of ['begin', 'run'] as const) {
    const clock = new SetClock(start);
    const company = await place.company();
    await enqueue(db, company, clock.now(), { kind: 'calling' });
    const broken = async () => {
      throw new Error(`${part} is broken`);
    };
    await workerOf(clock, calling({ [part]: broken })).runDue(company);
    assert.deepEqual(await jobOf(company), { attempts: 1, last_error: `${part} is broken` });
    assert.deepEqual(await place.labels(company), part === 'begin' ? [] : ['begin 1']);
  }
});

test('given a worker that vanishes during its call, when another takes over, then the late answer is not kept', async () => {
  const clock = new SetClock(start);
  const company = await place.company();
  await enqueue(db, company, clock.now(), { kind: 'calling' });
  const { promise: late, resolve: answer } = Promise.withResolvers<unknown>();
  const { promise: called, resolve: onCall } = Promise.withResolvers<void>();
  const first = workerOf(
    clock,
    calling({
      call() {
        onCall();
        return late;
      },
    }),
  ).runDue(company, 1);
  await called;
  clock.advance(60);
  assert.equal(await workerOf(clock, calling()).runDue(company), 1);
  answer('too late');
  await first;
  assert.deepEqual(await place.labels(company), ['begin 1', 'begin 2', 'run answer to intent']);
  assert.equal(await jobOf(company), undefined);
});

test('given a worker that vanishes during its call, when its job takes late answers, then it gets the answer and ends nothing', async () => {
  const clock = new SetClock(start);
  const company = await place.company();
  await enqueue(db, company, clock.now(), { kind: 'calling' });
  const { promise: late, resolve: answer } = Promise.withResolvers<unknown>();
  const { promise: called, resolve: onCall } = Promise.withResolvers<void>();
  const again = { next_run_at: new Date('2026-05-05T00:00:00Z') };
  const taking = (handler: JobHandler): JobHandler => ({
    ...handler,
    outside: {
      ...handler.outside!,
      late: (ctx, result) => leaveTrace(ctx.tx, ctx.company.company_id, ctx.job.id, `late ${String(result)}`),
    },
    async run(ctx, result) {
      await handler.run(ctx, result);
      return again;
    },
  });
  const first = workerOf(
    clock,
    taking(
      calling({
        call() {
          onCall();
          return late;
        },
      }),
    ),
  ).runDue(company, 1);
  await called;
  clock.advance(60);
  assert.equal(await workerOf(clock, taking(calling())).runDue(company), 1);
  const before = await place.sql`select * from due_work where company_id = ${company}`;
  answer('too late');
  await first;
  assert.deepEqual(await place.labels(company), [
    'begin 1',
    'begin 2',
    'run answer to intent',
    'late too late',
  ]);
  const after = await place.sql`select * from due_work where company_id = ${company}`;
  assert.deepEqual([...after], [...before], 'the next run is as the other worker left it');
});

const passing: [what: string, fail: (tx: Tx) => Promise<unknown>][] = [
  [
    'no connection is free',
    async () => {
      throw new ConnectionLost('No connection became free in ten seconds.');
    },
  ],
  [
    'the company uses its share of the connections',
    async () => {
      throw new ShareSpent('it');
    },
  ],
  ['its connection is cut', (tx) => tx`select pg_terminate_backend(pg_backend_pid())`],
  ['a row stays locked', (tx) => tx`do $$ begin raise exception using errcode = '55P03'; end $$`],
  ['a statement takes too long', (tx) => tx`do $$ begin raise exception using errcode = '57014'; end $$`],
];
for (const [what, fail] of passing)
  test(`given an answer, when ${what} as it is written down, then it is written down later and nobody is asked again`, async () => {
    const clock = new SetClock(start);
    const company = await place.company();
    await enqueue(db, company, clock.now(), { kind: 'calling' });
    let [calls, runs] = [0, 0];
    const handler = calling({
      call: async () => `answer ${++calls}`,
      async run({ tx }) {
        if (++runs < 3) await fail(tx);
      },
    });
    await workerOf(clock, handler).runDue(company);
    assert.deepEqual(await place.labels(company), ['begin 1', 'run answer 1']);
    assert.deepEqual([calls, runs, await jobOf(company)], [1, 3, undefined]);
  });

test('given an answer that cannot be written down for long, when the patience ends, then the attempt has failed', async () => {
  const clock = new SetClock(start);
  const company = await place.company();
  await enqueue(db, company, clock.now(), { kind: 'calling' });
  let calls = 0;
  const handler = calling({
    call: async () => `answer ${++calls}`,
    run: ({ tx }) =>
      tx`do $$ begin raise exception using errcode = '55P03', message = 'locked'; end $$`.then(),
  });
  await workerOf(clock, handler).runDue(company);
  assert.deepEqual([calls, await jobOf(company)], [1, { attempts: 1, last_error: 'locked' }]);
});

test('given a job that failed, when the company uses its share of the connections, then the failure is noted later', async () => {
  const clock = new SetClock(start);
  const company = await place.company();
  await enqueue(db, company, clock.now(), { kind: 'calling' });
  let busy = 0;
  const sometimes: Database = {
    ...db,
    transaction: (...args) => (busy-- > 0 ? Promise.reject(new ShareSpent('it')) : db.transaction(...args)),
  };
  const handler = calling({
    async call() {
      busy = 2;
      throw new Error('nobody there');
    },
  });
  await workerOf(clock, handler, sometimes).runDue(company);
  assert.deepEqual(await jobOf(company), { attempts: 1, last_error: 'nobody there' });
});

test('given a due time that is out of date, when the job is claimed, then nothing is begun', async () => {
  const clock = new SetClock(start);
  const company = await place.company();
  const options = { run_at: new Date('2026-05-05T00:00:00Z') };
  const [id] = await enqueue(db, company, clock.now(), { kind: 'calling', options });
  await place.sql`update due_work set due_at = '2026-01-01' where id = ${id!}`;
  await workerOf(clock, calling()).runDue(company);
  assert.deepEqual(await place.labels(company), []);
});

test('given a company whose clock moves during the call, when the answer is there, then the run goes on', async () => {
  const clock = new SetClock(start);
  const company = await place.company();
  await enqueue(db, company, clock.now(), { kind: 'calling' });
  const handler = calling({
    async call() {
      await place.sql`update companies set clock_frozen_at = '2026-01-01' where company_id = ${company}`;
      return 'heard';
    },
  });
  await workerOf(clock, handler).runDue(company);
  assert.deepEqual(await place.labels(company), ['begin 1', 'run heard']);
});
