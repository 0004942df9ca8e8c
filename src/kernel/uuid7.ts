/** UUID v7, strictly increasing within the process (RFC 9562, section 6.2, method 1). */
import { randomUUID } from 'node:crypto';

/** Further ids take the next millisecond. */
const perMillisecond = 4096;

let last_ms = 0;
let counter = 0;

/** Real time, never a company's clock: order by id is order of creation. */
export function newId(): string {
  const now = Date.now();
  if (now > last_ms) {
    last_ms = now;
    counter = 0;
  } else if (++counter === perMillisecond) {
    last_ms += 1;
    counter = 0;
  }
  const time = last_ms.toString(16).padStart(12, '0');
  // Variant and 62 random bits of a version 4, which Node makes in batches.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${counter.toString(16).padStart(3, '0')}-${randomUUID().slice(19)}`;
}

const uuidText = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Of any version, in the usual form. */
export function isUuid(text: string): boolean {
  return uuidText.test(text);
}

export function idAt(ms: number, which: 'first' | 'last'): string {
  const time = Math.min(Math.max(ms, 0), 0xffffffffffff).toString(16).padStart(12, '0');
  const tail = (which === 'first' ? '0' : 'f').repeat(20);
  return `${time.slice(0, 8)}-${time.slice(8)}-${tail.slice(0, 4)}-${tail.slice(4, 8)}-${tail.slice(8)}`;
}

export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}

export function uuidToBytes(id: string): Buffer {
  return Buffer.from(id.replaceAll('-', ''), 'hex');
}

export function uuidFromBytes(bytes: Buffer, at = 0): string {
  return bytes.toString('hex', at, at + 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
