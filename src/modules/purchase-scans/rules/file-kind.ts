/** What a file is by its content, whatever its name says. Faults are Spanish, for the user. */
import { Buffer } from 'node:buffer';

export const scanMediaTypes = ['application/pdf', 'image/jpeg', 'image/png', 'application/xml'] as const;
export type ScanMediaType = (typeof scanMediaTypes)[number];

const pixelsMax = 40_000_000;
const notKnown = 'No es un PDF, una imagen JPEG o PNG, ni un XML.';

export function fileKind(bytes: Buffer): { media_type: ScanMediaType } | { fault: string } {
  const media_type = mediaTypeOf(bytes);
  if (media_type === null) return { fault: notKnown };
  const size =
    media_type === 'image/png' ? pngSize(bytes) : media_type === 'image/jpeg' ? jpegSize(bytes) : null;
  if (size === 'none') return { fault: 'La imagen está dañada o incompleta.' };
  if (size !== null && size.width * size.height > pixelsMax)
    return {
      fault: `La imagen mide ${size.width} × ${size.height} píxeles: como máximo 40 millones en total.`,
    };
  return { media_type };
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');
/** Other bytes may stand before the header (ISO 32000-1, annex H.3.4.1). */
const pdfWithin = 1024;

function mediaTypeOf(bytes: Buffer): ScanMediaType | null {
  if (bytes.subarray(0, 8).equals(pngSignature)) return 'image/png';
  if (bytes.length > 3 && bytes.readUIntBE(0, 3) === 0xffd8ff) return 'image/jpeg';
  if (bytes.subarray(0, pdfWithin).includes('%PDF-')) return 'application/pdf';
  return isXml(bytes) ? 'application/xml' : null;
}

/** Behind a byte order mark and blanks, the declaration, a comment or an element. A page of HTML is none. */
function isXml(bytes: Buffer): boolean {
  const begin = textBegin(bytes).replace(/^[\ufeff\s]+/, '');
  return /^<(\?xml\s|!--|!DOCTYPE\s|[\p{L}_:])/u.test(begin) && !/^<(!DOCTYPE\s+)?html[\s>]/i.test(begin);
}

function textBegin(bytes: Buffer): string {
  const head = bytes.subarray(0, 512);
  const mark = head.length > 1 ? head.readUInt16BE(0) : 0;
  if (mark === 0xfffe || mark === 0x3c00) return head.toString('utf16le');
  if (mark === 0xfeff || mark === 0x003c) return swapped(head).toString('utf16le');
  return head.toString('utf8');
}

const swapped = (bytes: Buffer) => Buffer.from(bytes.subarray(0, bytes.length & ~1)).swap16();

type Size = { width: number; height: number } | 'none';

function pngSize(bytes: Buffer): Size {
  if (bytes.length < 33 || bytes.toString('latin1', 12, 16) !== 'IHDR') return 'none';
  return sized(bytes.readUInt32BE(16), bytes.readUInt32BE(20));
}

const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** Of the frame; segments before it are passed over. */
function jpegSize(bytes: Buffer): Size {
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return 'none';
    const marker = bytes[at + 1]!;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (isFrame(marker)) return sized(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5));
    at += 2 + Math.max(2, bytes.readUInt16BE(at + 2));
  }
  return 'none';
}

const sized = (width: number, height: number): Size => (width > 0 && height > 0 ? { width, height } : 'none');
