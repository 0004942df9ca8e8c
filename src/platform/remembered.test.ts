import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keptUnlessFailed, remembered } from './remembered.ts';

function asking(ms: number) {
  const asked: PromiseWithResolvers<string>[] = [];
  let now = 0;
  const ask = remembered(
    ms,
    () => {
      const one = Promise.withResolvers<string>();
      asked.push(one);
      return one.promise;
    },
    () => now,
  );
  return {
    asked,
    ask,
    at(time: number) {
      now = time;
    },
  };
}

test('given answers that take longer than they are remembered, when many ask, then one question is under way', async () => {
  const { asked, ask, at } = asking(1000);
  const waiting = [ask()];
  for (const time of [500, 1000, 5000]) {
    at(time);
    waiting.push(ask());
  }
  assert.equal(asked.length, 1);
  asked[0]!.resolve('slow');
  assert.deepEqual(await Promise.all(waiting), ['slow', 'slow', 'slow', 'slow']);
});

test('an answer is remembered from when it came, a fault too', async () => {
  const { asked, ask, at } = asking(1000);
  const first = ask();
  at(3000);
  asked[0]!.resolve('first');
  assert.equal(await first, 'first');
  at(3999);
  assert.equal(await ask(), 'first');
  at(4000);
  const second = ask();
  assert.equal(asked.length, 2);
  at(9000);
  asked[1]!.reject(new Error('away'));
  await assert.rejects(second, /away/);
  at(9999);
  await assert.rejects(ask(), /away/);
  at(10_000);
  ask();
  assert.equal(asked.length, 3);
});

test('given a question that throws at once, when it is asked again later, then it is asked', async () => {
  let [count, now] = [0, 0];
  const ask = remembered(
    1000,
    () => {
      count += 1;
      throw new Error('no pool');
    },
    () => now,
  );
  await assert.rejects(async () => ask(), /no pool/);
  await assert.rejects(async () => ask(), /no pool/);
  assert.equal(count, 1);
  now = 1000;
  await assert.rejects(async () => ask(), /no pool/);
  assert.equal(count, 2);
});

test('given what failed when it was made first, when it is asked for again, then it is made again and kept', async () => {
  let times = 0;
  const ask = keptUnlessFailed(async () => {
    times += 1;
    if (times === 1) throw new Error('no memory');
    return times;
  });
  const first = await Promise.allSettled([ask(), ask()]);
  assert.deepEqual(
    first.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.deepEqual([await ask(), await ask(), times], [2, 2, 2]);
});
