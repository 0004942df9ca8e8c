import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closingLines } from '../../scripts/test-run/run-tests.ts';

const counts = { passed: 10_000, failed: 1, skipped: 2 };
const times = Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`${i}.test.ts`, i + 0.25]));

test('given a run, then its last lines tell its time, its ten slowest files and how its tests ended', () => {
  const lines = closingLines({ has_passed: false, seconds: 419.6, counts, times });
  assert.deepEqual(
    [lines[1], lines.at(-1)],
    ['12 files in 7 min 0 s. The slowest:', '10000 passed, 1 failed, 2 skipped'],
  );
  const slowest = lines.slice(2, -1);
  assert.deepEqual([slowest.length, slowest[0]], [10, '   11.3 s  11.test.ts']);
});

test('given a run of less than a minute, then its time is in seconds', () => {
  const lines = closingLines({ has_passed: true, seconds: 59.4, counts, times });
  assert.equal(lines[1], '12 files in 59 s. The slowest:');
});
