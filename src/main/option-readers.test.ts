import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { readProcesses } from './option-readers.ts';

test('given auto, then there are as many processes as processors', () => {
  assert.equal(readProcesses('auto'), Math.min(64, availableParallelism()));
});

for (const [text, count] of [
  ['1', 1],
  ['64', 64],
] as const)
  test(`given ${text}, then there are so many processes`, () => assert.equal(readProcesses(text), count));

for (const text of ['0', '65', '-1', '1.5', 'Auto', ''])
  test(`given "${text}", then it is refused`, () =>
    assert.throws(() => readProcesses(text), /must be auto or/));
