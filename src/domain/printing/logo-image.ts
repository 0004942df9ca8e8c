/**
 * A logo is a PNG or JPEG, never an SVG (ADR 24), that prints and needs little memory. Faults are Spanish,
 * for the user.
 */
import { Buffer } from 'node:buffer';
import type { PrintedLogo } from './printed-document.ts';

export type LogoMediaType = PrintedLogo['media_type'];
export type LogoImage = { media_type: LogoMediaType; bytes: Buffer };

export type ImageLimits = { kib: number; side: number };

const logoLimits: ImageLimits = { kib: 512, side: 6000 };
const pixelsMax = 8_000_000;

const dataUrl = /^data:(image\/(?:png|jpeg));base64,([A-Za-z0-9+/]+={0,2})$/;

/** Reads a `data:` URL. */
export function readLogo(text: string, limits: ImageLimits = logoLimits): LogoImage | { fault: string } {
  const [, media_type, base64 = ''] = dataUrl.exec(text) ?? [];
  if (media_type === undefined) return { fault: 'No es una imagen PNG o JPEG como data: URL.' };
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64').replace(/=+$/, '') !== base64.replace(/=+$/, ''))
    return { fault: 'La imagen no es base64 válido.' };
  const fault = logoFault(media_type as LogoMediaType, bytes, limits);
  return fault === undefined ? { media_type: media_type as LogoMediaType, bytes } : { fault };
}

export function logoFault(
  media_type: LogoMediaType,
  bytes: Buffer,
  limits: ImageLimits = logoLimits,
): string | undefined {
  if (bytes.length > limits.kib * 1024) return `La imagen ocupa más de ${limits.kib} KiB.`;
  return faults[media_type](bytes, limits);
}

const faults: Record<LogoMediaType, (bytes: Buffer, limits: ImageLimits) => string | undefined> = {
  'image/png': pngFault,
  'image/jpeg': jpegFault,
};

function sizeFault(width: number, height: number, { side }: ImageLimits): string | undefined {
  if (width === 0 || height === 0) return 'La imagen no tiene tamaño.';
  const is_large = width > side || height > side || width * height > pixelsMax;
  return is_large
    ? `La imagen mide ${width} × ${height} píxeles: como máximo ${side} por lado y 8 millones en total.`
    : undefined;
}

const pngSignature = Buffer.from('89504e470d0a1a0a', 'hex');
/** A compressed colour profile may expand without bound. Usual ones take some KiB. */
const profileMax = 64 * 1024;
const notPng = 'La imagen no es un PNG, o está incompleta.';

const pngDepths: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

function pngFault(bytes: Buffer, limits: ImageLimits): string | undefined {
  if (bytes.length < 33 || !bytes.subarray(0, 8).equals(pngSignature)) return notPng;
  if (bytes.readUInt32BE(8) !== 13 || bytes.toString('latin1', 12, 16) !== 'IHDR') return notPng;
  if (!pngDepths[bytes[25] ?? -1]?.includes(bytes[24] ?? 0)) return notPng;
  let has_data = false;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (at + 12 + length > bytes.length) return notPng;
    if (type === 'iCCP' && length > profileMax)
      return 'La imagen PNG lleva un perfil de color demasiado grande: guárdela en sRGB.';
    if (type === 'IDAT' && length > 0) has_data = true;
    if (type === 'IEND')
      return has_data ? sizeFault(bytes.readUInt32BE(16), bytes.readUInt32BE(20), limits) : notPng;
    at += 12 + length;
  }
  return notPng;
}

const notJpeg = 'La imagen no es un JPEG, o está incompleta.';
const startOfScan = 0xda;
/** Baseline, extended and progressive. Hardly any program reads other kinds. */
const frames: readonly number[] = [0xc0, 0xc1, 0xc2];
const oddFrames: readonly number[] = [0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf];

/** Walks the segments up to the scan. The file must have an end. */
function jpegFault(bytes: Buffer, limits: ImageLimits): string | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8) return notJpeg;
  let has_frame = false;
  for (let at = 2; at + 4 <= bytes.length; ) {
    if (bytes[at] !== 0xff) return notJpeg;
    const marker = bytes[at + 1] ?? 0;
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2 || at + 2 + length > bytes.length) return notJpeg;
    if (oddFrames.includes(marker))
      return 'La imagen es un JPEG de una clase poco común: guárdela como JPEG normal o PNG.';
    if (frames.includes(marker)) {
      if (length < 8 || bytes[at + 4] !== 8) return notJpeg;
      // The PDF/A declares RGB colours.
      if (bytes[at + 9] !== 1 && bytes[at + 9] !== 3) return 'La imagen JPEG está en CMYK: guárdela en RGB.';
      const fault = sizeFault(bytes.readUInt16BE(at + 7), bytes.readUInt16BE(at + 5), limits);
      if (fault !== undefined) return fault;
      has_frame = true;
    }
    if (marker === startOfScan)
      return has_frame && bytes.lastIndexOf('ffd9', undefined, 'hex') > at ? undefined : notJpeg;
    at += 2 + length;
  }
  return notJpeg;
}
