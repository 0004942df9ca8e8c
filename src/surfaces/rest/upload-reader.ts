/**
 * Takes the file out of a JSON object while it arrives. What is left is JSON with an empty text in its place, as short as
 * any other body. So neither the loop nor the memory is held by the file's text.
 */
import { Base64Decoder, type DecodedFile } from '../../kernel/base64-file.ts';
import { GatheredBytes } from './gathered-bytes.ts';

/** A body without its file. */
export class ArrivedUpload {
  readonly rest: Buffer;
  readonly member: string;
  /** Null when the member was not there, or no text. */
  readonly file: DecodedFile | null;

  constructor(rest: Buffer, member: string, file: DecodedFile | null) {
    this.rest = rest;
    this.member = member;
    this.file = file;
  }
}

const quote = 0x22;
const backslash = 0x5c;
const slash = 0x2f;
const letterU = 0x75;
const isSpace = (code: number) => code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
const isOpening = (code: number) => code === 0x7b || code === 0x5b;
const isClosing = (code: number) => code === 0x7d || code === 0x5d;

/** The value of each hexadecimal digit; -1 for other signs. */
const hexDigits = new Int8Array(256).fill(-1);
for (const [value, signs] of [...'0123456789', 'aA', 'bB', 'cC', 'dD', 'eE', 'fF'].entries())
  for (const sign of signs) hexDigits[sign.charCodeAt(0)] = value;

/** Longer than any name that is looked for. */
const wordMax = 64;

export class UploadReader {
  readonly #member: string;
  readonly #rest_max: number;
  readonly #rest = new GatheredBytes();
  #depth = 0;
  #is_in_text = false;
  #is_escaped = false;
  /** The last text of the outermost object. */
  #word = '';
  /** The member's value comes next. */
  #is_next = false;
  readonly #decoder: Base64Decoder;
  #has_file = false;
  #is_in_file = false;
  /** Hexadecimal digits that an escape lacks, and what those before make. */
  #digits_left = 0;
  #code = 0;
  /** An escaped piece without its escapes. */
  #signs: Buffer = Buffer.alloc(0);

  /** @param file_bytes about how many will come */
  constructor(member: string, rest_max: number, file_bytes: number) {
    this.#member = member;
    this.#rest_max = rest_max;
    this.#decoder = new Base64Decoder(file_bytes);
  }

  /** @returns false when what is not the file is too long */
  write(chunk: Buffer): boolean {
    let from = 0;
    let at = 0;
    while (at < chunk.length && this.#rest.length + (at - from) <= this.#rest_max) {
      if (this.#is_in_file) {
        at = this.#takeFile(chunk, at);
        from = at;
      } else if (this.#step(chunk[at++]!)) {
        this.#rest.add(chunk.subarray(from, at));
        from = at;
        this.#beginFile();
      }
    }
    this.#rest.add(chunk.subarray(from, at));
    return this.#rest.length <= this.#rest_max;
  }

  end(): ArrivedUpload {
    return new ArrivedUpload(this.#rest.all(), this.#member, this.#has_file ? this.#decoder.end() : null);
  }

  /** @returns true when the file's text begins behind this byte */
  #step(code: number): boolean {
    if (this.#is_in_text) {
      this.#stepInText(code);
      return false;
    }
    if (code === quote) {
      this.#is_in_text = true;
      this.#word = '';
      const is_file = this.#is_next;
      this.#is_next = false;
      return is_file;
    }
    if (isOpening(code)) this.#depth += 1;
    else if (isClosing(code)) this.#depth -= 1;
    if (code === 0x3a) this.#is_next = this.#depth === 1 && this.#word === this.#member;
    else if (!isSpace(code)) this.#is_next = false;
    return false;
  }

  #stepInText(code: number): void {
    if (this.#is_escaped) this.#is_escaped = false;
    else if (code === backslash) this.#is_escaped = true;
    else if (code === quote) {
      this.#is_in_text = false;
      return;
    }
    if (this.#depth === 1 && this.#word.length < wordMax) this.#word += String.fromCharCode(code);
  }

  /** Of two members of the name the last counts, as in any object. */
  #beginFile(): void {
    this.#decoder.restart();
    this.#has_file = true;
    this.#is_in_file = true;
  }

  /** @returns the place of the quote that ends the text, or the end of the piece */
  #takeFile(chunk: Buffer, from: number): number {
    const end = chunk.indexOf(quote, from);
    const signs = chunk.subarray(from, end === -1 ? chunk.length : end);
    if (this.#is_escaped || this.#digits_left > 0 || signs.includes(backslash))
      return this.#takeEscaped(chunk, from);
    this.#decoder.write(signs);
    this.#is_in_file = end === -1;
    return from + signs.length;
  }

  /** Some writers of JSON escape slash and plus. Any other escape becomes a sign that is not base64. */
  #takeEscaped(chunk: Buffer, from: number): number {
    // An escape that another piece began may end as a sign before the first of this one.
    if (this.#signs.length <= chunk.length) this.#signs = Buffer.allocUnsafeSlow(chunk.length + 1);
    const signs = this.#signs;
    let count = 0;
    let at = from;
    for (; at < chunk.length; at++) {
      const sign = chunk[at]!;
      const digit = this.#digits_left > 0 ? hexDigits[sign]! : -1;
      if (digit >= 0) {
        this.#code = this.#code * 16 + digit;
        this.#digits_left -= 1;
        if (this.#digits_left === 0) signs[count++] = this.#code < 0x80 ? this.#code : backslash;
        continue;
      }
      if (this.#digits_left > 0) signs[count++] = backslash;
      this.#digits_left = 0;
      if (this.#is_escaped) {
        this.#is_escaped = false;
        this.#code = 0;
        if (sign === letterU) this.#digits_left = 4;
        else signs[count++] = sign === slash ? slash : backslash;
      } else if (sign === backslash) this.#is_escaped = true;
      else if (sign === quote) {
        this.#is_in_file = false;
        break;
      } else signs[count++] = sign;
    }
    this.#decoder.write(signs.subarray(0, count));
    return at;
  }
}
