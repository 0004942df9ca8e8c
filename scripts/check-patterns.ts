/**
 * No pattern may backtrack: one text of one caller would hold up everybody. Each pattern of an operation's schema, and
 * each regular expression of the source, is tried on texts that it nearly fits, up to a million characters. One without a
 * quantifier is not: its work is linear. Linear work takes eight times as long for eight times the text, quadratic work
 * 64 times. A pattern of a schema is tried up to its `maxLength`, which it must have: longer texts never meet it
 * (kernel/check.ts).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalog } from '../src/modules/catalog.ts';
import { personOperations } from '../src/modules/people/index.ts';
import { report, root, sourcesIn } from './source-files.ts';

type Tried = { where: string; pattern: RegExp; longest: number };

/** Of an operation: its path, its query or its body. */
export type SchemaPlace = { where: string; schema: object | null };

/**
 * The steps are small at first, so that exponential work is seen before it is endless, and then large: quadratic work
 * that is too quick to see takes seconds at the next step, not hours.
 */
const lengths = [...stepsUpTo(2000), 8000, 32_000, 180_000, 1_000_000];
/** Texts with a head are many, so none is longer. */
const headedMax = 32_000;
const growthMax = 24;
/** Below that, time says nothing. */
const noiseMs = 4;
/** Below that, not even cubic work would be seen at the next step. */
const nothingMs = 0.005;
const repeats = 3;
/** The short text must not be slow by chance: growth that is overlooked takes seconds at the next step. */
const shortRepeats = 8;
/** Nothing but the pattern takes so long. */
const longMs = 500;
/** Ten steps of a clock. */
const averagedMs = 40;

function stepsUpTo(last: number): number[] {
  const steps: number[] = [];
  for (let at = 16; at <= last; at = Math.ceil(at * 1.2)) steps.push(at);
  return steps;
}

/** What a text is made of, and what keeps it from fitting at its end. */
const fillings = [
  'a',
  '0',
  ' ',
  '\n',
  '\r\n',
  '-',
  '.',
  ',',
  '/',
  '=',
  '@',
  '"',
  '%',
  '\\',
  '(',
  '[',
  '<',
  '😀',
  'a ',
  'a.',
  'a-',
  'a/',
  '%2',
];
const heads = ['', 'a', '"', 'data:image/png;base64,', 'https://'];
const tails = ['!', 'a\u0000'];

/** Their work grows. Their texts cannot. */
const bounded: Readonly<Record<string, string>> = {
  '/=+$/': 'base64 with at most two of them (companies.schema.ts)',
  '/\\B(?=(\\d{3})+$)/g': 'digits of an amount',
  '/^\\/+|\\/+$/g': "the operator's setting",
  '/\\/+$/': "the operator's setting",
  '/0+$/': 'at most 48 digits (kernel/json.ts)',
  '/^[.-]+|[.-]+$/g': 'the number of a document, at most 60 characters',
  '/(\\[[^\\]]+\\]\\([^)\\s]+\\))/': 'our own pages',
};

const texts = new Map<string, string>();

/** V8 puts a new text together when it is first read, which may take longer than its pattern. So each is made and read once. */
function textOf(head: string, filling: string, tail: string, length: number): string {
  const key = `${length} ${head} ${filling} ${tail}`;
  const known = texts.get(key);
  if (known !== undefined) return known;
  const room = length - head.length - tail.length;
  const made = head + filling.repeat(Math.max(1, Math.floor(room / filling.length))) + tail;
  /$^/.exec(made);
  texts.set(key, made);
  return made;
}

/** By the clock: at least what the pattern takes, so what looks quick is quick. */
function once(pattern: RegExp, text: string): number {
  const from = performance.now();
  pattern.lastIndex = 0;
  pattern.exec(text);
  return performance.now() - from;
}

function milliseconds(pattern: RegExp, text: string): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < repeats; i++) {
    best = Math.min(best, once(pattern, text));
    if (best < noiseMs || best > longMs) break;
  }
  return best;
}

function shortMilliseconds(pattern: RegExp, text: string): number {
  return Math.min(...Array.from({ length: shortRepeats }, () => once(pattern, text)));
}

/**
 * By this thread's processor, so that a busy machine counts little. The system may count that in steps of four
 * milliseconds, so many runs are timed together.
 */
function averageMs(pattern: RegExp, text: string): number {
  const from = process.threadCpuUsage();
  for (let runs = 1; ; runs++) {
    pattern.lastIndex = 0;
    pattern.exec(text);
    const { user, system } = process.threadCpuUsage(from);
    const spent = (user + system) / 1000;
    if (spent > averagedMs) return spent / runs;
  }
}

/** @returns how the time grew, if it grew too fast */
function growthOf({ pattern }: Tried, longest: number, text: (length: number) => string): number | undefined {
  for (const length of [...lengths.filter((one) => one < longest), longest]) {
    const long = text(length);
    const quick = milliseconds(pattern, long);
    if (length > 2000 && quick < nothingMs) return undefined;
    if (quick < noiseMs) continue;
    const short = text(Math.floor(length / 8));
    const looks_slow = () => milliseconds(pattern, long) > growthMax * shortMilliseconds(pattern, short);
    // Collected garbage or another program makes one measurement long.
    if (!looks_slow() || !looks_slow() || !looks_slow()) continue;
    const growth = averageMs(pattern, long) / averageMs(pattern, short);
    if (growth > growthMax) return growth;
  }
  return undefined;
}

function faultOf(tried: Tried): string | undefined {
  for (const filling of fillings)
    for (const head of heads)
      for (const tail of tails) {
        const text = (length: number) => textOf(head, filling, tail, length);
        const longest = Math.min(tried.longest, head === '' ? lengths.at(-1)! : headedMax);
        const growth = growthOf(tried, longest, text);
        if (growth !== undefined)
          return `${tried.where}: ${tried.pattern} takes ${growth.toFixed(0)} times as long for eight times ${JSON.stringify(head + filling)}, with ${JSON.stringify(tail)} behind`;
      }
  return undefined;
}

type Node = { pattern?: string; maxLength?: number };

function* patternsOf(node: unknown, where: string): Generator<Tried | string> {
  if (node === null || typeof node !== 'object') return;
  const { pattern, maxLength } = node as Node;
  if (typeof pattern === 'string') {
    if (maxLength === undefined) yield `${where}: the pattern ${pattern} has no maxLength`;
    else yield { where, pattern: new RegExp(pattern, 'u'), longest: maxLength };
  }
  for (const [name, member] of Object.entries(node)) yield* patternsOf(member, `${where}.${name}`);
}

/** Literals, found by what may stand before one. What is no pattern after all is left out. */
const literal =
  /(?:[(=:,[!&|?{};]|return|=>)\s*\/((?:[^/\\\n[*]|\\.|\[(?:[^\]\\\n]|\\.)*\])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])*)\/([dgimsuvy]*)/g;

function literalsOf(folder: string, path: string): Tried[] {
  const source = readFileSync(join(folder, path), 'utf8');
  return [...source.matchAll(literal)].flatMap(([, text, flags]) => {
    try {
      return [{ where: path, pattern: new RegExp(text!, flags), longest: Number.POSITIVE_INFINITY }];
    } catch {
      return [];
    }
  });
}

/** Without a quantifier the work at each place of the text is bounded. Signs within a class are taken for quantifiers, to be sure. */
function hasQuantifier({ pattern }: Tried): boolean {
  return /[*+{]/.test(pattern.source.replace(/\\(?:p\{[^}]*\}|.)/gis, ''));
}

/** @param folders with sources; tests are left out */
export function checkPatterns(
  schemas: readonly SchemaPlace[],
  folders: readonly string[],
): { count: number; faults: string[] } {
  const found = [
    ...schemas.flatMap(({ where, schema }) => [...patternsOf(schema, where)]),
    ...folders.flatMap((folder) =>
      sourcesIn(folder)
        .filter((path) => !path.endsWith('.test.ts'))
        .flatMap((path) => literalsOf(folder, path)),
    ),
  ];
  const tried = found
    .filter((one) => typeof one !== 'string')
    .filter(({ pattern }) => !(String(pattern) in bounded));
  const unique = new Map(tried.map((one) => [`${one.pattern} ${one.longest}`, one]));
  const slow = [...unique.values()]
    .filter(hasQuantifier)
    .map(faultOf)
    .filter((fault) => fault !== undefined);
  return { count: unique.size, faults: [...found.filter((one) => typeof one === 'string'), ...slow] };
}

if (import.meta.main) {
  const schemas = [...catalog, ...personOperations].flatMap(({ name, params, query, body }) =>
    Object.entries({ params, query, body }).map(([part, schema]) => ({ where: `${name} ${part}`, schema })),
  );
  const { count, faults } = checkPatterns(schemas, [join(root, 'src'), join(root, 'packages')]);
  report(faults);
  if (faults.length === 0) console.log(`${count} patterns take linear time.`);
}
