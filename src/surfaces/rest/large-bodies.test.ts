import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as rest, setImmediate as turn } from 'node:timers/promises';
import { startApp } from '../../../test/harness.ts';
import { until } from '../../../test/support/worker-place.ts';
import { ArrivedInTurn, LargeBodies } from './large-bodies.ts';

test('given large bodies of one owner, when they have arrived, then one is worked at a time, and a stranger does not wait', async () => {
  const bodies = new LargeBodies();
  const begun: string[] = [];
  const arrive = (name: string) => bodies.takeTurn(name[0]!, () => void begun.push(name));
  for (const name of ['a1', 'a2', 'a3', 'b1']) arrive(name);
  assert.deepEqual(begun, ['a1', 'b1']);
  while (begun.length < 4) await turn();
  assert.deepEqual(begun, ['a1', 'b1', 'a2', 'a3']);
});

test('given small bodies, when more of one owner come in a turn than are worked at once, then the rest are told to wait', async () => {
  const arrived = new ArrivedInTurn();
  const times = (name: string, count: number, length = 16_000) =>
    Array.from({ length: count }, () => arrived.isTooMuch(name, length));
  assert.deepEqual(times('a', 5), [false, false, false, false, true]);
  assert.deepEqual([times('b', 1), times('a', 1, 2000)], [[false], [false]]);
  await turn();
  assert.deepEqual(times('a', 1), [false]);
});

test('given an owner that rested, when it sends again, then it does not wait', async () => {
  const bodies = new LargeBodies();
  const begun: string[] = [];
  bodies.takeTurn('a', () => void begun.push('first'));
  bodies.takeTurn('a', () => void begun.push('second'));
  while (begun.length < 2) await turn();
  // A busy machine begins the rest late, and ends it late.
  await until(async () => {
    await rest(200);
    const before = begun.length;
    bodies.takeTurn('a', () => void begun.push('later'));
    return begun.length > before;
  });
});

test('given a body that is read in several turns, when the next of its owner has arrived, then that waits until it is read', async () => {
  const bodies = new LargeBodies();
  const begun: string[] = [];
  const read = Promise.withResolvers<void>();
  bodies.takeTurn('a', () => {
    begun.push('first');
    return read.promise;
  });
  bodies.takeTurn('a', () => void begun.push('second'));
  for (let turns = 0; turns < 20; turns++) await turn();
  assert.deepEqual(begun, ['first']);
  read.resolve();
  while (begun.length < 2) await turn();
});

for (const [size, keys] of [
  ['48', 4900],
  ['15', 1700],
] as const)
  test(`given sixty bodies of ${size} kB that a company sends at once, when another reads meanwhile, then it does not wait for all of them`, async (t) => {
    const app = await startApp(t);
    const [busy, other] = [await app.given.company(), await app.given.company()];
    const body = Object.fromEntries(Array.from({ length: keys }, (_, i) => [`k${i}`, 1]));
    const read = () => app.get('/v1/clients', { key: other.live_key });
    // Schemas are compiled by first calls.
    await Promise.all([read(), app.post('/v1/clients', { key: busy.live_key, body: {} })]);
    let answered = 0;
    const sent = Array.from({ length: 60 }, async () => {
      const { status } = await app.post('/v1/clients', { key: busy.live_key, body });
      assert.equal(status, 422);
      answered += 1;
    });
    await read();
    const before = answered;
    await Promise.all(sent);
    assert.ok(before < 30, `${before} of 60 came first`);
  });
