/**
 * One gzip of a text whose middle was compressed before (RFC 1952). The parts end at whole bytes and refer to nothing
 * outside themselves, so that they can stand one after the other.
 */
import { promisify } from 'node:util';
import { constants, crc32, deflateRaw, deflateRawSync } from 'node:zlib';

const deflated = promisify(deflateRaw);
const { Z_BEST_COMPRESSION, Z_FULL_FLUSH } = constants;

/** No extras, no time, no name; system unknown. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** To stand between two others; made once and sent often. */
export function compressMiddle(middle: Buffer): Promise<Buffer> {
  return deflated(middle, { finishFlush: Z_FULL_FLUSH, level: Z_BEST_COMPRESSION });
}

/** @param compressed of `middle`, by `compressMiddle` */
export function gzipAround(before: string, middle: Buffer, compressed: Buffer, after: string): Buffer {
  const [head, tail] = [Buffer.from(before), Buffer.from(after)];
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(crc32(tail, crc32(middle, crc32(head))), 0);
  trailer.writeUInt32LE(head.length + middle.length + tail.length, 4);
  return Buffer.concat([
    header,
    deflateRawSync(head, { finishFlush: Z_FULL_FLUSH }),
    compressed,
    deflateRawSync(tail),
    trailer,
  ]);
}
