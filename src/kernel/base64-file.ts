/**
 * A file that comes as base64 within JSON (RFC 4648, 4: padded, without line breaks). It is decoded piece by piece, so
 * that its text is never held as a whole.
 */
import { Buffer } from 'node:buffer';
import { createHash, type Hash } from 'node:crypto';

const notBase64 = 'No es base64: solo letras, cifras, +, / y el relleno =, sin saltos de línea.';
const empty = 'El archivo está vacío.';

const alphabet = /^[A-Za-z0-9+/]*={0,2}$/;
const pieceLength = 65_536;

/** Members that are private are no part of what is checked, stored or hashed. */
export class DecodedFile {
  readonly #bytes: Buffer;
  readonly sha256: string;
  readonly size: number;
  /** In Spanish; null for a file that came whole. */
  readonly fault: string | null;

  constructor(bytes: Buffer, sha256: string, fault: string | null) {
    this.#bytes = bytes;
    this.sha256 = sha256;
    this.size = bytes.length;
    this.fault = fault;
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  /**
   * Gives its memory back at once, because a collector may keep several such files. Nobody may read or write the bytes
   * any more, not even the system.
   */
  release(): void {
    freeMemory(this.#bytes);
  }

  /** What an idempotency key compares. */
  toJSON(): unknown {
    return { sha256: this.sha256, size: this.size, fault: this.fault };
  }
}

/** Frees only a buffer that has its memory to itself, from the beginning. */
export function freeMemory({ buffer, byteOffset }: Buffer): void {
  if (byteOffset === 0 && buffer instanceof ArrayBuffer) buffer.transfer(0);
}

/** The value of each sign; `none` for signs that are not base64. */
const none = 64;
const values = new Uint8Array(256).fill(none);
for (const [value, sign] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries())
  values[sign.charCodeAt(0)] = value;

const padding = 0x3d;

/** It works on bytes: texts this long would fill the heap until its next collection. */
export class Base64Decoder {
  /** Made with the first signs: a text may be empty, and another take its place. */
  #target: Buffer = Buffer.alloc(0);
  #length = 0;
  /** How much of it is hashed. */
  #hashed = 0;
  /** Up to three signs left over. */
  #carry: Buffer = Buffer.alloc(0);
  #is_ended = false;
  #is_wrong = false;
  #hash: Hash | null = null;
  readonly #bytes: number;

  /** @param bytes expected; it grows when more come */
  constructor(bytes = pieceLength) {
    this.#bytes = Math.max(bytes, pieceLength);
  }

  /** Another text takes the place of this one, in the same memory. */
  restart(): void {
    this.#length = 0;
    this.#hashed = 0;
    this.#hash = null;
    this.#carry = Buffer.alloc(0);
    this.#is_ended = false;
    this.#is_wrong = false;
  }

  writeText(text: string): void {
    for (let from = 0; from < text.length && !this.#is_wrong; from += pieceLength) {
      const piece = text.slice(from, from + pieceLength);
      if (alphabet.test(piece)) this.write(Buffer.from(piece, 'latin1'));
      else this.#refuse();
    }
  }

  write(signs: Buffer): void {
    if (this.#is_wrong || signs.length === 0) return;
    const missing = this.#carry.length === 0 ? 0 : Math.min(4 - this.#carry.length, signs.length);
    if (missing > 0) {
      this.#carry = Buffer.concat([this.#carry, signs.subarray(0, missing)]);
      if (this.#carry.length < 4) return;
      this.#take(this.#carry);
    }
    const whole = signs.length - ((signs.length - missing) % 4);
    this.#take(signs.subarray(missing, whole));
    this.#carry = Buffer.from(signs.subarray(whole));
  }

  /** @param signs a multiple of four */
  #take(signs: Buffer): void {
    if (signs.length === 0 || this.#is_wrong) return;
    const padded = signs.at(-1) !== padding ? 0 : signs.at(-2) !== padding ? 1 : 2;
    this.#makeRoom((signs.length / 4) * 3);
    if (this.#is_ended || !this.#decode(signs, signs.length - padded)) {
      this.#refuse();
      return;
    }
    this.#is_ended = padded > 0;
  }

  /**
   * No pattern is used here: a list for each four signs is a hundred megabytes of garbage in a file.
   * @returns false when a sign before `end` is not base64
   */
  #decode(signs: Buffer, end: number): boolean {
    const target = this.#target;
    const from = this.#length;
    let length = from;
    let at = 0;
    let seen = 0;
    for (; at + 4 <= end; at += 4) {
      const a = values[signs[at]!]!;
      const b = values[signs[at + 1]!]!;
      const c = values[signs[at + 2]!]!;
      const d = values[signs[at + 3]!]!;
      seen |= a | b | c | d;
      target[length++] = (a << 2) | (b >> 4);
      target[length++] = (b << 4) | (c >> 2);
      target[length++] = (c << 6) | d;
    }
    if (at < end) {
      const a = values[signs[at]!]!;
      const b = values[signs[at + 1]!]!;
      const c = end - at === 3 ? values[signs[at + 2]!]! : 0;
      seen |= a | b | c;
      target[length++] = (a << 2) | (b >> 4);
      if (end - at === 3) target[length++] = (b << 4) | (c >> 2);
    }
    this.#length = length;
    if (length - this.#hashed >= pieceLength) this.#hashOn();
    return seen < none;
  }

  /** A hash for each of many short texts would cost more than they do. */
  #hashOn(): Hash {
    this.#hash ??= createHash('sha256');
    this.#hash.update(this.#target.subarray(this.#hashed, this.#length));
    this.#hashed = this.#length;
    return this.#hash;
  }

  #refuse(): void {
    this.#is_wrong = true;
  }

  #makeRoom(bytes: number): void {
    if (this.#length + bytes <= this.#target.length) return;
    const larger = Buffer.allocUnsafeSlow(
      Math.max(this.#bytes, 2 * this.#target.length, this.#length + bytes),
    );
    this.#target.copy(larger, 0, 0, this.#length);
    freeMemory(this.#target);
    this.#target = larger;
  }

  end(): DecodedFile {
    const is_wrong = this.#is_wrong || this.#carry.length > 0;
    const sha256 = this.#hashOn().digest('hex');
    if (is_wrong) freeMemory(this.#target);
    const bytes = is_wrong ? Buffer.alloc(0) : this.#target.subarray(0, this.#length);
    const fault = is_wrong ? notBase64 : bytes.length === 0 ? empty : null;
    return new DecodedFile(bytes, sha256, fault);
  }
}

/** Decodes what no surface has decoded. */
export function decodedFile(value: string | DecodedFile): DecodedFile {
  if (value instanceof DecodedFile) return value;
  const decoder = new Base64Decoder(Math.ceil(value.length / 4) * 3);
  decoder.writeText(value);
  return decoder.end();
}

/** In Spanish; undefined for a file. */
export function base64Fault(value: unknown): string | undefined {
  if (value instanceof DecodedFile) return value.fault ?? undefined;
  if (typeof value !== 'string') return 'Debe ser un texto.';
  if (value === '') return empty;
  return value.length % 4 === 0 && alphabet.test(value) ? undefined : notBase64;
}
