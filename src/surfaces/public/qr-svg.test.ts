import assert from 'node:assert/strict';
import { test } from 'node:test';
import { qrMatrix } from '../../platform/qr-png.ts';
import { qrSvg } from './qr-svg.ts';

test('the drawing has the modules of the symbol, and four white ones around it', () => {
  for (const length of [1, 80, 150, 400]) {
    const text = 'https://a.es/?'.padEnd(length, 'n').slice(0, length);
    const { size, modules } = qrMatrix(text);
    const svg = qrSvg(text, 'Código "QR"').text;
    assert.ok(svg.includes(`viewBox="-4 -4 ${size + 8} ${size + 8}"`));
    assert.ok(svg.includes('aria-label="Código &quot;QR&quot;"'));
    const drawn = new Uint8Array(size * size);
    const path = / d="([^"]+)"/.exec(svg)?.[1] ?? '';
    assert.match(path, /^(M\d+ \d+h\d+v1h-\d+z)+$/);
    for (const [, x, y, right, left] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-(\d+)z/g)) {
      assert.equal(right, left);
      drawn.fill(1, Number(y) * size + Number(x), Number(y) * size + Number(x) + Number(right));
    }
    assert.deepEqual(drawn, Uint8Array.from(modules));
  }
});
