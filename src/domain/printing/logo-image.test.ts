import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleLogos } from '../../../test/support/printed-sample-logos.ts';
import { readLogo } from './logo-image.ts';

const png = Buffer.from(sampleLogos.photo.base64, 'base64');
const jpeg = Buffer.from(sampleLogos.jpeg.base64, 'base64');

const url = (type: string, bytes: Buffer | string) =>
  `data:image/${type};base64,${Buffer.from(bytes).toString('base64')}`;
function changed(bytes: Buffer, at: number, values: readonly number[]): Buffer {
  const copy = Buffer.from(bytes);
  copy.set(values, at);
  return copy;
}

/** Has no checksum, because none is read. */
function pngChunk(type: string, length: number): Buffer {
  const chunk = Buffer.alloc(12 + length);
  chunk.writeUInt32BE(length);
  chunk.write(type, 4, 'latin1');
  return chunk;
}

const faultOf = (text: string) => {
  const read = readLogo(text);
  return 'fault' in read ? read.fault : undefined;
};

test('given pictures that can be printed, when they are read, then their bytes and type are given', () => {
  const good: [name: string, text: string][] = [
    ['png', url('png', png)],
    ['jpeg', url('jpeg', jpeg)],
  ];
  for (const [name, text] of good) {
    const read = readLogo(text);
    assert.ok('bytes' in read, `${name}: ${faultOf(text)}`);
    assert.equal(`data:${read.media_type};base64,${read.bytes.toString('base64')}`, text);
  }
});

test('given what is no picture of its type, or one too large, when it is read, then its fault is told', () => {
  const width = (value: number) => [value >>> 24, (value >>> 16) & 255, (value >>> 8) & 255, value & 255];
  const frame = jpeg.indexOf('ffc0', 0, 'hex');
  const cases: [name: string, text: string, fault: RegExp][] = [
    ['an address', 'https://example.es/logo.png', /data: URL/],
    ['another type', url('gif', 'GIF89a'), /data: URL/],
    ['an SVG', url('svg+xml', '<svg xmlns="http://www.w3.org/2000/svg"/>'), /PNG o JPEG/],
    ['an SVG as PNG', url('png', '<svg xmlns="http://www.w3.org/2000/svg"/>'), /PNG/],
    ['an SVG as JPEG', url('jpeg', '<svg xmlns="http://www.w3.org/2000/svg"/>'), /JPEG/],
    ['bits of base64 that are none', 'data:image/png;base64,AAAAB', /base64/],
    ['too many bytes', url('png', Buffer.concat([png, Buffer.alloc(512 * 1024)])), /512 KiB/],
    ['text as PNG', url('png', 'no image'), /PNG/],
    ['a JPEG as PNG', url('png', jpeg), /PNG/],
    ['a PNG as JPEG', url('jpeg', png), /JPEG/],
    ['a PNG without its end', url('png', png.subarray(0, -12)), /incompleta/],
    ['a PNG cut within its data', url('png', png.subarray(0, 200)), /incompleta/],
    ['a PNG of no kind of colour', url('png', changed(png, 25, [5])), /PNG/],
    ['a PNG of no width', url('png', changed(png, 16, width(0))), /tamaño/],
    ['a PNG that is wide', url('png', changed(png, 16, width(6001))), /6001 × 160/],
    ['a PNG that is large', url('png', changed(png, 16, [...width(4000), ...width(2001)])), /píxeles/],
    [
      'a PNG whose profile of colours would grow',
      url('png', Buffer.concat([png.subarray(0, 33), pngChunk('iCCP', 64 * 1024 + 1), png.subarray(33)])),
      /perfil de color/,
    ],
    ['a JPEG cut within its data', url('jpeg', jpeg.subarray(0, -2)), /incompleta/],
    ['a JPEG without a frame', url('jpeg', jpeg.subarray(0, frame)), /incompleta/],
    ['a JPEG that is large', url('jpeg', changed(jpeg, frame + 5, [0xff, 0xff, 0xff, 0xff])), /píxeles/],
    ['a JPEG of print colours', url('jpeg', changed(jpeg, frame + 9, [4])), /CMYK/],
    ['a JPEG without loss', url('jpeg', changed(jpeg, frame + 1, [0xc3])), /poco común/],
  ];
  for (const [name, text, fault] of cases) assert.match(faultOf(text) ?? 'none', fault, name);
});
