import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Ending } from './messages.ts';
import { pausesMs, Seat, type Sitter } from './seat.ts';

class FakeProcess implements Sitter {
  readonly pid: number;
  readonly exited: Promise<string>;
  readonly die: (how: string) => void;
  ended: Ending | null = null;

  constructor(pid: number) {
    this.pid = pid;
    const { promise, resolve } = Promise.withResolvers<string>();
    this.exited = promise;
    this.die = resolve;
  }

  async end(how: Ending): Promise<void> {
    this.ended = how;
    this.die('code 0');
  }
}

/** A seat whose pauses are over at once, and whose processes start as `behaviour` says. */
function makeSeat(behaviour: (nth: number) => 'lives' | 'dies' | 'refused') {
  const pauses: number[] = [];
  const said: string[] = [];
  const started: FakeProcess[] = [];
  let now = 0;
  const { promise: enough, resolve: stopAll } = Promise.withResolvers<void>();
  const seat = new Seat<FakeProcess>({
    name: 'API',
    say: (line) => said.push(line),
    onGone: () => undefined,
    now: () => now,
    async wait(ms) {
      pauses.push(ms);
      now += ms;
      if (pauses.length >= 12) {
        stopAll();
        await new Promise(() => undefined);
      }
    },
    async start() {
      const how = behaviour(started.length + 1);
      if (how === 'refused') throw new Error('It is broken.');
      const one = new FakeProcess(started.length + 1);
      started.push(one);
      if (how === 'dies') one.die('code 1');
      return one;
    },
  });
  const pass = (ms: number) => {
    now += ms;
  };
  return { seat, pauses, said, started, enough, pass };
}

for (const how of ['dies', 'refused'] as const)
  test(`given processes that each ${how === 'dies' ? 'die at once' : 'are refused'}, then the pauses grow to half a minute and stay there`, async () => {
    const { seat, pauses, enough } = makeSeat(() => how);
    const first = new FakeProcess(0);
    seat.take(first);
    first.die('SIGKILL');
    await enough;
    const [least = 0] = pausesMs;
    assert.deepEqual(pauses.slice(0, 7), pausesMs);
    assert.ok(pauses.slice(7).every((ms) => ms === 30_000));
    assert.equal(least, 100);
  });

test('given a process that worked for a minute, when it dies, then another starts soon, whatever was before', async () => {
  const { seat, pauses, started, pass } = makeSeat((nth) => (nth < 3 ? 'dies' : 'lives'));
  const first = new FakeProcess(0);
  seat.take(first);
  first.die('code 1');
  while (started.length < 3) await turn();
  await turn();
  assert.deepEqual(pauses, [100, 500, 1000]);
  pass(60_000);
  started[2]!.die('SIGKILL');
  while (started.length < 4) await turn();
  assert.deepEqual(pauses, [100, 500, 1000, 100]);
});

test('given a seat, when it is renewed, then the old one leaves after the new one is ready; a refused one changes nothing', async () => {
  let is_broken = true;
  const { seat, started } = makeSeat(() => (is_broken ? 'refused' : 'lives'));
  const first = new FakeProcess(0);
  seat.take(first);
  await assert.rejects(seat.renew(), /It is broken/);
  assert.deepEqual([seat.all, first.ended], [[first], null]);
  is_broken = false;
  await seat.renew();
  assert.deepEqual([seat.all, first.ended], [[started[0]], 'leave']);
  await turn();
  assert.equal(started.length, 1, 'who was asked to leave is not replaced');
});

test('given a process that died while its seat is renewed, then one process sits there in the end', async () => {
  const { seat, started } = makeSeat(() => 'lives');
  const first = new FakeProcess(0);
  seat.take(first);
  const renewed = seat.renew();
  first.die('SIGKILL');
  await renewed;
  for (let i = 0; i < 10; i++) await turn();
  const living = started.filter(({ ended }) => ended === null);
  assert.deepEqual(seat.all, living);
  assert.equal(living.length, 1);
});

test('given a seat that is closed, when its process ends, then no other starts', async () => {
  const { seat, started, pauses } = makeSeat(() => 'lives');
  const first = new FakeProcess(0);
  seat.take(first);
  await seat.close('end');
  await turn();
  assert.deepEqual([first.ended, started, pauses], ['end', [], []]);
});
