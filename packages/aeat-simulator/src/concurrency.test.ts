import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startAuthority } from '../test/authority.ts';
import { alta, linesOf, submission } from '../test/authority-messages.ts';
import { memoryStore, type SimulatorStore } from './index.ts';

const inner = memoryStore();
const running = new Map<string, number>();
let most_of_one = 0;
let most_together = 0;
let release: () => void = () => undefined;
let gate: Promise<void> = Promise.resolve();
/** Counts the callers between reading and writing. */
const store: SimulatorStore = {
  ...inner,
  async find(company_id, keys) {
    running.set(company_id, (running.get(company_id) ?? 0) + 1);
    most_of_one = Math.max(most_of_one, running.get(company_id) ?? 0);
    most_together = Math.max(
      most_together,
      [...running.values()].reduce((a, b) => a + b, 0),
    );
    if (company_id === 'held') await gate;
    await new Promise(setImmediate);
    return inner.find(company_id, keys);
  },
  async save(company_id, rows) {
    await inner.save(company_id, rows);
    running.set(company_id, (running.get(company_id) ?? 0) - 1);
  },
};
const { simulator, client } = await startAuthority({ store });

test('the same record sent twenty times at once enters once', async () => {
  const message = submission([alta('A1'), alta('A2')]);
  const results = await Promise.all(
    Array.from({ length: 20 }, async () =>
      linesOf((await client.post(message, { sandbox: 'one' })).text).join(),
    ),
  );
  const entered = results.filter((lines) => lines === 'Correcto,Correcto');
  const refused = results.filter((lines) => lines === 'Incorrecto 3000,Incorrecto 3000');
  assert.deepEqual([entered.length, refused.length], [1, 19]);
});

test('each message of a company begins after the one before has been kept', async () => {
  running.clear();
  most_of_one = 0;
  const send = (number: number) => client.post(submission([alta(`B${number}`)]), { sandbox: 'ordered' });
  await Promise.all(Array.from({ length: 10 }, (_, number) => send(number)));
  assert.equal(most_of_one, 1);
});

test('a company that is held up holds up no other', async () => {
  running.clear();
  most_together = 0;
  gate = new Promise((resolve) => {
    release = resolve;
  });
  const held = client.post(submission([alta('A1')]), { sandbox: 'held' });
  while ((running.get('held') ?? 0) === 0) await new Promise(setImmediate);
  assert.deepEqual(linesOf((await client.post(submission([alta('A1')]), { sandbox: 'free' })).text), [
    'Correcto',
  ]);
  assert.equal(most_together, 2);
  release();
  assert.deepEqual(linesOf((await held).text), ['Correcto']);
});

test('a message that fails does not stop those behind it', async () => {
  const [refused, taken] = await Promise.all([
    client.post(submission([]), { sandbox: 'failing' }),
    client.post(submission([alta('A1')]), { sandbox: 'failing' }),
  ]);
  assert.deepEqual([refused.status, taken.status], [500, 200]);
  assert.ok(simulator.log.length > 0);
});
