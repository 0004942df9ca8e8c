/** PDFs written by hand (ISO 32000-1): pages of lines of text, or of one picture. */
import { Buffer } from 'node:buffer';
import { deflateSync } from 'node:zlib';
import type { Picture } from '../pdf-pictures.ts';

const pointsWide = 595;
const pointsHigh = 842;

/** @param objects from number 1 on; the first is the catalogue */
export function pdfOf(objects: readonly (string | Buffer)[], trailer = ''): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n', 'latin1')];
  const offsets: number[] = [];
  let length = parts[0]!.length;
  const add = (part: Buffer) => {
    parts.push(part);
    length += part.length;
  };
  objects.forEach((object, at) => {
    offsets.push(length);
    add(
      Buffer.concat([
        Buffer.from(`${at + 1} 0 obj\n`),
        Buffer.from(object as string, 'latin1'),
        Buffer.from('\nendobj\n'),
      ]),
    );
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  add(
    Buffer.from(
      `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<</Size ${count}/Root 1 0 R${trailer}>>\nstartxref\n${length}\n%%EOF\n`,
      'latin1',
    ),
  );
  return Buffer.concat(parts);
}

export function streamOf(bytes: Buffer, entries = ''): Buffer {
  return Buffer.concat([
    Buffer.from(`<</Length ${bytes.length}${entries}>>stream\n`, 'latin1'),
    bytes,
    Buffer.from('\nendstream', 'latin1'),
  ]);
}

const escaped = (text: string) => text.replace(/[\\()]/g, '\\$&');

/** Each page is a list of lines, from its top. Letters of Latin-1. */
export function textPdf(pages: readonly (readonly string[])[]): Buffer {
  const font = 3;
  const first = font + 1;
  const kids = pages.map((_, at) => `${first + 2 * at} 0 R`).join(' ');
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pages.length}/Kids[${kids}]>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    ...pages.flatMap((lines, at) => [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${pointsWide} ${pointsHigh}]/Resources<</Font<</F ${font} 0 R>>>>/Contents ${first + 2 * at + 1} 0 R>>`,
      streamOf(
        Buffer.from(
          `BT /F 10 Tf 14 TL 50 ${pointsHigh - 60} Td ${lines.map((line) => `(${escaped(line)}) Tj T*`).join(' ')} ET`,
          'latin1',
        ),
      ),
    ]),
  ]);
}

export function blankPdf(pages: number): Buffer {
  return textPdf(Array.from({ length: pages }, () => []));
}

/** Nobody knows its password: no text has these hashes (ISO 32000-1, 7.6.3). */
export function lockedPdf(): Buffer {
  const hash = (digit: string) => digit.repeat(64);
  const locked = `/Encrypt<</Filter/Standard/V 1/R 2/P -4/O<${hash('a')}>/U<${hash('b')}>>>/ID[<${hash('c')}><${hash('c')}>]`;
  return pdfOf(
    [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Count 1/Kids[3 0 R]>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]>>',
    ],
    locked,
  );
}

/** As a scanner makes it: each page is one picture, in grey. */
export function scannedPdf(pictures: readonly Pick<Picture, 'width' | 'height' | 'rgba'>[]): Buffer {
  const kids = pictures.map((_, at) => `${3 + 3 * at} 0 R`).join(' ');
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Count ${pictures.length}/Kids[${kids}]>>`,
    ...pictures.flatMap(({ width, height, rgba }, at) => {
      const grey = Buffer.alloc(width * height);
      for (let dot = 0; dot < grey.length; dot++) grey[dot] = rgba[4 * dot]!;
      const [contents, picture] = [4 + 3 * at, 5 + 3 * at];
      return [
        `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${pointsWide} ${pointsHigh}]/Resources<</XObject<</P ${picture} 0 R>>>>/Contents ${contents} 0 R>>`,
        streamOf(Buffer.from(`q ${pointsWide} 0 0 ${pointsHigh} 0 0 cm /P Do Q`)),
        streamOf(
          deflateSync(grey, { level: 1 }),
          `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/FlateDecode`,
        ),
      ];
    }),
  ]);
}
