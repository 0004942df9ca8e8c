import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { PrinterBusy } from './ports.ts';
import { PrintTurns } from './print-turns.ts';

/** Documents print until the test ends them. Names begin with the company's. */
function printing(at_once: number, limits?: ConstructorParameters<typeof PrintTurns>[1]) {
  const turns = new PrintTurns(at_once, limits);
  const begun: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<string>>();
  return {
    begun,
    ask(name: string, characters = 1): Promise<string> {
      const gate = Promise.withResolvers<string>();
      gates.set(name, gate);
      return turns.take(name[0]!, characters, () => {
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

test('given a company with many documents, when others ask for one, then theirs are printed before its next but one', async () => {
  const { ask, end, begun } = printing(2);
  const asked = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1', 'b2'].map((name) => ask(name));
  assert.deepEqual(begun, ['a1', 'a2']);
  for (const name of ['a2', 'a1', 'b1', 'a3', 'c1', 'a4', 'b2', 'a5']) await end(name);
  assert.deepEqual(begun, ['a1', 'a2', 'a3', 'b1', 'c1', 'a4', 'b2', 'a5']);
  assert.deepEqual(await Promise.all(asked), ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'c1', 'b2']);
  void ask('d1');
  void ask('d2');
  void ask('d3');
  assert.deepEqual(begun.slice(8), ['d1', 'd2'], 'there is room for two again, and for no more');
});

test('given a document that cannot be printed, then the next has its place', async () => {
  const { ask, end, begun } = printing(1);
  const failing = assert.rejects(ask('a1'), /out of ink/);
  const waiting = ask('a2');
  await end('a1', new Error('out of ink'));
  await failing;
  await end('a2');
  assert.equal(await waiting, 'a2');
  assert.deepEqual(begun, ['a1', 'a2']);
});

test('given too many that wait, or too much of one company, then it is busy for that company, or for all', async () => {
  const { ask, end, begun } = printing(1, { waiting_max: 6, characters_max: 100 });
  const asked = [ask('a0'), ...['a1', 'a2', 'a3'].map((name) => ask(name))];
  await assert.rejects(ask('a4'), PrinterBusy);
  asked.push(ask('b1', 45));
  await assert.rejects(ask('b2', 6), PrinterBusy);
  await assert.rejects(ask('c1', 60).then(), PrinterBusy, 'all that wait would be too long');
  asked.push(ask('c2', 50));
  asked.push(ask('d1', 1));
  await assert.rejects(ask('e1'), PrinterBusy);
  for (const name of ['a0', 'a1', 'b1', 'c2', 'd1', 'a2', 'a3']) await end(name);
  await Promise.all(asked);
  assert.deepEqual(begun, ['a0', 'a1', 'b1', 'c2', 'd1', 'a2', 'a3']);
  // A document over the limit is printed when nobody else waits.
  const [first, long] = [ask('f1'), ask('f2', 1000)];
  await end('f1');
  await end('f2');
  assert.deepEqual(await Promise.all([first, long]), ['f1', 'f2']);
});
