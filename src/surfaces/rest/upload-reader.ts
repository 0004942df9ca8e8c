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
const isSpace = (code: number) => code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
const isOpening = (code: number) => code === 0x7b || code === 0x5b;
const isClosing = (code: number) => code === 0x7d || code === 0x5d;

/** Longer than any name that is looked for. */
const wordMax = 64;

export class UploadReader {
  readonly #member: string;
  readonly #rest_max: number;
  readonly #file_bytes: number;
  readonly #rest = new GatheredBytes();
  #depth = 0;
  #is_in_text = false;
  #is_escaped = false;
  /** The last text of the outermost object. */
  #word = '';
  /** The member's value comes next. */
  #is_next = false;
  #decoder: Base64Decoder | null = null;
  #is_in_file = false;
  /** The beginning of an escape that the piece ended in. */
  #held = '';

  /** @param file_bytes about how many will come */
  constructor(member: string, rest_max: number, file_bytes: number) {
    this.#member = member;
    this.#rest_max = rest_max;
    this.#file_bytes = file_bytes;
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
        this.#decoder = new Base64Decoder(this.#file_bytes);
        this.#is_in_file = true;
      }
    }
    this.#rest.add(chunk.subarray(from, at));
    return this.#rest.length <= this.#rest_max;
  }

  end(): ArrivedUpload {
    return new ArrivedUpload(this.#rest.all(), this.#member, this.#decoder?.end() ?? null);
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

  /** @returns the place of the quote that ends the text, or the end of the piece */
  #takeFile(chunk: Buffer, from: number): number {
    let at = this.#is_escaped ? from + 1 : from;
    let end = chunk.indexOf(quote, at);
    for (;;) {
      const slash = chunk.indexOf(backslash, at);
      if (slash === -1 || (end !== -1 && slash > end)) break;
      at = slash + 2;
      if (end !== -1 && end < at) end = chunk.indexOf(quote, at);
    }
    const is_over = end !== -1;
    const stop = is_over ? end : chunk.length;
    this.#is_escaped = !is_over && at > chunk.length;
    if (is_over) this.#is_in_file = false;
    const is_plain = this.#held === '' && at === from;
    if (is_plain) {
      this.#decoder?.write(chunk.subarray(from, stop));
      return stop;
    }
    const text = this.#held + chunk.toString('latin1', from, stop);
    this.#held = is_over ? '' : (/\\(u[\da-fA-F]{0,3})?$/.exec(text)?.[0] ?? '');
    this.#decoder?.writeText(unescaped(text.slice(0, text.length - this.#held.length)));
    return stop;
  }
}

/** Some writers of JSON escape slash and plus. No other sign of base64 has a reason for it. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(/\\(?:u([\da-fA-F]{4})|(.))/gs, (_, hex?: string, sign?: string) =>
    hex === undefined ? (sign === '/' ? '/' : '\\') : String.fromCharCode(Number.parseInt(hex, 16)),
  );
}
