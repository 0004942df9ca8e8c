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

  /** What an idempotency key compares. */
  toJSON(): unknown {
    return { sha256: this.sha256, size: this.size, fault: this.fault };
  }
}

export class Base64Decoder {
  #target: Buffer;
  #length = 0;
  #carry = '';
  #is_ended = false;
  #is_wrong = false;
  readonly #hash: Hash = createHash('sha256');

  /** @param bytes expected; it grows when more come */
  constructor(bytes = pieceLength) {
    this.#target = Buffer.allocUnsafeSlow(Math.max(bytes, pieceLength));
  }

  write(text: string): void {
    for (let from = 0; from < text.length && !this.#is_wrong; from += pieceLength)
      this.#take(this.#carry + text.slice(from, from + pieceLength));
  }

  #take(text: string): void {
    const whole = text.length - (text.length % 4);
    this.#carry = text.slice(whole);
    if (whole === 0) return;
    const piece = whole === text.length ? text : text.slice(0, whole);
    if (this.#is_ended || !alphabet.test(piece)) {
      this.#is_wrong = true;
      this.#target = Buffer.alloc(0);
      this.#length = 0;
      return;
    }
    this.#is_ended = piece.endsWith('=');
    this.#makeRoom((whole / 4) * 3);
    const written = this.#target.write(piece, this.#length, 'base64');
    this.#hash.update(this.#target.subarray(this.#length, this.#length + written));
    this.#length += written;
  }

  #makeRoom(bytes: number): void {
    if (this.#length + bytes <= this.#target.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(2 * this.#target.length, this.#length + bytes));
    this.#target.copy(larger, 0, 0, this.#length);
    this.#target = larger;
  }

  end(): DecodedFile {
    const is_wrong = this.#is_wrong || this.#carry !== '';
    const bytes = this.#target.subarray(0, is_wrong ? 0 : this.#length);
    const fault = is_wrong ? notBase64 : bytes.length === 0 ? empty : null;
    return new DecodedFile(bytes, this.#hash.digest('hex'), fault);
  }
}

/** Of a call whose surface decodes nothing. */
export function decodedFile(value: string | DecodedFile): DecodedFile {
  if (value instanceof DecodedFile) return value;
  const decoder = new Base64Decoder(Math.ceil(value.length / 4) * 3);
  decoder.write(value);
  return decoder.end();
}

/** In Spanish; undefined for a file. */
export function base64Fault(value: unknown): string | undefined {
  if (value instanceof DecodedFile) return value.fault ?? undefined;
  if (typeof value !== 'string') return 'Debe ser un texto.';
  if (value === '') return empty;
  return value.length % 4 === 0 && alphabet.test(value) ? undefined : notBase64;
}
