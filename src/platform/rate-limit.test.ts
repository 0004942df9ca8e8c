/** Processes that share a window; test/scenarios/rate-limits.test.ts has what callers see. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SetClock, WorkerPlace } from '../../test/support/worker-place.ts';
import { newId } from '../kernel/uuid7.ts';
import { makeRateLimiter, type RateTable } from './rate-limit.ts';

const place = await WorkerPlace.make();
const db = place.open();
const table = { small: [3, 1], scale: [100, 40] } as const satisfies RateTable;

const limiters = (clock: SetClock, count: number) =>
  Array.from({ length: count }, () => makeRateLimiter(db.index, table, clock));

test('exactly the limit passes, one after the other or all at once, over any number of processes', async () => {
  for (const count of [1, 2, 7]) {
    for (const tier of ['small', 'scale'] as const) {
      const clock = new SetClock('2026-11-21T10:00:10Z');
      const processes = limiters(clock, count);
      const key = newId();
      const [reads, writes] = table[tier];
      const states = await Promise.all(
        Array.from({ length: reads + 60 }, (_, i) => processes[i % count]!.spend(key, tier, 'read')),
      );
      const allowed = states.filter((s) => s?.allowed).length;
      // One process's unspent share is not another's, so there may be fewer than the limit, never more.
      assert.ok(
        allowed <= reads && allowed >= reads - (count - 1) * Math.ceil(reads / 10),
        `${allowed} of ${reads}`,
      );
      if (count === 1) assert.equal(allowed, reads);
      // Writes have their own window, and so has each key.
      assert.equal((await processes[0]!.spend(key, tier, 'write'))?.allowed, true);
      assert.equal((await processes[0]!.spend(newId(), tier, 'read'))?.allowed, true);
      assert.equal((await processes[0]!.spend(newId(), tier, 'write'))?.limit, writes);
    }
  }
});

test('what remains counts down to nothing and never below', async () => {
  const [limiter] = limiters(new SetClock('2026-11-21T10:00:10Z'), 1);
  const key = newId();
  const remaining = [];
  for (let i = 0; i < 5; i++) remaining.push((await limiter!.spend(key, 'small', 'read'))?.remaining);
  assert.deepEqual(remaining, [2, 1, 0, 0, 0]);
});

test('a window lasts a minute of real time, and the next one is whole', async () => {
  const clock = new SetClock('2026-11-21T10:00:59.500Z');
  const [limiter] = limiters(clock, 1);
  const key = newId();
  for (let i = 0; i < 4; i++) await limiter!.spend(key, 'small', 'read');
  const spent = await limiter!.spend(key, 'small', 'read');
  assert.deepEqual([spent?.allowed, spent?.reset_seconds], [false, 1]);
  clock.advance(0.5);
  const next = await limiter!.spend(key, 'small', 'read');
  assert.deepEqual([next?.allowed, next?.remaining, next?.reset_seconds], [true, 2, 60]);
});

test('a process that starts anew knows what the others spent', async () => {
  const clock = new SetClock('2026-11-21T10:00:10Z');
  const key = newId();
  const [old, fresh] = limiters(clock, 2);
  for (let i = 0; i < 3; i++) assert.equal((await old!.spend(key, 'small', 'read'))?.allowed, true);
  assert.equal((await fresh!.spend(key, 'small', 'read'))?.allowed, false);
});

test('most requests ask the database nothing', async () => {
  const clock = new SetClock('2026-11-21T10:00:10Z');
  let queries = 0;
  const counting = new Proxy(db.index, {
    apply: (target, _self, args) => {
      queries += 1;
      return Reflect.apply(target, undefined, args);
    },
  });
  const limiter = makeRateLimiter(counting, table, clock);
  const key = newId();
  for (let i = 0; i < 150; i++) await limiter.spend(key, 'scale', 'read');
  assert.ok(queries <= 11, `${queries} queries`);
});

test('without a limit nothing is counted; old windows are dropped, recent ones kept', async () => {
  const clock = new SetClock('2026-11-21T10:00:10Z');
  const free = makeRateLimiter(db.index, null, clock);
  assert.equal(await free.spend(newId(), 'small', 'read'), undefined);
  const [limiter] = limiters(clock, 1);
  assert.equal(await limiter!.spend(newId(), 'unknown', 'read'), undefined);
  const [old, recent] = [newId(), newId()];
  await limiter!.spend(old, 'small', 'read');
  clock.advance(11 * 60);
  await limiter!.spend(recent, 'small', 'read');
  await limiter!.purge();
  const kept = await place.sql<
    { key_id: string }[]
  >`select key_id from rate_windows where key_id in (${old}, ${recent})`;
  assert.deepEqual(
    kept.map((row) => row.key_id),
    [recent],
  );
});

test('a database that is away is told to the caller, and forgotten when it is back', async () => {
  const clock = new SetClock('2026-11-21T10:00:10Z');
  let is_away = true;
  const shaky = new Proxy(db.index, {
    apply: (target, _self, args) =>
      is_away ? Promise.reject(new Error('away')) : Reflect.apply(target, undefined, args),
  });
  const limiter = makeRateLimiter(shaky, table, clock);
  const key = newId();
  await assert.rejects(limiter.spend(key, 'small', 'read'), /away/);
  is_away = false;
  const states = [];
  for (let i = 0; i < 4; i++) states.push((await limiter.spend(key, 'small', 'read'))?.allowed);
  assert.deepEqual(states, [true, true, true, false]);
});
