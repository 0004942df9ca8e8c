import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { noPorts } from '../../test/support/no-ports.ts';
import {
  enqueue,
  leaveTrace,
  SetClock,
  silentLog,
  until,
  WorkerPlace,
} from '../../test/support/worker-place.ts';
import { type JobHandler, makeWorker } from './worker.ts';

const place = await WorkerPlace.make();
const db = place.open(12);
const start = new Date('2026-05-04T10:00:00Z');

/** One waits for somebody outside, one works within its transaction. */
function handlersOf(waits: { outside?: Promise<void>; inside?: Promise<void> }) {
  const running = { outside: 0, inside: 0 };
  const outside: JobHandler = {
    kind: 'outside',
    outside: {
      begin: async () => true,
      async call() {
        running.outside++;
        await waits.outside;
      },
    },
    run: ({ tx, company: { company_id }, job: { id: job_id } }) =>
      leaveTrace(tx, company_id, job_id, 'outside'),
  };
  const inside: JobHandler = {
    kind: 'inside',
    async run({ tx, company: { company_id }, job: { id: job_id } }) {
      running.inside++;
      await waits.inside;
      await leaveTrace(tx, company_id, job_id, 'inside');
    },
  };
  return { running, handlers: [outside, inside] };
}

function startWorker(
  t: TestContext,
  handlers: readonly JobHandler[],
  release: () => void,
  lane_concurrency: Record<string, number> = {},
  database = db,
) {
  const clock = new SetClock(start.toISOString());
  const worker = makeWorker({
    ports: noPorts,
    db: database,
    clock,
    log: silentLog,
    poll_ms: 20,
    handlers,
    lane_concurrency,
  });
  t.after(() => {
    release();
    return worker.stop();
  });
  worker.start();
}

const many = (kind: string, count: number) => Array.from({ length: count }, () => ({ kind }));
const count = async (company: string, label: string) =>
  (await place.labels(company)).filter((one) => one === label).length;

test('given more calls outside that hang than there is room for, when other jobs are due, then those are done', async (t) => {
  const companies = await Promise.all(Array.from({ length: 20 }, () => place.company()));
  const { promise, resolve } = Promise.withResolvers<void>();
  const { running, handlers } = handlersOf({ outside: promise });
  for (const company of companies) await enqueue(db, company, start, { kind: 'outside' });
  startWorker(t, handlers, resolve);
  await until(() => running.outside === 16);
  const busy = await place.company();
  await enqueue(db, busy, start, ...many('inside', 40));
  await until(async () => (await count(busy, 'inside')) === 40);
  assert.equal(running.outside, 16, 'no more calls at a time than there is room for');
  resolve();
  for (const company of companies) await until(async () => (await count(company, 'outside')) === 1);
});

test('given jobs inside that take all their room, when a call outside is due, then it is made', async (t) => {
  const [busy, busy_too, caller] = await Promise.all([place.company(), place.company(), place.company()]);
  const { promise, resolve } = Promise.withResolvers<void>();
  const { running, handlers } = handlersOf({ inside: promise });
  for (const company of [busy, busy_too]) await enqueue(db, company, start, ...many('inside', 30));
  startWorker(t, handlers, resolve);
  await until(() => running.inside === 4);
  await enqueue(db, caller, start, { kind: 'outside' });
  await until(async () => (await count(caller, 'outside')) === 1);
  assert.equal(running.inside, 4);
  resolve();
  for (const company of [busy, busy_too]) await until(async () => (await count(company, 'inside')) === 30);
});

test('given a lane that hangs, when another lane has calls, then they are made, in places of their own', async (t) => {
  const companies = await Promise.all(Array.from({ length: 12 }, () => place.company()));
  const { promise, resolve } = Promise.withResolvers<void>();
  let hanging = 0;
  const mail: JobHandler = {
    kind: 'mail',
    outside: {
      lane: 'mail',
      begin: async () => true,
      async call() {
        hanging++;
        await promise;
      },
    },
    run: ({ tx, company: { company_id }, job: { id: job_id } }) => leaveTrace(tx, company_id, job_id, 'mail'),
  };
  const { handlers } = handlersOf({});
  for (const company of companies) await enqueue(db, company, start, ...many('mail', 3));
  startWorker(t, [...handlers, mail], resolve, { mail: 2 });
  await until(() => hanging === 2);
  const caller = await place.company();
  await enqueue(db, caller, start, ...many('outside', 20), ...many('inside', 20));
  await until(async () => (await count(caller, 'outside')) === 20 && (await count(caller, 'inside')) === 20);
  assert.equal(hanging, 2, 'no more at a time than there is room for');
  resolve();
  for (const company of companies) await until(async () => (await count(company, 'mail')) === 3);
});

test('given a company with calls for days, when another has one, then that is among the first', async (t) => {
  const [heavy, light] = await Promise.all([place.company(), place.company()]);
  const order: string[] = [];
  const noting: JobHandler = {
    kind: 'outside',
    outside: {
      begin: async ({ company: { company_id } }) => order.push(company_id),
      call: async () => undefined,
    },
    run: async () => undefined,
  };
  await enqueue(db, heavy, new Date('2026-01-01T00:00:00Z'), ...many('outside', 500));
  await enqueue(db, light, start, { kind: 'outside' });
  startWorker(t, [noting], () => undefined);
  await until(() => order.includes(light));
  assert.ok(order.indexOf(light) < 40, `it came after ${order.indexOf(light)} others`);
});

/** Companies of one owner, and a stranger. */
async function givenFamily(size: number) {
  const family = await Promise.all(Array.from({ length: size }, () => place.company()));
  await place.sql`update companies set share_owner_id = ${family[0]!} where company_id in ${place.sql(family)}`;
  return { family, stranger: await place.company() };
}

for (const [what, size] of [
  ['a company', 1],
  ['thirty companies of one owner', 30],
] as const)
  for (const lane of ['outside', 'inside', 'mail'] as const)
    test(`given ${what} with work that takes long in the lane "${lane}", when a stranger has some, then it is done meanwhile`, async (t) => {
      const { family, stranger } = await givenFamily(size);
      const { promise, resolve } = Promise.withResolvers<void>();
      const places = { outside: 16, inside: 4, mail: 2 }[lane];
      let running = 0;
      const isTheirs = (company_id: string) => family.includes(company_id);
      const wait = async (company_id: string) => {
        if (!isTheirs(company_id)) return;
        running++;
        await promise;
      };
      const handler: JobHandler = {
        kind: lane,
        ...(lane === 'inside'
          ? {}
          : {
              outside: {
                lane,
                begin: async (ctx) => ctx.company.company_id,
                call: (company_id: never) => wait(company_id),
              },
            }),
        async run({ tx, company: { company_id }, job: { id } }) {
          if (lane === 'inside') await wait(company_id);
          await leaveTrace(tx, company_id, id, lane);
        },
      };
      for (const company of family)
        await enqueue(db, company, new Date('2026-01-01T00:00:00Z'), ...many(lane, Math.ceil(60 / size)));
      startWorker(t, [handler], resolve, { mail: 2 });
      await until(() => running === places / 2);
      await enqueue(db, stranger, start, ...many(lane, 20));
      await until(async () => (await count(stranger, lane)) === 20);
      assert.equal(running, places / 2, 'its owner has half of the places');
      resolve();
      for (const company of family)
        await until(async () => (await count(company, lane)) === Math.ceil(60 / size));
    });

test('given jobs of a company that hold its share of the connections, when it calls, then it waits, and a stranger does not', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const small = place.open(4);
  const [busy, stranger] = await Promise.all([place.company(), place.company()]);
  const { running, handlers } = handlersOf({ inside: promise });
  await enqueue(small, busy, start, ...many('inside', 4));
  startWorker(t, handlers, resolve, {}, small);
  await until(() => running.inside === 2);
  const order: string[] = [];
  const read = (company: string, name: string) =>
    small.read(company, async (tx) => {
      await tx`select 1`;
      order.push(name);
    });
  const theirs = read(busy, 'busy');
  for (let i = 0; i < 5; i++) await read(stranger, 'stranger');
  assert.deepEqual(order, Array(5).fill('stranger'));
  resolve();
  await theirs;
  assert.equal(order.at(-1), 'busy');
  await until(async () => (await count(busy, 'inside')) === 4);
});
