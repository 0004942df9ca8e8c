import asn1, { type Asn1 } from 'node-forge/lib/asn1.js';

export type { Asn1 };

export const types = { octets: 4, utf8: 12, bmp: 30 } as const;

/** Certificates have some ten levels. */
const depthMax = 64;

/** @throws Error for bytes that are no DER, end early or are nested too deep */
export function readAsn1(bytes: Buffer): Asn1 {
  return asn1.fromDer(bytes.toString('latin1'), {
    strict: true,
    decodeBitStrings: false,
    maxDepth: depthMax,
  });
}

/** Takes undefined, so that optional parts read simply. */
export function childrenOf(node: Asn1 | undefined): Asn1[] {
  return Array.isArray(node?.value) ? node.value : [];
}

/** The content of an element that holds no others. */
export function contentOf(node: Asn1): Buffer {
  return Buffer.from(Array.isArray(node.value) ? '' : node.value, 'latin1');
}

export function encode(node: Asn1): Buffer {
  return Buffer.from(asn1.toDer(node).getBytes(), 'latin1');
}

/** `2.5.4.3`, or `#` and the bytes where a number is too big. */
export function oidOf(node: Asn1): string {
  const bytes = contentOf(node);
  try {
    return asn1.derToOid(bytes.toString('latin1'));
  } catch {
    return `#${bytes.toString('hex')}`;
  }
}

/** Names use UTF-8, BMP and one byte a character, read as Latin-1. */
export function textOf(node: Asn1): string {
  if (node.type === types.utf8) return contentOf(node).toString('utf8');
  return Array.isArray(node.value) ? '' : node.value;
}
