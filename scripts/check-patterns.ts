/**
 * No pattern may backtrack: one text of one caller would hold up everybody. Each pattern of an operation's schema, and
 * each regular expression of the source, is tried on long texts that it nearly fits, at a length and at eight times that
 * length. Linear work takes eight times as long, quadratic work 64 times. A pattern of a schema is tried up to its
 * `maxLength`, which it must have: longer texts never meet it (kernel/check.ts).
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalog } from '../src/modules/catalog.ts';
import { report, root, sourcesIn } from './source-files.ts';

type Tried = { where: string; pattern: RegExp; longest: number };

/** The unit; the longest text has eight times as many characters. */
const unit = 4000;
const growthMax = 24;
/** Below that, time says nothing. */
const noiseMs = 4;
const repeats = 5;

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

/** These grow, on texts that cannot. */
const bounded: Readonly<Record<string, string>> = {
  '/=+$/': 'base64 with at most two of them (companies.schema.ts)',
  '/\\B(?=(\\d{3})+$)/g': 'digits of an amount',
  '/^\\/+|\\/+$/g': "the operator's setting",
  '/\\/+$/': "the operator's setting",
  '/0+$/': 'at most 48 digits (kernel/json.ts)',
  '/^[.-]+|[.-]+$/g': 'the number of a document, at most 60 characters',
  '/(\\[[^\\]]+\\]\\([^)\\s]+\\))/': 'our own pages',
};

function milliseconds(pattern: RegExp, text: string): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < repeats; i++) {
    pattern.lastIndex = 0;
    const from = performance.now();
    pattern.exec(text);
    best = Math.min(best, performance.now() - from);
    if (best < noiseMs) break;
  }
  return best;
}

/** @returns how the time grew, if it grew too fast */
function growthOf({ pattern, longest }: Tried, text: (length: number) => string): number | undefined {
  const most = Math.min(longest, unit * 8);
  const long = milliseconds(pattern, text(most));
  if (long < noiseMs) return undefined;
  const growth = long / Math.max(0.01, milliseconds(pattern, text(Math.floor(most / 8))));
  return growth > growthMax ? growth : undefined;
}

function faultOf(tried: Tried): string | undefined {
  for (const filling of fillings)
    for (const head of heads)
      for (const tail of tails) {
        const text = (length: number) =>
          head +
          filling.repeat(Math.max(1, Math.floor((length - head.length - tail.length) / filling.length))) +
          tail;
        const growth = growthOf(tried, text);
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

function literalsOf(path: string): Tried[] {
  const source = readFileSync(join(root, path), 'utf8');
  return [...source.matchAll(literal)].flatMap(([, text, flags]) => {
    try {
      return [{ where: path, pattern: new RegExp(text!, flags), longest: Number.POSITIVE_INFINITY }];
    } catch {
      return [];
    }
  });
}

const faults: string[] = [];
const tried: Tried[] = [];
for (const { name, params, query, body } of catalog)
  for (const [part, schema] of Object.entries({ params, query, body }))
    for (const found of patternsOf(schema, `${name} ${part}`))
      if (typeof found === 'string') faults.push(found);
      else tried.push(found);
for (const folder of ['src', 'packages'])
  for (const path of sourcesIn(join(root, folder)))
    if (!path.endsWith('.test.ts')) tried.push(...literalsOf(`${folder}/${path}`));

const open = tried.filter(({ pattern }) => !(String(pattern) in bounded));
const unique = new Map(open.map((one) => [`${one.pattern} ${one.longest}`, one]));
for (const one of unique.values()) {
  const fault = faultOf(one);
  if (fault !== undefined) faults.push(fault);
}
report(faults);
if (faults.length === 0) console.log(`${unique.size} patterns take linear time.`);
