/** What no single request shows; the rest is in test/scenarios/idempotency.test.ts. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import postgres from 'postgres';
import { parseJson } from '../kernel/json.ts';
import type { Tx } from '../kernel/operation.ts';
import { Problem } from '../kernel/problem.ts';
import { hashRequest, KeysInFlight, KeysSeen, readStored, readyAnswers } from './idempotency.ts';
import { makeSecretBox } from './secrets.ts';

const secrets = makeSecretBox('a secret key for the tests, 32 characters or more');
const hash = (operation: string, body: string, params = {}, query = {}) =>
  hashRequest(operation, { params, query, body: parseJson(body) }).toString('hex');

const same = [
  ['{"a":1,"b":2}', '{ "a" : 1,\n"b" : 2 }'],
  ['{"a":1.0}', '{"a":1}'],
  ['{"a":"\\u00e9"}', '{"a":"é"}'],
] as const;
for (const [one, two] of same) {
  test(`${one} and ${two} are one request`, () => assert.equal(hash('x', one), hash('x', two)));
}

const different = [
  ['{"a":1}', '{"a":"1"}'],
  ['{"a":1}', '{"a":1,"b":null}'],
  ['{"a":[1,2]}', '{"a":[2,1]}'],
  ['{"a":1,"b":2}', '{"b":2,"a":1}'],
  // Digits that a double would lose.
  ['{"a":12345678901234567890}', '{"a":12345678901234567891}'],
  ['{"a":1e400}', '{"a":2e400}'],
  ['{"__proto__":{"a":1}}', '{}'],
] as const;
for (const [one, two] of different) {
  test(`${one} and ${two} are two requests`, () => assert.notEqual(hash('x', one), hash('x', two)));
}

test('operation, path and query are part of the request', () => {
  const all = [
    hash('x', '{}'),
    hash('y', '{}'),
    hash('x', '{}', { id: '1' }),
    hash('x', '{}', { id: '2' }),
    hash('x', '{}', {}, { id: '1' }),
  ];
  assert.equal(new Set(all).size, all.length);
});

test('a request has the hash that an earlier version stored, so its answer is given again', () => {
  const body = '{"notes":"É","lines":[{"quantity":1.50,"unit_price":0.1234567,"tax_rate":21}],"due_on":null}';
  assert.equal(
    hash('update_invoice', body, { invoice: '0199c4a8-0000-7000-8000-000000000002' }),
    'd1b21d0eb0ba496cd1c9cead4807f0a0fc962dbe411e34be4d6b3a64de6ff7da',
  );
});

test('a body that was left out is the same as null, which no operation takes', () => {
  const none = hashRequest('x', { params: {}, query: {}, body: undefined });
  assert.ok(none.equals(hashRequest('x', { params: {}, query: {}, body: null })));
});

test('a stored answer is for the request that made it, sealed, long or neither', async () => {
  const claim = { key: 'k', operation: 'x', body_hash: Buffer.from('h'), version: '2026-10-01' };
  const answer = { kind: 'answer', status: 201, headers: {}, body: { data: { amount: 1 } } } as const;
  const text = JSON.stringify(answer);
  const company_id = 'acme';
  const place = { table: 'idempotency_keys', company_id, id: 'k' };
  const row = {
    operation: 'x',
    body_hash: Buffer.from('h'),
    api_version: null,
    answer: text,
    sealed_answer: null,
  };
  const none = (): Promise<string | null> => Promise.resolve(null);
  const read = (stored: object, readLong = none) =>
    readStored(company_id, { ...row, ...stored }, claim, secrets, readLong);
  assert.deepEqual(await read(row), answer);
  const of_version = { ...answer, version: '2026-06-01' };
  assert.deepEqual(await read({ api_version: '2026-06-01' }), of_version);
  assert.deepEqual(await read({ answer: null, sealed_answer: secrets.seal(text, place) }), answer);
  assert.deepEqual(await read({ answer: null }, () => Promise.resolve(text)), answer);
  for (const other of [{ operation: 'y' }, { body_hash: Buffer.from('i') }]) {
    await assert.rejects(
      read(other),
      (error) => error instanceof Problem && error.def.code === 'idempotency_key_reused',
    );
  }
  await assert.rejects(read({ answer: null }), /without its answer/);
});

test('a long answer is sent ahead in parts, none of which the driver writes for long; short ones are kept for their statement', async () => {
  const sent: string[] = [];
  const tx = ((_: readonly string[], ...values: string[]) => {
    sent.push(values.at(-1)!);
    return Promise.resolve([]);
  }) as unknown as Tx;
  const answerOf = (invoices: number) => ({
    kind: 'answer' as const,
    status: 200,
    headers: {},
    body: { data: { invoices: Array.from({ length: invoices }, () => ({ notes: 'ñ€🙂'.repeat(1000) })) } },
  });
  const [long, short] = [answerOf(500), answerOf(2)];
  const ready = await readyAnswers(tx, [short, long, short]);
  const parts = sent.length;
  assert.deepEqual(ready, [
    { text: JSON.stringify(short) },
    { first_part: 0, parts },
    { text: JSON.stringify(short) },
  ]);
  assert.equal(sent.join(''), JSON.stringify(long));
  for (const part of sent) assert.ok(part.length < 400_000, `${part.length} characters at once`);
});

/** While another process holds the key. */
const held = () => Object.assign(new postgres.PostgresError('lock' as never), { code: '55P03' });

test('callers of one key take turns, those of others do not wait', async () => {
  const keys = new KeysInFlight();
  let at_once = 0;
  let most = 0;
  const order: number[] = [];
  const work = (i: number) => async () => {
    at_once += 1;
    most = Math.max(most, at_once);
    await new Promise(setImmediate);
    order.push(i);
    at_once -= 1;
    return i;
  };
  const answers = await Promise.all([0, 1, 2, 3].map((i) => keys.run('c', 'k', work(i))));
  assert.deepEqual([answers, most], [[0, 1, 2, 3], 1]);
  assert.deepEqual(order.toSorted(), [0, 1, 2, 3]);

  let open: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const holding = keys.run('c', 'k', () => gate);
  assert.equal(await keys.run('c', 'other', async () => 'free'), 'free');
  assert.equal(await keys.run('d', 'k', async () => 'free'), 'free');
  open();
  await holding;
});

test('a caller whose turn fails fails alone: the next one works', async () => {
  const keys = new KeysInFlight();
  const first = keys.run('c', 'k', () => Promise.reject(new Error('broken')));
  const second = keys.run('c', 'k', async () => 'done');
  await assert.rejects(first, /broken/);
  assert.equal(await second, 'done');
});

test('a key that another process holds is tried again until it is free, or the wait is over', async () => {
  let tries = 0;
  const twice = async () => {
    tries += 1;
    if (tries < 3) throw held();
    return 'done';
  };
  assert.equal(await new KeysInFlight().run('c', 'k', twice), 'done');
  assert.equal(tries, 3);
  const locked = (error: unknown) => error instanceof Problem && error.def.code === 'resource_locked';
  await assert.rejects(
    new KeysInFlight(1).run('c', 'k', () => Promise.reject(held())),
    locked,
  );
  // Whoever waits in the process gives up too, while the first goes on.
  const keys = new KeysInFlight(20);
  let open: (text: string) => void = () => undefined;
  const first = keys.run('c', 'k', () => new Promise<string>((resolve) => (open = resolve)));
  await assert.rejects(
    keys.run('c', 'k', async () => 'never'),
    locked,
  );
  open('first');
  assert.equal(await first, 'first');
});

test('whatever fails when, each caller is answered by its own work', async () => {
  const fates = fc.array(fc.constantFrom('ok', 'fail', 'held once'), { minLength: 1, maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(fates, async (all) => {
      const keys = new KeysInFlight();
      const answers = await Promise.allSettled(
        all.map((fate, i) => {
          let tries = 0;
          return keys.run('c', 'k', async () => {
            tries += 1;
            await new Promise(setImmediate);
            if (fate === 'fail') throw new Error(`own ${i}`);
            if (fate === 'held once' && tries === 1) throw held();
            return i;
          });
        }),
      );
      for (const [i, answer] of answers.entries()) {
        if (all[i] === 'fail')
          assert.equal(answer.status === 'rejected' && answer.reason.message, `own ${i}`);
        else assert.equal(answer.status === 'fulfilled' && answer.value, i);
      }
    }),
    { numRuns: 10 },
  );
});

test('of the keys seen, the oldest are forgotten, and a company knows nothing of the keys of another', () => {
  const seen = new KeysSeen(2);
  seen.add('c', 'k1');
  seen.add('c', 'k2');
  seen.add('c', 'k1');
  seen.add('c', 'k3');
  assert.deepEqual(
    ['k1', 'k2', 'k3'].map((key) => seen.has('c', key)),
    [true, false, true],
  );
  assert.equal(seen.has('d', 'k1'), false);
});
