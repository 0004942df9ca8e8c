import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { FairTurns, type TurnLimits, TurnsFull } from './fair-turns.ts';

const usual: TurnLimits = {
  at_once: 2,
  at_once_of_company: 1,
  waiting_max: 100,
  weight_max: 1000,
  wait_ms: 60_000,
};

/** Work goes on until the test ends it. Names begin with the company's. */
function working(limits: Partial<TurnLimits> = {}) {
  const turns = new FairTurns({ ...usual, ...limits });
  const begun: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<string>>();
  return {
    begun,
    ask(name: string, weight = 1): Promise<string> {
      const gate = Promise.withResolvers<string>();
      gates.set(name, gate);
      return turns.take(name[0]!, weight, () => {
        begun.push(name);
        return gate.promise;
      });
    },
    async end(name: string, fault?: Error): Promise<void> {
      if (fault) gates.get(name)!.reject(fault);
      else gates.get(name)!.resolve(name);
      await turn();
    },
  };
}

test('given a company that asks for much, when others ask for one, then theirs begin at once or before its next', async () => {
  const { ask, end, begun } = working();
  const asked = ['a1', 'a2', 'a3', 'b1', 'c1', 'b2'].map((name) => ask(name));
  assert.deepEqual(begun, ['a1', 'b1'], 'one of two places is for others');
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']) await end(name);
  assert.deepEqual(begun, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  assert.deepEqual(await Promise.all(asked), ['a1', 'a2', 'a3', 'b1', 'c1', 'b2']);
});

test('given one company alone, when it asks for much, then a place stays free', async () => {
  const { ask, end, begun } = working({ at_once: 4, at_once_of_company: 2 });
  const asked = ['a1', 'a2', 'a3', 'a4'].map((name) => ask(name));
  assert.deepEqual(begun, ['a1', 'a2']);
  for (const name of ['a2', 'a1', 'a3', 'a4']) await end(name);
  assert.deepEqual(begun, ['a1', 'a2', 'a3', 'a4']);
  await Promise.all(asked);
});

test('given work that fails, then the next has its place', async () => {
  const { ask, end, begun } = working();
  const failing = assert.rejects(ask('a1'), /out of ink/);
  const waiting = ask('a2');
  await end('a1', new Error('out of ink'));
  await failing;
  await end('a2');
  assert.equal(await waiting, 'a2');
  assert.deepEqual(begun, ['a1', 'a2']);
});

const isFull = (is_own: boolean) => (error: unknown) => error instanceof TurnsFull && error.is_own === is_own;

test('given too much that waits, or too much of one company, then it is full for that company, or for all', async () => {
  const { ask, end, begun } = working({ at_once: 1, waiting_max: 6, weight_max: 100 });
  const asked = [ask('a0'), ...['a1', 'a2', 'a3'].map((name) => ask(name))];
  await assert.rejects(ask('a4'), isFull(true));
  asked.push(ask('b1', 45));
  await assert.rejects(ask('b2', 6), isFull(true));
  await assert.rejects(ask('c1', 60), isFull(false), 'all that waits would weigh too much');
  asked.push(ask('c2', 50));
  asked.push(ask('d1', 1));
  await assert.rejects(ask('e1'), isFull(false));
  for (const name of ['a0', 'b1', 'c2', 'd1', 'a1', 'a2', 'a3']) await end(name);
  await Promise.all(asked);
  assert.deepEqual(begun, ['a0', 'b1', 'c2', 'd1', 'a1', 'a2', 'a3'], 'who had a turn comes last');
  // Work over the limit has its turn when nobody else waits.
  const [first, heavy] = [ask('f1'), ask('f2', 1000)];
  await end('f1');
  await end('f2');
  assert.deepEqual(await Promise.all([first, heavy]), ['f1', 'f2']);
});

test('given work that waits, when its time is over, then it leaves the queue, and is told whose share it was', async (t: TestContext) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { ask, end, begun } = working({ wait_ms: 5000 });
  const running = [ask('a1'), ask('b1')];
  const late = [assert.rejects(ask('a2'), isFull(true)), assert.rejects(ask('c1'), isFull(false))];
  t.mock.timers.tick(5000);
  await Promise.all(late);
  running.push(ask('c2'));
  await end('a1');
  assert.deepEqual(begun, ['a1', 'b1', 'c2']);
  for (const name of ['b1', 'c2']) await end(name);
  await Promise.all(running);
});
