import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { countCall, inTurns, makeGivingWay } from './give-way.ts';

/** Holds the thread. */
function work(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

function* steps(count: number, seen: string[], name: string): Generator<void, string, void> {
  for (let at = 0; at < count; at++) {
    work(6);
    seen.push(name);
    yield;
  }
  return name;
}

test('given long works at once, when they go on, then one step is made in each turn of the event loop, and they take turns', async () => {
  const ends = [countCall(), countCall()];
  const seen: string[] = [];
  let most = 0;
  let is_over = false;
  const watched = (async () => {
    for (let before = seen.length; !is_over; before = seen.length) {
      await turn();
      most = Math.max(most, seen.length - before);
    }
  })();
  await turn();
  const works = ['a', 'b', 'c'].map(async (name) => {
    await turn();
    return inTurns(steps(3, seen, name));
  });
  // Their first steps are made before they give way for the first time.
  await turn();
  await turn();
  most = 0;
  assert.deepEqual(await Promise.all(works), ['a', 'b', 'c']);
  is_over = true;
  await watched;
  for (const end of ends) end();
  assert.equal(most, 1);
  assert.equal(seen.slice(3).join(''), 'abcabc');
});

test('given short work, when it gives way, then it goes on at once', async () => {
  let is_later = false;
  setImmediate(() => {
    is_later = true;
  });
  // On a busy machine even this may take long, so its clock stands.
  const done = await inTurns(
    (function* () {
      yield;
      return is_later;
    })(),
    makeGivingWay(() => 0),
  );
  assert.equal(done, false);
});
