import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { type ListTurnBounds, ListTurns, type EndTurn, TurnsTaken } from './list-turns.ts';

/** Calls go on until the test ends them. Names begin with the company's. The clock stands until it is set. */
function calling(bounds: Partial<ListTurnBounds> = {}) {
  const clock = { now: 0 };
  const turns = new ListTurns({ at_once: 2, turn_ms: 60_000, ...bounds }, () => clock.now);
  const ends = new Map<string, EndTurn>();
  return {
    clock,
    begun: () => [...ends.keys()].join(' '),
    async ask(...names: string[]): Promise<void> {
      for (const name of names) void turns.take(name[0]!).then((end) => ends.set(name, end));
      await turn();
    },
    async end(name: string): Promise<void> {
      ends.get(name)!();
      await turn();
    },
    endAll() {
      for (const end of ends.values()) end();
    },
    turns,
  };
}

test('given a company that calls alone, when it calls much at once, then all is worked at once', async () => {
  const { ask, begun, endAll } = calling();
  await ask('a1', 'a2', 'a3', 'a4', 'a5');
  assert.equal(begun(), 'a1 a2 a3 a4 a5');
  endAll();
});

test('given another company that called just now, when a company calls much at once, then few are worked at a time, in their order', async () => {
  const { ask, begun, end, endAll } = calling();
  await ask('b1', 'a1', 'a2', 'a3', 'a4');
  assert.equal(begun(), 'b1 a1 a2');
  await ask('b2');
  assert.equal(begun(), 'b1 a1 a2 b2', 'the other one waits for nobody');
  await end('a2');
  assert.equal(begun(), 'b1 a1 a2 b2 a3');
  await end('a2');
  assert.equal(begun(), 'b1 a1 a2 b2 a3', 'a turn ends once');
  await end('b1');
  assert.equal(begun(), 'b1 a1 a2 b2 a3', 'an end is of its own company');
  await end('a1');
  assert.equal(begun(), 'b1 a1 a2 b2 a3 a4');
  endAll();
});

test('given a company that began much while it was alone, when another calls, then none of the first begins until few are left', async () => {
  const { ask, begun, end, endAll } = calling();
  await ask('a1', 'a2', 'a3', 'a4', 'b1', 'a5');
  assert.equal(begun(), 'a1 a2 a3 a4 b1');
  await end('a1');
  await end('a2');
  assert.equal(begun(), 'a1 a2 a3 a4 b1');
  await end('a3');
  assert.equal(begun(), 'a1 a2 a3 a4 b1 a5');
  endAll();
});

test('given calls that wait, when the others have not called for the time, then all that wait begin with the next end or call', async () => {
  const { ask, begun, clock, end, endAll } = calling({ company_ms: 1000 });
  await ask('b1', 'c1', 'a1', 'a2', 'a3', 'a4', 'a5');
  clock.now = 1000;
  await end('a1');
  assert.equal(begun(), 'b1 c1 a1 a2 a3');
  clock.now = 1001;
  await ask('a6');
  assert.equal(begun(), 'b1 c1 a1 a2 a3 a4 a5 a6');
  endAll();
});

test('given calls that wait for something else, when their turn is over, then the next begin, and their late end counts nothing', async () => {
  const { ask, begun, end, endAll } = calling({ turn_ms: 1 });
  await ask('b1', 'a1', 'a2', 'a3', 'a4', 'a5');
  while (begun() !== 'b1 a1 a2 a3 a4 a5') await turn();
  await end('a1');
  await ask('a6');
  endAll();
});

test('given as many waiting calls as a company may have, when it calls again, then that call is refused and another company is not', async () => {
  const { ask, begun, turns, endAll } = calling({ waiting_max: 2 });
  await ask('b1', 'a1', 'a2', 'a3', 'a4');
  await assert.rejects(turns.take('a'), TurnsTaken);
  await ask('b2');
  assert.equal(begun(), 'b1 a1 a2 b2');
  endAll();
});

test('given a company that lists much at once, when another makes other calls, then few lists are worked at a time', async () => {
  const { ask, begun, turns, endAll } = calling();
  turns.note('b');
  await ask('a1', 'a2', 'a3');
  assert.equal(begun(), 'a1 a2');
  endAll();
});
