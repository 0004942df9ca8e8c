/** Checked by an independent reader, and by the standard where it says nothing. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import jsQR from 'jsqr';
import { qrMatrix, qrPng } from './qr-png.ts';

type Picture = {
  width: number;
  height: number;
  pixels: Uint8ClampedArray<ArrayBuffer>;
  chunks: Map<string, Buffer>;
};

/** One bit a pixel, with the two row filters that need only exclusive or. */
function readPng(png: Buffer): Picture {
  assert.equal(png.toString('latin1', 0, 8), '\x89PNG\r\n\x1a\n');
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    assert.equal(crc32(png.subarray(at + 4, at + 8 + length)), png.readUInt32BE(at + 8 + length));
    chunks.set(png.toString('latin1', at + 4, at + 8), png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const header = chunks.get('IHDR') ?? Buffer.alloc(13);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  assert.deepEqual([...header.subarray(8)], [1, 0, 0, 0, 0]);
  const rows = inflateSync(chunks.get('IDAT') ?? Buffer.alloc(0));
  const stride = Math.ceil(width / 8);
  assert.equal(rows.length, (stride + 1) * height);
  const pixels = new Uint8ClampedArray(width * height * 4).fill(255);
  let above = Buffer.alloc(stride);
  for (let y = 0; y < height; y++) {
    const row = Buffer.from(rows.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1)));
    const filter = rows[y * (stride + 1)];
    assert.ok(filter === 0 || filter === 2);
    if (filter === 2)
      row.forEach((byte, i) => {
        row[i] = (byte + (above[i] ?? 0)) & 0xff;
      });
    for (let x = 0; x < width; x++) {
      const is_light = ((row[x >> 3] ?? 0) >> (7 - (x & 7))) & 1;
      if (is_light) continue;
      const at = (y * width + x) * 4;
      pixels[at] = pixels[at + 1] = pixels[at + 2] = 0;
    }
    above = row;
  }
  return { width, height, pixels, chunks };
}

/** Dots on each side of a square that is of one colour. */
const square = 3;

/** One dot for each square: the reader takes a ninth of the time, and a module still has four by four. */
function shrunk({ pixels, width, height }: Picture): Pick<Picture, 'pixels' | 'width' | 'height'> {
  const [columns, rows] = [width / square, height / square];
  assert.ok(Number.isInteger(columns) && Number.isInteger(rows));
  const [dots, all] = [new Uint32Array(columns * rows), new Uint32Array(pixels.buffer)];
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const at = Math.floor(y / square) * columns + Math.floor(x / square);
      if (y % square === 0 && x % square === 0) dots[at] = all[y * width + x]!;
      else if (dots[at] !== all[y * width + x]) assert.fail(`pixel ${x}, ${y}`);
    }
  return { pixels: new Uint8ClampedArray(dots.buffer), width: columns, height: rows };
}

/** Dark on white only. */
function said(picture: Picture): string | undefined {
  const { pixels, width, height } = shrunk(picture);
  return jsQR.default(pixels, width, height, { inversionAttempts: 'dontInvert' })?.data;
}

/** As the format information writes them (ISO/IEC 18004, 7.9). */
const levels = ['M', 'L', 'H', 'Q'] as const;

/** From the fifteen format modules beside the upper left finder. */
function formatOf(isDark: (row: number, column: number) => boolean): {
  level: string | undefined;
  mask: number;
} {
  const columns = [0, 1, 2, 3, 4, 5, 7, 8];
  const rows = [7, 5, 4, 3, 2, 1, 0];
  const bits = [...columns.map((column) => isDark(8, column)), ...rows.map((row) => isDark(row, 8))];
  const value = bits.reduce((sum, bit) => sum * 2 + Number(bit), 0) ^ 0b101010000010010;
  return { level: levels[value >> 13], mask: (value >> 10) & 7 };
}

const hosts = ['www2.agenciatributaria.gob.es', 'prewww2.aeat.es'];
const digits = (max: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: max });
/** Every length and character that records allow; `importe` up to twelve digits, and negative. */
const anyUrl = fc
  .record({
    host: fc.constantFrom(...hosts),
    path: fc.constantFrom('ValidarQR', 'ValidarQRNoVerifactu'),
    nif: fc.constantFrom('B12345674', '00000000T', 'X0000000T'),
    numserie: fc.string({
      unit: fc.constantFrom(...' !#$%&()*+,-./019:;?@AZ[]^_`az{|}~'),
      minLength: 1,
      maxLength: 60,
    }),
    day: fc.integer({ min: 10, max: 28 }),
    importe: fc.tuple(fc.constantFrom('', '-'), digits(12)).map(([sign, whole]) => `${sign}${whole}.07`),
  })
  .map(({ host, path, nif, numserie, day, importe }) => {
    const query = { nif, numserie, fecha: `${day}-11-2026`, importe };
    const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
    return `https://${host}/wlpl/TIKE-CONT/${path}?${pairs.join('&')}`;
  });

test('given any address of the authority, when its picture is read, then it says that address, at level M', () => {
  fc.assert(
    fc.property(anyUrl, (url) => {
      const picture = readPng(qrPng(url));
      assert.equal(said(picture), url);
      const { width, pixels } = picture;
      const isDark = (row: number, column: number) =>
        pixels[(((row + 4) * 12 + 6) * width + (column + 4) * 12 + 6) * 4] === 0;
      assert.equal(formatOf(isDark).level, 'M');
    }),
    { numRuns: 60 },
  );
});

for (const length of [1, 14, 26, 62, 106, 107, 180, 331, 800]) {
  test(`given a text of ${length} characters, when its picture is read, then it says that text`, () => {
    const text = 'https://example.test/ñ'.repeat(40).slice(0, length);
    assert.equal(said(readPng(qrPng(text))), text);
  });
}

test('given the shortest and the longest address, then 40 mm of the symbol have at least 300 dots an inch', () => {
  const shortest =
    'https://prewww2.aeat.es/wlpl/TIKE-CONT/ValidarQR?nif=B12345674&numserie=1&fecha=21-11-2026&importe=0.00';
  const number = encodeURIComponent('/'.repeat(60));
  const longest = `https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQRNoVerifactu?nif=B12345674&numserie=${number}&fecha=21-11-2026&importe=-123456789012.00`;
  for (const url of [shortest, longest]) {
    const { width, chunks } = readPng(qrPng(url));
    const { size } = qrMatrix(url);
    assert.equal(width, (size + 8) * 12);
    assert.ok((size * 12) / (40 / 25.4) >= 300);
    // The symbol is 35 mm wide, the white border at least 2 mm.
    const density = chunks.get('pHYs') ?? Buffer.alloc(9);
    assert.equal(density.readUInt32BE(0), density.readUInt32BE(4));
    assert.ok(Math.abs((size * 12) / density.readUInt32BE(0) - 0.035) < 0.0001);
    assert.ok((4 * 12) / density.readUInt32BE(0) >= 0.002);
  }
});

test('given a picture, then white is around it and its modules are those of the matrix', () => {
  const text = 'https://example.test/1';
  const { size, modules } = qrMatrix(text);
  const { width, pixels } = readPng(qrPng(text));
  for (let y = 0; y < width; y++) {
    for (let x = 0; x < width; x++) {
      const [row, column] = [Math.floor(y / 12) - 4, Math.floor(x / 12) - 4];
      const inside = row >= 0 && row < size && column >= 0 && column < size;
      const dark = inside && modules[row * size + column] === 1;
      if ((pixels[(y * width + x) * 4] === 0) !== dark) assert.fail(`pixel ${x}, ${y}`);
    }
  }
});

test('given a matrix, then it holds level M and the one mask that is always used', () => {
  for (const text of ['a', 'b'.repeat(100), 'c'.repeat(300)]) {
    const { size, modules } = qrMatrix(text);
    assert.equal(modules.length, size * size);
    assert.deepEqual(
      formatOf((row, column) => modules[row * size + column] === 1),
      { level: 'M', mask: 3 },
    );
  }
});

test('given the same text, then the picture is the same; without text or with too much there is none', () => {
  assert.ok(qrPng('https://example.test/').equals(qrPng('https://example.test/')));
  assert.ok(qrPng('x'.repeat(2331)).length > 0);
  assert.throws(() => qrPng(''), /No input text/);
  assert.throws(() => qrPng('x'.repeat(2332)), /too big/);
});
