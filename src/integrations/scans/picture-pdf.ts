/**
 * A picture as the one page of a PDF: its bytes as they are, since PDF has the codings of JPEG and PNG (ISO 32000-1, 7.4.4.4
 * and 7.4.8). So one decoder, PDFium, reads all that comes.
 */
import { Buffer } from 'node:buffer';

/** Its data in parts, so that no other copy is made than the page's. */
type Picture = { width: number; height: number; entries: string; data: readonly Buffer[] };

/** @returns undefined for a picture of an uncommon class */
export function picturePdf(bytes: Buffer, media_type: string): Buffer | undefined {
  const picture = media_type === 'image/png' ? pngPicture(bytes) : jpegPicture(bytes);
  return picture && pageOf(picture);
}

/** Of the frame; the uploaded file has one. */
function jpegPicture(bytes: Buffer): Picture | undefined {
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1]!;
    if (marker === 0xff) at += 1;
    else if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      const space = { 1: 'Gray', 3: 'RGB', 4: 'CMYK' }[bytes[at + 9]!];
      if (space === undefined) return undefined;
      const entries = `/ColorSpace/Device${space}/BitsPerComponent 8/Filter/DCTDecode`;
      return {
        width: bytes.readUInt16BE(at + 7),
        height: bytes.readUInt16BE(at + 5),
        entries,
        data: [bytes],
      };
    } else at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return undefined;
}

/** Alpha is a colour that is dropped. */
const spaces: Readonly<Record<number, { colours: number; space(palette: string): string }>> = {
  0: { colours: 1, space: () => '/DeviceGray' },
  2: { colours: 3, space: () => '/DeviceRGB' },
  3: { colours: 1, space: (palette) => `[/Indexed/DeviceRGB ${palette.length / 6 - 1}<${palette}>]` },
  4: { colours: 2, space: () => '[/DeviceN[/G/A]/DeviceGray 5 0 R]' },
  6: { colours: 4, space: () => '[/DeviceN[/R/G/B/A]/DeviceRGB 5 0 R]' },
};

function pngPicture(bytes: Buffer): Picture | undefined {
  const [width, height] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
  const [bits = 0, type = 0, , , interlaced] = bytes.subarray(24, 29);
  const space = spaces[type];
  if (space === undefined || interlaced !== 0) return undefined;
  const data: Buffer[] = [];
  let palette = '';
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const name = bytes.toString('latin1', at + 4, at + 8);
    const part = bytes.subarray(at + 8, at + 8 + length);
    if (name === 'IDAT') data.push(part);
    if (name === 'PLTE') palette = part.toString('hex');
    at += 12 + length;
  }
  if (data.length === 0 || (type === 3 && (palette === '' || palette.length % 6 !== 0))) return undefined;
  const { colours } = space;
  const entries =
    `/ColorSpace ${space.space(palette)}/BitsPerComponent ${bits}/Filter/FlateDecode` +
    `/DecodeParms<</Predictor 15/Colors ${colours}/BitsPerComponent ${bits}/Columns ${width}>>`;
  return { width, height, entries, data };
}

/** Drops what lies on top of the colours. */
const dropAlpha = (colours: number) =>
  `<</FunctionType 4/Domain[${'0 1 '.repeat(colours + 1)}]/Range[${'0 1 '.repeat(colours)}]/Length 5>>stream\n{pop}\nendstream`;

/** As large on paper as a page, whatever its resolution. */
const longSide = 842;

function pageOf({ width, height, entries, data }: Picture): Buffer {
  const scale = longSide / Math.max(width, height);
  const [wide, high] = [width * scale, height * scale].map((side) => side.toFixed(2));
  const content = `${wide} 0 0 ${high} 0 0 cm /P Do`;
  const stream = (dictionary: string, parts: readonly Buffer[]) => [
    `<<${dictionary}/Length ${parts.reduce((sum, { length }) => sum + length, 0)}>>stream\n`,
    ...parts,
    '\nendstream',
  ];
  const objects = [
    ['<</Type/Catalog/Pages 2 0 R>>'],
    ['<</Type/Pages/Count 1/Kids[3 0 R]>>'],
    [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${wide} ${high}]/Resources<</XObject<</P 4 0 R>>>>/Contents 6 0 R>>`,
    ],
    stream(`/Type/XObject/Subtype/Image/Width ${width}/Height ${height}${entries}`, data),
    [dropAlpha(entries.includes('/DeviceRGB 5') ? 3 : 1)],
    stream('', [Buffer.from(content, 'latin1')]),
  ];
  return written(objects);
}

function written(objects: readonly (readonly (string | Buffer)[])[]): Buffer {
  const parts: Buffer[] = [];
  let length = 0;
  const add = (part: string | Buffer) => {
    const bytes = typeof part === 'string' ? Buffer.from(part, 'latin1') : part;
    parts.push(bytes);
    length += bytes.length;
  };
  add('%PDF-1.7\n');
  const offsets = objects.map((object, at) => {
    const offset = length;
    for (const part of [`${at + 1} 0 obj\n`, ...object, '\nendobj\n']) add(part);
    return offset;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const count = objects.length + 1;
  add(
    `xref\n0 ${count}\n0000000000 65535 f \n${table}trailer\n<</Size ${count}/Root 1 0 R>>\nstartxref\n${length}\n%%EOF\n`,
  );
  return Buffer.concat(parts, length);
}
