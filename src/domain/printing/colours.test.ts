import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contrast, darkPaper, lightPaper, pageColours } from './colours.ts';

test('contrast is what WCAG says of well-known pairs', () => {
  const pairs: [string, string, number][] = [
    ['#000000', '#ffffff', 21],
    ['#ffffff', '#ffffff', 1],
    ['#777777', '#ffffff', 4.48],
    ['#767676', '#ffffff', 4.54],
    ['#ff0000', '#ffffff', 4],
    ['#0000ff', '#ffffff', 8.59],
  ];
  for (const [a, b, ratio] of pairs) {
    assert.equal(Math.round(contrast(a, b) * 100) / 100, ratio, `${a} on ${b}`);
    assert.equal(contrast(a, b), contrast(b, a));
  }
});

test('whatever a company chooses, text in its colour or on it is readable', () => {
  const colour = fc
    .integer({ min: 0, max: 0xffffff })
    .map((value) => `#${value.toString(16).padStart(6, '0')}`);
  fc.assert(
    fc.property(colour, (chosen) => {
      const { brand, on_brand, ink_on_light, ink_on_dark } = pageColours(chosen);
      assert.equal(brand, chosen);
      assert.ok(contrast(on_brand, brand) >= 4.5);
      assert.ok(contrast(ink_on_light, lightPaper) >= 4.5);
      assert.ok(contrast(ink_on_dark, darkPaper) >= 4.5);
    }),
  );
});

test('a readable colour stays as it is; no colour, or an invalid one, becomes the default', () => {
  assert.equal(pageColours('#0F766E').ink_on_light, '#0f766e');
  const house = pageColours(null);
  for (const odd of ['red', '#12345', '#1234567', '};body{display:none', ''])
    assert.deepEqual(pageColours(odd), house);
});
