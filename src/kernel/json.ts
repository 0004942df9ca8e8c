/**
 * JSON whose numbers keep their decimal value (ADR 9). A number that a double would change becomes an ExactNumber.
 */

import { randomBytes } from 'node:crypto';
import { jsonNumber } from './decimal.ts';

/** In Node since 22, not yet in TypeScript's library. */
const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON;

export class ExactNumber {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
  toJSON(): unknown {
    return rawJson(this.text);
  }
}

export type DecimalInput = number | ExactNumber;

/** It may have an exponent. */
export function numberText(value: DecimalInput): string {
  return typeof value === 'number' ? String(value) : value.text;
}

/** No field takes a longer number. It also bounds the work on a hostile one. */
const sourceMax = 48;

/** Whether `String(value)` has the decimal value of `source`. */
function survives(value: number, source: string): boolean {
  if (!Number.isFinite(value) || source.length > sourceMax) return false;
  const [mantissa = ''] = source.split(/[eE]/);
  const digits = mantissa.replace(/[-.]/g, '').replace(/^0+/, '').replace(/0+$/, '');
  if (value === 0) return digits === '';
  return digits.length <= 15 || String(value) === source;
}

/** Deeper than any resource; bounds recursion over values. */
const depthMax = 100;

/** What a text may hold; anything when left out. */
export type JsonBounds = {
  values: number;
  /** Of one object: the engine is slow with very many. */
  keys: number;
  /** Of over fifteen digits, or with an exponent: each is read by hand. */
  long_numbers: number;
};

/** More than any request needs, and so little that nobody waits for it. */
export const requestBounds: JsonBounds = { values: 60_000, keys: 25_000, long_numbers: 20_000 };

const any = Number.POSITIVE_INFINITY;
const unbounded: JsonBounds = { values: any, keys: any, long_numbers: any };

type Token = { at: number; end: number };

const quote = 0x22;
const backslash = 0x5c;
const isDigit = (code: number) => code >= 0x30 && code <= 0x39;
/** A letter e or E, a point, a sign or a digit. */
const isOfNumber = (code: number) =>
  isDigit(code) || code === 0x65 || code === 0x45 || code === 0x2e || code === 0x2d || code === 0x2b;

/**
 * Counts depth and values, before anything is built of the text.
 * @returns the numbers that a double may not hold: of over fifteen digits, or with an exponent
 * @throws RangeError
 */
function scan(text: string, bounds: JsonBounds): Token[] {
  const careful: Token[] = [];
  let depth = 0;
  let values = 1;
  /** Of the objects that are open, by depth. */
  const keys: number[] = [];
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === quote) i = endOfText(text, i);
    else if (code === 0x2c) values += 1;
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      values += 1;
      keys[depth] = 0;
      if (depth > depthMax) throw new RangeError(`JSON nests deeper than ${depthMax}.`);
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
    else if (code === 0x3a) {
      const count = (keys[depth] ?? 0) + 1;
      keys[depth] = count;
      if (count > bounds.keys) throw new RangeError(`An object has more than ${bounds.keys} keys.`);
    } else if (isDigit(code)) {
      const token = numberAt(text, i);
      if (token.is_careful) careful.push({ at: text.charCodeAt(i - 1) === 0x2d ? i - 1 : i, end: token.end });
      i = token.end - 1;
    }
    if (values > bounds.values) throw new RangeError(`JSON has more than ${bounds.values} values.`);
    if (careful.length > bounds.long_numbers)
      throw new RangeError(`JSON has more than ${bounds.long_numbers} long numbers.`);
  }
  return careful;
}

/** The place of the quote that ends the text, or of the end. */
function endOfText(text: string, at: number): number {
  for (let i = at + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === backslash) i += 1;
    else if (code === quote) return i;
  }
  return text.length;
}

function numberAt(text: string, at: number): { end: number; is_careful: boolean } {
  let end = at;
  let has_exponent = false;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    if (!isOfNumber(code)) break;
    if (code === 0x65 || code === 0x45) has_exponent = true;
  }
  return { end, is_careful: has_exponent || end - at > 15 };
}

/**
 * Of duplicate keys the last counts (RFC 8259 leaves it open).
 * @throws SyntaxError for text that is not JSON, RangeError for nesting deeper than 100, or what exceeds the bounds
 */
export function parseJson(text: string, bounds = unbounded): unknown {
  const careful = scan(text, bounds);
  return careful.length === 0 ? JSON.parse(text) : parseExactly(text, careful);
}

const own = { enumerable: true, configurable: true, writable: true };

/**
 * A reviver would be called for every value. So each such number travels as a text, under a name that the caller
 * cannot know, and is put back.
 */
function parseExactly(text: string, careful: readonly Token[]): unknown {
  const name = `${randomBytes(12).toString('base64url')} `;
  const parts: string[] = [];
  let from = 0;
  for (const [at, token] of careful.entries()) {
    const source = text.slice(token.at, token.end);
    if (isKey(text, token.end) || !jsonNumber.test(source)) throw new SyntaxError('A number is malformed.');
    parts.push(text.slice(from, token.at), `"${name}${at}"`);
    from = token.end;
  }
  parts.push(text.slice(from));
  const put = (value: unknown): unknown => {
    if (typeof value === 'string') {
      if (!value.startsWith(name)) return value;
      const { at, end } = careful[Number(value.slice(name.length))]!;
      return numberOf(text.slice(at, end));
    }
    if (value === null || typeof value !== 'object') return value;
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length; at++) value[at] = put(value[at]);
      return value;
    }
    const members = value as Record<string, unknown>;
    for (const key of Object.keys(members)) {
      const member = members[key];
      const held = put(member);
      if (held === member) continue;
      // An assignment could change the prototype.
      if (key === '__proto__') Object.defineProperty(members, key, { ...own, value: held });
      else members[key] = held;
    }
    return value;
  };
  return put(JSON.parse(parts.join('')));
}

/** Whether a colon follows. */
function isKey(text: string, end: number): boolean {
  let at = end;
  while (at < text.length && text.charCodeAt(at) <= 0x20) at += 1;
  return text.charCodeAt(at) === 0x3a;
}

function numberOf(source: string): DecimalInput {
  const value = Number(source);
  return survives(value, source) ? value : new ExactNumber(source);
}

const texts = new WeakMap<object, string>();

/** For an answer that was measured or tagged: it need not be written again. */
export function rememberJson(value: object, text: string): void {
  texts.set(value, text);
}

export function jsonText(value: unknown): string {
  const known = value !== null && typeof value === 'object' ? texts.get(value) : undefined;
  return known ?? JSON.stringify(value);
}
