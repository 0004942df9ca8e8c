/** Jobs of one kind and company that run together: what runs in which group, and whose fault a fault is. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noPorts } from '../../test/support/no-ports.ts';
import {
  enqueue,
  leaveTrace,
  SetClock,
  silentLog,
  until,
  WorkerPlace,
} from '../../test/support/worker-place.ts';
import { countRowsRead } from '../../test/support/rows-read.ts';
import { findMoreDue } from './due-work.ts';
import { endedByCall, type HeldLease } from './job-handler.ts';
import { sendEnds } from './job-row.ts';
import { type JobHandler, makeWorker } from './worker.ts';

const place = await WorkerPlace.make();
const db = place.open();
const start = '2026-05-04T10:00:00Z';
const max = 8;

async function live(): Promise<string> {
  const company_id = await place.company();
  await place.sql`update companies set environment = 'live', live_company_id = null where company_id = ${company_id}`;
  return company_id;
}

/** Each job leaves what it was called with: the size of its group, or `alone`. */
function gathering(
  call: (ids: readonly string[]) => Promise<readonly string[]> = (ids) => Promise.resolve(ids),
) {
  const groups: (readonly string[])[] = [];
  const handler: JobHandler = {
    kind: 'gathered',
    outside: {
      begin: async () => true,
      call: async () => 'alone',
      together: {
        max,
        async call(jobs) {
          const ids = jobs.map(({ id }) => id);
          groups.push(ids);
          return new Map((await call(ids)).map((id) => [id, `${ids.length}`]));
        },
        run: (jobs) => Promise.all(jobs.map(({ ctx, result }) => end(ctx, result as string))),
      },
    },
    run: (ctx, result?: string) => end(ctx, result),
  };
  const end = async ({ tx, company, job }: Parameters<JobHandler['run']>[0], result?: string) => {
    await leaveTrace(tx, company.company_id, job.id, String(result));
    return undefined;
  };
  return { groups, handler };
}

test('given thousands of later jobs, when more due ones are looked for, then no later one is read', async () => {
  const company_id = await live();
  const [now, later] = [new Date(start), new Date('2026-06-01T00:00:00Z')];
  await enqueue(db, company_id, later, ...many(3000));
  await enqueue(db, company_id, now, ...many(20));
  for (const table of ['due_work', 'jobs']) {
    const { found, read } = await countRowsRead({ db }, company_id, table, (tx) =>
      findMoreDue(tx, company_id, { kind: 'job:gathered', now, takeovers_max: 0, limit: 10 }),
    );
    assert.equal(found.length, 10);
    assert.ok(read <= 40, `${read} rows of ${table} were read`);
  }
});

const workerOf = (handler: JobHandler, clock = new SetClock(start)) =>
  makeWorker({ db, clock, ports: noPorts, handlers: [handler], log: silentLog, poll_ms: 20 });

const many = (count: number) => Array.from({ length: count }, () => ({ kind: 'gathered' }));
const due = new Date(start);

/** How many jobs left each label. */
async function labelsOf(company_id: string): Promise<Record<string, number>> {
  const all = Map.groupBy(await place.labels(company_id), (label) => label);
  return Object.fromEntries([...all].map(([label, of]) => [label, of.length]));
}

for (const [count, runs_max, wanted] of [
  [1, 100, { 1: 1 }],
  [8, 100, { 8: 8 }],
  [19, 100, { 8: 16, 3: 3 }],
  [19, 11, { 8: 8, 3: 3 }],
] as const)
  test(`given ${count} due jobs of a company, when at most ${runs_max} run, then they run in groups of ${max}`, async () => {
    const company = await live();
    const { handler } = gathering();
    await enqueue(db, company, due, ...many(count));
    assert.equal(await workerOf(handler).runDue(company, runs_max), Math.min(count, runs_max));
    assert.deepEqual(await labelsOf(company), wanted);
  });

test('given a sandbox, when its jobs are due, then each runs alone, in its own time', async () => {
  const company = await place.company();
  const { groups, handler } = gathering();
  await enqueue(db, company, due, ...many(5));
  await workerOf(handler).runDue(company);
  assert.deepEqual([await labelsOf(company), groups], [{ alone: 5 }, []]);
});

test('given a job of a group that the call does not answer, then it runs alone, and the others have their answer', async () => {
  const company = await live();
  const [, left] = await enqueue(db, company, due, ...many(4));
  const { handler } = gathering((ids) => Promise.resolve(ids.filter((id) => id !== left)));
  await workerOf(handler).runDue(company);
  assert.deepEqual(await labelsOf(company), { 4: 3, alone: 1 });
});

test('given a call that ends some of its jobs, then only the others are ended after it', async () => {
  const company = await live();
  const ids = await enqueue(db, company, due, ...many(5));
  const { handler } = gathering();
  const next_run_at = new Date('2026-05-05T10:00:00Z');
  const held: HeldLease[] = [];
  const ending: JobHandler = {
    ...handler,
    outside: {
      ...handler.outside!,
      together: {
        ...handler.outside!.together!,
        async call(jobs) {
          const of = (id: string | undefined) => jobs.find((job) => job.id === id)!;
          const [again, over, taken] = [of(ids[1]), of(ids[2]), of(ids[3])];
          await place.sql`update due_work set lease_id = gen_random_uuid() where id = ${taken.id}`;
          held.push(taken);
          await db.transaction(company, (tx) =>
            sendEnds(tx, company, [
              { ...again, next_run_at },
              { ...over, next_run_at: null },
              { ...taken, next_run_at },
            ]),
          );
          const ended: unknown[] = [again.id, over.id, taken.id];
          return new Map(jobs.map(({ id }) => [id, ended.includes(id) ? endedByCall : 'after']));
        },
      },
    },
  };
  assert.equal(await workerOf(ending).runDue(company, 5), 5);
  assert.deepEqual(await labelsOf(company), { after: 2 });
  const left = await place.sql`
    select d.id, d.lease_id is null as is_free, d.due_at = ${next_run_at} and j.run_at = ${next_run_at} as is_next
      from due_work d join jobs j on j.company_id = d.company_id and j.id = d.id where d.company_id = ${company}`;
  assert.deepEqual(
    left.map((row) => ({ ...row })).sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)),
    [
      { id: ids[1], is_free: true, is_next: true },
      // Another worker took it over: its lease stays.
      { id: ids[3], is_free: false, is_next: false },
    ],
  );
  await place.sql`delete from due_work where id = ${held[0]!.id}`;
});

test('given a call that fails, then each job of the group runs alone', async () => {
  const company = await live();
  await enqueue(db, company, due, ...many(4));
  const { groups, handler } = gathering(() => Promise.reject(new Error('broken')));
  await workerOf(handler).runDue(company);
  assert.deepEqual([await labelsOf(company), groups.length], [{ alone: 4 }, 1]);
});

test('given a job whose end fails, when the others end, then it alone is tried again, and in no group', async () => {
  const company = await live();
  const [, faulty] = await enqueue(db, company, due, ...many(4));
  const { groups, handler } = gathering();
  const refuse = (id: string) => {
    if (id === faulty) throw new Error('its fault');
  };
  const { run, outside } = handler;
  const broken: JobHandler = {
    ...handler,
    outside: {
      ...outside!,
      together: {
        ...outside!.together!,
        run: (jobs) => {
          for (const { ctx } of jobs) refuse(ctx.job.id);
          return outside!.together!.run(jobs);
        },
      },
    },
    run(ctx, result) {
      refuse(ctx.job.id);
      return run(ctx, result);
    },
  };
  const clock = new SetClock(start);
  await workerOf(broken, clock).runDue(company);
  assert.deepEqual([await labelsOf(company), groups.length], [{ alone: 3 }, 1]);
  const [job] = await place.sql`select attempts, last_error from jobs where company_id = ${company}`;
  assert.deepEqual({ ...job }, { attempts: 1, last_error: 'its fault' });
  clock.advance(6);
  await enqueue(db, company, clock.now(), ...many(2));
  await workerOf(handler, clock).runDue(company);
  assert.deepEqual(await labelsOf(company), { alone: 4, 2: 2 });
});

test('given jobs whose worker died again and again, then half as many run together each time', async () => {
  const { groups, handler } = gathering();
  for (const takeovers of [1, 2, 3, 40]) {
    const company = await live();
    await enqueue(db, company, due, ...many(8));
    await place.sql`update due_work set takeovers = ${takeovers} where company_id = ${company}`;
    await workerOf(handler).runDue(company);
    const size = Math.max(1, Math.floor(max / 2 ** takeovers));
    assert.deepEqual(await labelsOf(company), { [size]: 8 });
    assert.equal(groups.splice(0).length, 8 / size);
  }
});

test('given a job that another worker takes over meanwhile, then the others of its group end, and it is left to that one', async () => {
  const company = await live();
  const [taken] = await enqueue(db, company, due, ...many(3));
  const { handler } = gathering(async (ids) => {
    if (ids.includes(taken!))
      await place.sql`update due_work set lease_id = gen_random_uuid() where id = ${taken!}`;
    return ids;
  });
  const worker = workerOf(handler);
  worker.start();
  await until(async () => (await place.labels(company)).length === 2);
  await worker.stop();
  assert.deepEqual(await labelsOf(company), { 3: 2 });
  const [job] = await place.sql`select id from jobs where company_id = ${company}`;
  assert.equal(job?.id, taken);
});

test('given a company with work for long, when another has one job, then that does not wait for it', async (t) => {
  const [busy, quiet] = [await live(), await live()];
  const { promise, resolve } = Promise.withResolvers<void>();
  const theirs = new Set(await enqueue(db, busy, due, ...many(100)));
  const { groups, handler } = gathering(async (ids) => {
    if (theirs.has(ids[0] ?? '')) await promise;
    return ids;
  });
  const worker = workerOf(handler);
  t.after(() => {
    resolve();
    return worker.stop();
  });
  worker.start();
  await until(() => groups.length >= 2);
  await enqueue(db, quiet, due, ...many(1));
  await until(async () => (await place.labels(quiet)).length === 1);
  assert.deepEqual(await place.labels(busy), [], 'its groups still hang');
  assert.ok(groups.every((ids) => ids.length <= max));
  resolve();
  await until(async () => (await place.labels(busy)).length === 100);
});
