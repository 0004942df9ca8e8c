import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countInWindow } from './window-count.ts';

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 23) + seconds * 1000);

const cases: readonly [what: string, adds: readonly number[], asks: number, waits: number][] = [
  ['one less than the most', [0, 1], 2, 0],
  ['the most', [0, 1, 2], 10, 50],
  ['the last second', [0, 1, 2], 59.5, 1],
  ['the end of the minute', [0, 1, 2], 60, 0],
  ['a minute that began anew', [0, 1, 60], 61, 0],
  ['the most, when the clock is set back', [86_400, 86_401, 86_402], 0, 0],
  ['some before the clock is set back', [86_400, 86_401, 0], 1, 0],
  ['the most after the clock was set back', [86_400, 0, 1, 2], 10, 50],
];
for (const [what, adds, asks, waits] of cases)
  test(`given three a minute, when ${what} is counted, then ${waits} seconds are waited`, () => {
    const { add, blockedFor } = countInWindow(3);
    for (const seconds of adds) add('name', at(seconds));
    assert.equal(blockedFor('name', at(asks)), waits);
    assert.equal(blockedFor('other', at(asks)), 0);
  });
