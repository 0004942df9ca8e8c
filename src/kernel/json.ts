/**
 * JSON whose numbers keep their decimal value (ADR 9). A number that a double would change becomes an ExactNumber.
 */

import { randomBytes } from 'node:crypto';
import { jsonNumber } from './decimal.ts';
import { runSteps, type Steps } from './steps.ts';

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
export const requestBounds: JsonBounds = { values: 60_000, keys: 5_000, long_numbers: 20_000 };

const any = Number.POSITIVE_INFINITY;
const unbounded: JsonBounds = { values: any, keys: any, long_numbers: any };

type Token = { at: number; end: number };

/** So many characters are counted in one step, and about as many are built of a long list. */
const stepLength = 32_768;

/** From here on a text is long, and its long lists are built in parts. */
const longText = 65_536;

/** A long list: where its elements begin and end, and some of the commas between them. */
type List = { from: number; to: number; cuts: number[] };

/** Lists that lie deeper are built with what is around them. */
const listDepthMax = 4;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const isDigit = (code: number) => code >= 0x30 && code <= 0x39;
/** A letter e or E, a point, a sign or a digit. */
const isOfNumber = (code: number) =>
  isDigit(code) || code === 0x65 || code === 0x45 || code === 0x2e || code === 0x2d || code === 0x2b;

/** Counts depth and values, before anything is built of the text. */
class Scanner {
  /** The numbers that a double may not hold: of over fifteen digits, or with an exponent. */
  readonly careful: Token[] = [];
  /** One after the other: none lies within another. */
  readonly lists: List[] = [];
  values = 1;
  readonly #text: string;
  readonly #bounds: JsonBounds;
  #at = 0;
  #depth = 0;
  /** Key counts of the open objects, by depth. */
  readonly #keys: number[] = [];
  #list: (List & { depth: number }) | null = null;

  constructor(text: string, bounds: JsonBounds) {
    this.#text = text;
    this.#bounds = bounds;
  }

  /**
   * @returns whether all is read
   * @throws RangeError
   */
  advance(length: number): boolean {
    const text = this.#text;
    const { values: values_max, keys: keys_max, long_numbers } = this.#bounds;
    const until = Math.min(text.length, this.#at + length);
    const careful = this.careful;
    const keys = this.#keys;
    let depth = this.#depth;
    let values = this.values;
    let i = this.#at;
    for (; i < until; i++) {
      const code = text.charCodeAt(i);
      if (code === quote) i = endOfText(text, i);
      else if (code === comma) {
        values += 1;
        this.#mayCut(i, depth);
      } else if (code === 0x5b || code === 0x7b) {
        depth += 1;
        values += 1;
        keys[depth] = 0;
        if (depth > depthMax) throw new RangeError(`JSON nests deeper than ${depthMax}.`);
        if (code === 0x5b) this.#mayOpen(i, depth);
      } else if (code === 0x5d || code === 0x7d) {
        this.#mayClose(i, depth);
        depth -= 1;
      } else if (code === 0x3a) {
        const count = (keys[depth] ?? 0) + 1;
        keys[depth] = count;
        if (count > keys_max) throw new RangeError(`An object has more than ${keys_max} keys.`);
      } else if (isDigit(code)) {
        const token = numberAt(text, i);
        if (token.is_careful)
          careful.push({ at: text.charCodeAt(i - 1) === 0x2d ? i - 1 : i, end: token.end });
        i = token.end - 1;
      }
      if (values > values_max) throw new RangeError(`JSON has more than ${values_max} values.`);
      if (careful.length > long_numbers)
        throw new RangeError(`JSON has more than ${long_numbers} long numbers.`);
    }
    this.#at = i;
    this.#depth = depth;
    this.values = values;
    return i >= text.length;
  }

  #mayOpen(at: number, depth: number): void {
    if (this.#list !== null || depth > listDepthMax || this.#text.length < longText) return;
    this.#list = { from: at + 1, to: at + 1, cuts: [], depth };
  }

  #mayCut(at: number, depth: number): void {
    const list = this.#list;
    if (list?.depth === depth && at - (list.cuts.at(-1) ?? list.from) >= stepLength) list.cuts.push(at);
  }

  #mayClose(at: number, depth: number): void {
    const list = this.#list;
    if (list?.depth !== depth) return;
    const { from, cuts } = list;
    if (cuts.length > 0) this.lists.push({ from, to: at, cuts });
    this.#list = null;
  }
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
  return runSteps(jsonInSteps(text, bounds));
}

/** As `parseJson`. Between two steps of a long text others may have their turn. */
export function* jsonInSteps(text: string, bounds = unbounded): Steps<unknown> {
  const scanner = new Scanner(text, bounds);
  while (!scanner.advance(stepLength)) yield;
  const { careful, lists, values } = scanner;
  const whole = { text, careful };
  const read =
    lists.length > 0
      ? yield* readParts(whole, lists)
      : careful.length > 0
        ? readExactly(whole, 0, text.length)
        : JSON.parse(text);
  if (text.length >= longText && read !== null && typeof read === 'object') sizes.set(read, values);
  return read;
}

const sizes = new WeakMap<object, number>();

/**
 * An upper bound of the values inside, as counted in a long text, so that nobody walks them again.
 * @returns undefined for what was not read from a long text
 */
export function countedValues(read: object): number | undefined {
  return sizes.get(read);
}

type Whole = { text: string; careful: readonly Token[] };

/** A name that the caller cannot know. */
const unknownName = () => `${randomBytes(12).toString('base64url')} `;

/** Each long list is read in parts. The text around them is read with a mark in the place of each. */
function* readParts(whole: Whole, lists: readonly List[]): Steps<unknown> {
  const { text } = whole;
  const built: unknown[][] = [];
  for (const { from, to, cuts } of lists) {
    const list: unknown[] = [];
    for (const [at, end] of [...cuts, to].entries()) {
      const part = readExactly(whole, at === 0 ? from : cuts[at - 1]! + 1, end, '[', ']') as unknown[];
      // Nothing stands between two commas, or before the end.
      if (part.length === 0) throw new SyntaxError('A list is malformed.');
      for (const element of part) list.push(element);
      yield;
    }
    built.push(list);
  }
  const name = unknownName();
  const rests: { from: number; to: number; mark: string }[] = [];
  let from = 0;
  for (const [at, list] of lists.entries()) {
    rests.push({ from, to: list.from, mark: `"${name}${at}"` });
    from = list.to;
  }
  rests.push({ from, to: text.length, mark: '' });
  const frame = rests.map((rest) => exactText(whole, rest.from, rest.to));
  const marked = frame.map(({ spelled }, at) => spelled + rests[at]!.mark).join('');
  const numbers = frame.flatMap((one) => one.numbers);
  const listOf = (value: unknown) =>
    typeof value === 'string' && value.startsWith(name) ? built[Number(value.slice(name.length))] : undefined;
  return putBack(JSON.parse(marked), (value) => {
    if (Array.isArray(value) && value.length === 1) return listOf(value[0]) ?? value;
    return numberIn(numbers, value);
  });
}

/** `head` and `tail` around the part make it JSON. */
function readExactly(whole: Whole, from: number, to: number, head = '', tail = ''): unknown {
  const { spelled, numbers } = exactText(whole, from, to);
  const read: unknown = JSON.parse(head + spelled + tail);
  return numbers.length === 0 ? read : putBack(read, (value) => numberIn(numbers, value));
}

type Numbers = { name: string; sources: readonly string[] };

/**
 * A reviver would be called for every value. So each number that a double may not hold travels as a text, under a name that
 * the caller cannot know, and is put back.
 */
function exactText(
  { text, careful }: Whole,
  begin: number,
  to: number,
): { spelled: string; numbers: readonly Numbers[] } {
  let at = firstFrom(careful, begin);
  if (at >= careful.length || careful[at]!.at >= to) return { spelled: text.slice(begin, to), numbers: [] };
  const name = unknownName();
  const parts: string[] = [];
  const sources: string[] = [];
  let from = begin;
  for (let token = careful[at]; token !== undefined && token.at < to; token = careful[++at]) {
    const source = text.slice(token.at, token.end);
    if (isKey(text, token.end) || !jsonNumber.test(source)) throw new SyntaxError('A number is malformed.');
    parts.push(text.slice(from, token.at), `"${name}${sources.length}"`);
    sources.push(source);
    from = token.end;
  }
  parts.push(text.slice(from, to));
  return { spelled: parts.join(''), numbers: [{ name, sources }] };
}

/** The first token that begins there or later. */
function firstFrom(tokens: readonly Token[], place: number): number {
  let low = 0;
  let high = tokens.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (tokens[middle]!.at < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

function numberIn(numbers: readonly Numbers[], value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const its = numbers.find(({ name }) => value.startsWith(name));
  return its ? numberOf(its.sources[Number(value.slice(its.name.length))]!) : value;
}

const own = { enumerable: true, configurable: true, writable: true };

/** @param held gives what a value stands for, or the value itself, which is walked */
function putBack(value: unknown, held: (value: unknown) => unknown): unknown {
  const other = held(value);
  if (other !== value || value === null || typeof value !== 'object') return other;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) value[at] = putBack(value[at], held);
    return value;
  }
  const members = value as Record<string, unknown>;
  for (const key of Object.keys(members)) {
    const member = members[key];
    const put = putBack(member, held);
    if (put === member) continue;
    // An assignment could change the prototype.
    if (key === '__proto__') Object.defineProperty(members, key, { ...own, value: put });
    else members[key] = put;
  }
  return value;
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

const bytes = new WeakMap<object, readonly Buffer[]>();

/** As `rememberJson`, for an answer that was written in parts. */
export function rememberBytes(value: object, parts: readonly Buffer[]): void {
  bytes.set(value, parts);
}

export function jsonText(value: unknown): string {
  const known = value !== null && typeof value === 'object' ? texts.get(value) : undefined;
  return known ?? JSON.stringify(value);
}

/** Deeper values are written at once, but for lists with more members than this: the lines of a document may have a megabyte. */
const writtenDepth = 4;
const longList = 50;

/**
 * What `jsonText` writes, in parts that can be encoded each alone. Long lists decide where it is cut. Nothing joins them here: to
 * join megabytes takes a turn of its own for each level of the value.
 */
export function* jsonParts(value: unknown): Generator<string, void, void> {
  let held: string[] = [];
  let length = 0;
  for (const piece of jsonPieces(value, 0, false)) {
    held.push(piece);
    length += piece.length;
    if (length < stepLength) continue;
    yield held.join('');
    held = [];
    length = 0;
  }
  if (length > 0) yield held.join('');
}

/**
 * None for what JSON leaves out.
 * @param is_row of a long list. One with few rows of its own is written at once, which takes a tenth of the time
 */
function* jsonPieces(value: unknown, depth: number, is_row: boolean): Generator<string, void, void> {
  const known = value !== null && typeof value === 'object' ? texts.get(value) : undefined;
  const is_list = Array.isArray(value);
  const is_long = is_list && value.length > longList;
  const is_deep =
    (depth > writtenDepth && !is_long) || (is_row && countRows(value, rowLevels, 0) <= longList);
  if (known !== undefined || is_deep || !(is_list || isPlain(value))) {
    const text = known ?? (JSON.stringify(value) as string | undefined);
    if (text !== undefined) yield text;
    return;
  }
  const [open, close] = is_list ? '[]' : '{}';
  let before = open!;
  for (const [key, member] of Object.entries(value as object)) {
    const pieces = jsonPieces(member, depth + 1, is_long);
    const first = pieces.next();
    if (first.done && !is_list) continue;
    const text = first.done ? 'null' : first.value;
    yield is_list ? `${before}${text}` : `${before}${JSON.stringify(key)}:${text}`;
    yield* pieces;
    before = ',';
  }
  yield before === open ? `${open}${close}` : close!;
}

/** To write in parts costs several times as much. */
const rowsOfShort = 200;

/**
 * Whether an answer is worth to be written in parts, by the rows of its lists. The payments of an invoice may have 27 MB.
 * @param levels that are looked at below it
 */
export function hasManyRows(body: unknown, levels = writtenDepth): boolean {
  // What was written already is as it was written.
  if (body !== null && typeof body === 'object' && (bytes.has(body) || texts.has(body)))
    return bytes.has(body);
  return countRows(body, levels, 0) > rowsOfShort;
}

/** Looked at in a row: its own lists, and those of what it names. */
const rowLevels = 2;

/** It ends soon after the limit. */
function countRows(value: unknown, levels: number, counted: number): number {
  let rows = counted;
  const is_list = Array.isArray(value);
  if (is_list) rows += value.length;
  if (levels < 0 || !(is_list || isPlain(value))) return rows;
  for (const member of Object.values(value as object)) {
    if (rows > rowsOfShort) break;
    if (typeof member === 'object') rows = countRows(member, levels - 1, rows);
  }
  return rows;
}

/** As bytes, in the same parts. */
export function* jsonBytesInSteps(value: unknown): Steps<readonly Buffer[]> {
  const known = value !== null && typeof value === 'object' ? bytes.get(value) : undefined;
  if (known !== undefined) return known;
  const parts: Buffer[] = [];
  for (const part of jsonParts(value)) {
    parts.push(Buffer.from(part));
    yield;
  }
  return parts;
}

function isPlain(value: unknown): boolean {
  if (value === null || typeof value !== 'object') return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === Object.prototype || prototype === null) && !('toJSON' in value);
}
