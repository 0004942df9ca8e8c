import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ConnectionPool, type Loan, PoolClosed, type PoolBounds, ShareSpent } from './connection-pool.ts';
import { ConnectionLost } from './guarded-connection.ts';

const members = (count: number) => Array.from({ length: count }, (_, at) => at);
const poolOf = (count: number, bounds?: Partial<PoolBounds>) => new ConnectionPool(members(count), bounds);

/** What is lent at once, and what waits. */
async function ask(pool: ConnectionPool<number>, owner: string | null, count: number) {
  const lent: Loan<number>[] = [];
  const waiting: Promise<Loan<number>>[] = [];
  for (let i = 0; i < count; i++) {
    const asked = pool.borrow({ owner });
    asked.then(
      (loan) => lent.push(loan),
      () => undefined,
    );
    waiting.push(asked);
  }
  await new Promise((resolve) => setImmediate(resolve));
  return { lent, waiting };
}

for (const [size, share] of [
  [2, 1],
  [3, 1],
  [4, 2],
  [10, 5],
  [11, 5],
] as const) {
  test(`of ${size} connections, one company holds ${share} at most, and the others serve the others`, async () => {
    const pool = poolOf(size);
    const hostile = await ask(pool, 'hostile', size * 3);
    assert.equal(hostile.lent.length, share);
    const quiet = await ask(pool, 'quiet', share);
    assert.equal(quiet.lent.length, share);
    // Its turn comes when it gives one back.
    pool.giveBack(hostile.lent[0]!);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(hostile.lent.length, share + 1);
    pool.close();
  });
}

test('companies that wait take turns, whoever has more calls', async () => {
  const pool = poolOf(4);
  const first = await ask(pool, 'a', 2);
  const second = await ask(pool, 'b', 2);
  const order: string[] = [];
  const later = (owner: string) =>
    pool.borrow({ owner }).then((loan) => {
      order.push(owner);
      pool.giveBack(loan);
    });
  const all = [...Array.from({ length: 4 }, () => later('c')), later('d'), later('d'), later('e')];
  for (const loan of [...first.lent, ...second.lent].slice(0, 1)) pool.giveBack(loan);
  await Promise.all(all);
  assert.deepEqual(order, ['c', 'd', 'e', 'c', 'd', 'c', 'c']);
});

test('background work goes before the calls of its company, in the order in which it came', async () => {
  const pool = poolOf(2);
  const { lent } = await ask(pool, 'a', 1);
  const order: string[] = [];
  const calls = [false, true, false, true, true].map((goes_first, at) =>
    pool.borrow({ owner: 'a', goes_first }).then((loan) => {
      order.push(`${at}`);
      pool.giveBack(loan);
    }),
  );
  pool.giveBack(lent[0]!);
  await Promise.all(calls);
  assert.deepEqual(order, ['1', '3', '4', '0', '2']);
});

test('a company whose share stays spent is told so, and so is one with too many waiting', async () => {
  const pool = poolOf(4, { share_wait_ms: 20, wait_ms: 40, waiting_max: 3 });
  const { lent, waiting } = await ask(pool, 'a', 6);
  assert.equal(lent.length, 2);
  await assert.rejects(waiting[5]!, ShareSpent);
  await assert.rejects(waiting[2]!, ShareSpent);
  // Nobody's share is spent, but all are lent.
  await ask(pool, 'b', 2);
  await assert.rejects(pool.borrow({ owner: 'c' }), ConnectionLost);
  await assert.rejects(pool.borrow({ owner: null }), ConnectionLost);
  // Who gave up takes nothing.
  pool.giveBack(lent[0]!);
  assert.equal((await ask(pool, 'c', 1)).lent.length, 1);
});

test('given background work that gave up, when more comes, then its order stays', async () => {
  const pool = poolOf(2, { share_wait_ms: 20, wait_ms: 20 });
  const { lent } = await ask(pool, 'a', 1);
  const given_up = [0, 1].map(() =>
    assert.rejects(pool.borrow({ owner: 'a', goes_first: true }), ShareSpent),
  );
  await Promise.all(given_up);
  const order: string[] = [];
  const calls = [false, true, true].map((goes_first, at) =>
    pool.borrow({ owner: 'a', goes_first }).then((loan) => {
      order.push(`${at}`);
      pool.giveBack(loan);
    }),
  );
  pool.giveBack(lent[0]!);
  await Promise.all(calls);
  assert.deepEqual(order, ['1', '2', '0']);
});

test('given a pool that is closed, when anybody borrows, then it is refused at once', async () => {
  const pool = poolOf(2);
  const [loan] = (await ask(pool, 'a', 1)).lent;
  pool.close();
  for (const owner of ['a', 'b', null]) await assert.rejects(pool.borrow({ owner }), PoolClosed);
  pool.giveBack(loan!);
  await assert.rejects(pool.borrow({ owner: 'a' }), PoolClosed);
});

test('the service itself has no share', async () => {
  const pool = poolOf(4);
  assert.equal((await ask(pool, null, 4)).lent.length, 4);
  pool.close();
});
