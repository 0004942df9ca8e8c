import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readDecimal, unitsOf } from './decimal.ts';

const cases: readonly [text: string, digits: string, point: number][] = [
  ['0', '', 0],
  ['-0.000', '', 0],
  ['0e999999999', '', 0],
  ['12.30', '123', 2],
  ['1200', '12', 4],
  ['0.0050', '5', -2],
  ['1.5e3', '15', 4],
  ['1.5e-3', '15', -2],
  ['10e-1', '1', 1],
];
for (const [text, digits, point] of cases) {
  test(`${text} has the digits "${digits}", the first at ${point}`, () => {
    const read = readDecimal(text);
    assert.deepEqual([read?.digits, read?.point, read?.is_negative], [digits, point, text.startsWith('-')]);
  });
}

for (const text of ['', '.5', '5.', '01', '+1', '1e', '0x1', 'NaN', '1 ', '1,5', '--1'])
  test(`"${text}" is no number`, () => assert.equal(readDecimal(text), undefined));

test('a number written with any exponent has the same units', () => {
  const scale = 30;
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 12n), 10n ** 12n), fc.integer({ min: -15, max: 15 }), (units, shift) => {
      const read = readDecimal(`${units}e${shift}`);
      assert.equal(unitsOf(read!, scale), units * 10n ** BigInt(scale + shift));
    }),
  );
});
