/** What is found on a page, and how little of it the decoder has to see (ADR 58). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { qrMatrix } from '../../platform/qr-png.ts';
import { findQrs } from './qr-codes.ts';
import { type Grey, qrPlaces } from './qr-places.ts';

const [width, height] = [900, 900];
const text = 'https://example.com/ValidarQR?nif=B12345674&numserie=F-1&fecha=12-03-2026&importe=121.00';

function blank(value: number): Grey {
  return { width, height, grey: new Uint8Array(width * height).fill(value) };
}

type Drawn = { x: number; y: number; dots: number; turned?: number; dark?: number; light?: number };

/** Around a middle, `dots` to a module. */
function draw(page: Grey, of: string, { x, y, dots, turned = 0, dark = 0, light = 255 }: Drawn): Grey {
  const { size, modules } = qrMatrix(of);
  const [cos, sin] = [Math.cos(turned) / dots, Math.sin(turned) / dots];
  const border = 4;
  for (let v = 0; v < height; v++)
    for (let h = 0; h < width; h++) {
      const column = Math.floor(cos * (h - x) + sin * (v - y) + size / 2);
      const row = Math.floor(cos * (v - y) - sin * (h - x) + size / 2);
      if (Math.min(column, row) < -border || Math.max(column, row) >= size + border) continue;
      const is_inside = Math.min(column, row) >= 0 && Math.max(column, row) < size;
      page.grey[v * width + h] = is_inside && modules[row * size + column] ? dark : light;
    }
  return page;
}

/** The same at each run. */
function noise(): Grey {
  const page = blank(255);
  let seed = 1;
  for (const at of page.grey.keys()) {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    page.grey[at] = seed >>> 24;
  }
  return page;
}

/** Rows of bars and rings, as letters are. */
function letters(): Grey {
  const page = blank(250);
  for (let y = 20; y < height - 20; y++)
    for (let x = 20; x < width - 20; x++)
      if (y % 14 < 8 && [0, 1, 4, 5, 8].includes((x * 7 + (y >> 4)) % 11)) page.grey[y * width + x] = 20;
  return page;
}

const other = text.replace('F-1', 'F-2');
const cases: [what: string, page: Grey, found: readonly string[]][] = [
  ['a small one', draw(blank(255), text, { x: 300, y: 300, dots: 2 }), [text]],
  ['a large one', draw(blank(255), text, { x: 450, y: 450, dots: 14 }), [text]],
  ['a turned one', draw(blank(255), text, { x: 500, y: 400, dots: 4, turned: 0.4 }), [text]],
  ['one upside down', draw(blank(255), text, { x: 500, y: 400, dots: 4, turned: Math.PI }), [text]],
  ['one on its corner', draw(blank(255), text, { x: 450, y: 450, dots: 6, turned: Math.PI / 4 }), [text]],
  ['a pale one', draw(blank(200), text, { x: 300, y: 600, dots: 4, dark: 120, light: 200 }), [text]],
  ['one among letters', draw(letters(), text, { x: 600, y: 300, dots: 4 }), [text]],
  ['one at the edge', draw(blank(255), text, { x: width - 90, y: 90, dots: 4 }), [text]],
  [
    'two side by side',
    draw(draw(blank(255), text, { x: 250, y: 300, dots: 4 }), other, { x: 450, y: 300, dots: 4 }),
    [text, other],
  ],
  ['none', blank(255), []],
  ['letters', letters(), []],
  ['noise', noise(), []],
];

for (const [what, page, found] of cases)
  test(`${what} on a page: ${found.length} found`, () => {
    assert.deepEqual(findQrs(page).sort(), [...found]);
  });

test('given a page without a QR, when places are looked for, then the decoder sees nothing of it', () => {
  assert.deepEqual([qrPlaces(blank(255)), qrPlaces(letters())], [[], []]);
});
