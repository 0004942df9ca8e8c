import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { roundDiv } from './amount.ts';
import { apportion } from './apportion.ts';

// Parts in cents, percentage, expected shares of the rounded whole.
const cases = [
  ['nothing to share', [], 10n, []],
  ['one part', [45n], 10n, [5n]],
  ['the rounded parts add up', [1000n, 2000n], 21n, [210n, 420n]],
  ['a cent too many is taken from the last', [15n, 15n, 15n], 10n, [2n, 2n, 1n]],
  ['a missing cent goes to the first', [14n, 14n, 14n], 10n, [2n, 1n, 1n]],
  ['a missing cent goes to the largest remainder', [11n, 14n, 11n, 12n], 10n, [1n, 2n, 1n, 1n]],
  ['negative parts mirror the positive', [-15n, -15n, -15n], 10n, [-2n, -2n, -1n]],
  ['parts that cancel out', [10000n, -10000n], 15n, [1500n, -1500n]],
  ['a tie within a total of nothing', [15n, 15n, -30n], 10n, [2n, 1n, -3n]],
  ['its mirror', [-15n, -15n, 30n], 10n, [-2n, -1n, 3n]],
  ['a part of nothing gets nothing', [0n, 14n, 14n, 14n], 10n, [0n, 2n, 1n, 1n]],
] as const;
for (const [name, parts, percent, expected] of cases) {
  test(`apportion: ${name}`, () => {
    const total = roundDiv(parts.reduce((sum: bigint, part) => sum + part, 0n) * percent, 100n);
    assert.deepEqual(apportion(parts, percent, 100n, total), expected);
  });
}

const part = fc.oneof(
  fc.bigInt({ min: -500n, max: 500n }),
  fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }),
);
const parts = fc.array(part, { maxLength: 30 });
const ratio = fc.oneof(
  fc.bigInt({ min: 0n, max: 10_000n }).map((n) => [n, 10_000n] as const),
  fc.bigInt({ min: 0n, max: 10_000n }).map((n) => [10_000n, 10_000n + n] as const),
);
const wholeOf = (list: bigint[], n: bigint, d: bigint) =>
  roundDiv(list.reduce((sum, part) => sum + part, 0n) * n, d);

test('property: shares add up, are within a cent of the exact ones, and none could lose less', () => {
  fc.assert(
    fc.property(parts, ratio, (list, [n, d]) => {
      const total = wholeOf(list, n, d);
      const shares = apportion(list, n, d, total);
      assert.equal(
        shares.reduce((sum, share) => sum + share, 0n),
        total,
      );
      // Distance from the exact share, times d. Any two differ by at most one cent.
      const off = shares.map((share, i) => share * d - list[i]! * n);
      for (const distance of off) assert.ok(distance < d && distance > -d);
      for (const a of off) for (const b of off) assert.ok(a - b <= d);
    }),
  );
});

test('property: opposite parts give opposite shares', () => {
  fc.assert(
    fc.property(parts, ratio, (list, [n, d]) => {
      const opposite = list.map((part) => -part);
      const shares = apportion(list, n, d, wholeOf(list, n, d));
      const mirrored = apportion(opposite, n, d, wholeOf(opposite, n, d));
      assert.deepEqual(
        mirrored,
        shares.map((share) => -share),
      );
    }),
  );
});
