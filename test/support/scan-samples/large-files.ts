/** Small or large files that take much to read, each of its kind the worst that an upload lets through. */
import { Buffer } from 'node:buffer';
import { randomFillSync } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { writePng } from '../png.ts';
import { pdfOf, streamOf, textPdf } from './pdf-text.ts';

/** All of 8 × 8 black dots, two bits each. A progressive one is held as a whole to be decoded (ITU-T T.81, annex G). */
export function progressiveJpeg(width: number, height: number): Buffer {
  const components = [1, 2, 3];
  const words = (...values: number[]) => values.flatMap((value) => [value >> 8, value & 255]);
  const segment = (marker: number, data: readonly number[]) =>
    Buffer.from([0xff, marker, ...words(data.length + 2), ...data]);
  const codes = (table: number) => segment(0xc4, [table, 1, ...new Array<number>(15).fill(0), 0]);
  const frame = components.flatMap((id) => [id, 0x11, 0]);
  const blocks = Math.ceil(width / 8) * Math.ceil(height / 8) * components.length;
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, [0, ...new Array<number>(64).fill(1)]),
    segment(0xc2, [8, ...words(height, width), components.length, ...frame]),
    codes(0),
    codes(0x10),
    segment(0xda, [components.length, ...components.flatMap((id) => [id, 0]), 0, 0, 0]),
    Buffer.alloc(Math.ceil(blocks / 4)),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** Random, so that the file is nearly as large as an upload may be. */
export function noisyPng(): Buffer {
  return writePng(2000, 1800, randomFillSync(Buffer.alloc(2000 * 1800 * 4)), 0);
}

function pageOf(content: Buffer, resources: string, objects: readonly Buffer[]): Buffer {
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Count 1/Kids[3 0 R]>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<<${resources}>>/Contents 4 0 R>>`,
    streamOf(deflateSync(content), '/Filter/FlateDecode'),
    ...objects,
  ]);
}

/** Twelve million dots each. */
export function picturesPdf(count: number): Buffer {
  const [width, height] = [4000, 3000];
  const entries = `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceRGB/BitsPerComponent 8/Filter/FlateDecode`;
  const picture = streamOf(deflateSync(Buffer.alloc(width * height * 3, 200)), entries);
  const all = Array.from({ length: count }, (_, at) => at);
  const content = all.map((at) => `q 595 0 0 842 0 0 cm /P${at} Do Q`).join(' ');
  const resources = `/XObject<<${all.map((at) => `/P${at} ${5 + at} 0 R`).join('')}>>`;
  return pageOf(
    Buffer.from(content),
    resources,
    all.map(() => picture),
  );
}

/** Some kilobytes that are millions of letters. */
export function longTextPdf(): Buffer {
  const text = `(${'a'.repeat(40)}) Tj `.repeat(100_000);
  const font = Buffer.from('<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>');
  return pageOf(Buffer.from(`BT /F 10 Tf 50 700 Td ${text} ET`), '/Font<</F 5 0 R>>', [font]);
}

/** A page and a comment. */
export function fullPdf(bytes: number): Buffer {
  const paper = textPdf([['Hola']]);
  return Buffer.concat([paper, Buffer.alloc(bytes - paper.length, '%')]);
}

export function fullXml(bytes: number): Buffer {
  return Buffer.from(`<?xml version="1.0"?><a>${'x'.repeat(bytes)}</a>`);
}
