import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ruleOfUse } from './reuse.ts';

const first = new Date('2026-11-21T10:00:00Z');
const cases = [
  [null, 0, 0, 'answer'],
  [first, 1, 0, 'answer'],
  [first, 1, 30_000, 'answer'],
  [first, 5, 30_000, 'answer'],
  [first, 6, 1, 'refuse'],
  [first, 1, 30_001, 'end'],
  [first, 6, 30_001, 'end'],
] as const;
for (const [first_used_at, uses, after_ms, expected] of cases) {
  test(`a token used ${uses} times, first ${after_ms} ms ago: ${expected}`, () => {
    assert.equal(ruleOfUse({ first_used_at, uses }, new Date(first.getTime() + after_ms)), expected);
  });
}
