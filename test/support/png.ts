import { crc32, deflateSync } from 'node:zlib';

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Eight bits per channel, with transparency. */
const RGBA = 6;

/**
 * Writes a PNG (ISO/IEC 15948).
 * @param rgba four bytes a pixel, row by row
 * @param level of packing. To pack a drawn page as well as can be takes half a second
 */
export function writePng(width: number, height: number, rgba: Uint8Array, level = 9): Buffer {
  const stride = width * 4;
  const rows = Buffer.alloc((1 + stride) * height);
  for (let y = 0; y < height; y++)
    rows.set(rgba.subarray(y * stride, (y + 1) * stride), y * (1 + stride) + 1);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, RGBA], 8);
  const parts: [type: string, data: Buffer][] = [
    ['IHDR', header],
    ['IDAT', deflateSync(rows, { level })],
    ['IEND', Buffer.alloc(0)],
  ];
  return Buffer.concat([signature, ...parts.map(([type, data]) => chunk(type, data))]);
}

function chunk(type: string, data: Buffer): Buffer {
  const whole = Buffer.concat([Buffer.alloc(4), Buffer.from(type, 'latin1'), data, Buffer.alloc(4)]);
  whole.writeUInt32BE(data.length, 0);
  whole.writeUInt32BE(crc32(whole.subarray(4, -4)), whole.length - 4);
  return whole;
}
