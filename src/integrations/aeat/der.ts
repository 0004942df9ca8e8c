/** Reads DER, the encoding of certificates: just enough to take names and extensions out of one that OpenSSL has accepted. */

/** One element: its tag, its content, and all of its bytes. */
export type Der = { tag: number; content: Buffer; bytes: Buffer };

export const tags = {
  boolean: 0x01,
  octets: 0x04,
  oid: 0x06,
  sequence: 0x30,
  set: 0x31,
  version: 0xa0,
  extensions: 0xa3,
} as const;

/**
 * The elements that stand one after another in these bytes.
 * @throws RangeError when a length leads beyond the end
 */
export function readDer(bytes: Buffer): Der[] {
  const found: Der[] = [];
  let at = 0;
  while (at < bytes.length) {
    const start = at;
    const tag = bytes.readUInt8(at++);
    let length = bytes.readUInt8(at++);
    if (length >= 0x80) {
      const width = length & 0x7f;
      // Certificates are far smaller than 2^32 octets; indefinite lengths (width 0) are not DER.
      if (width === 0 || width > 4) throw new RangeError('Not DER');
      length = bytes.readUIntBE(at, width);
      at += width;
    }
    if (at + length > bytes.length) throw new RangeError('DER ends early');
    found.push({ tag, content: bytes.subarray(at, at + length), bytes: bytes.subarray(start, at + length) });
    at += length;
  }
  return found;
}

/** The children of an element that is built of others; empty for undefined, so that optional parts read simply. */
export function children(element: Der | undefined): Der[] {
  return element ? readDer(element.content) : [];
}

/** `2.5.4.3` and the like. */
export function readOid(content: Buffer): string {
  const parts: number[] = [];
  let value = 0;
  for (const octet of content) {
    value = value * 128 + (octet & 0x7f);
    if (octet < 0x80) {
      parts.push(value);
      value = 0;
    }
  }
  const first = parts[0] ?? 0;
  const top = Math.min(2, Math.floor(first / 40));
  return [top, first - top * 40, ...parts.slice(1)].join('.');
}

/** A text of any of the kinds that names use (UTF-8, printable, IA5, T61 read as Latin-1, BMP). */
export function readText({ tag, content }: Der): string {
  if (tag === 0x1e)
    return Buffer.from(content.subarray(0, content.length & ~1))
      .swap16()
      .toString('utf16le');
  return content.toString(tag === 0x0c ? 'utf8' : 'latin1');
}
