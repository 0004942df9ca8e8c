/**
 * What values and style sheets of an SVG refer to. A sheet is not applied as a browser would: it is enough to know of no
 * element less than it may come to refer to.
 */
import { refuse } from './svg-faults.ts';

/** References of all rules, each as often as its rule has selectors. */
const keptMax = 100_000;

type StyledElement = { name: string; id: string | null; classes: readonly string[] };

export type StyleReferences = {
  /** What an element may refer to by the sheets, in sets that many elements share. */
  of(element: StyledElement): readonly ReadonlySet<string>[];
};

const blankOrQuote = /[\s"']/;
/** A filter that is more than the address of one: `blur(5)` needs no element. */
const filterByName =
  /(?<![\w-])filter\s*:(?!\s*(?:none|inherit|initial|unset|url\s*\([^()]*\))\s*(?:[;!}]|$))/i;

/**
 * Styles and values: no import, no filter by its name, and no address but of an element of the drawing. A backslash
 * could hide any of them.
 * @returns the elements referred to
 */
export function referencesIn(text: string): string[] {
  if (/@import/i.test(text)) throw refuse('reaches_out');
  if (text.includes('\\') && /[({:;]/.test(text)) throw refuse('reaches_out');
  if (bothReadings(text).some((reading) => filterByName.test(reading))) throw refuse('filter');
  const references: string[] = [];
  for (const match of text.matchAll(/url\s*\(/gi)) {
    let begin = match.index + match[0].length;
    while (begin < text.length && blankOrQuote.test(text[begin]!)) begin++;
    if (text[begin] !== '#') throw refuse('reaches_out');
    let end = begin + 1;
    while (end < text.length && text[end] !== ')' && !blankOrQuote.test(text[end]!)) end++;
    references.push(text.slice(begin + 1, end));
  }
  return references;
}

/** The text as it stands and without its comments: within a string, what looks like one is none. */
function bothReadings(text: string): readonly string[] {
  const parts: string[] = [];
  let at = 0;
  for (let begin = text.indexOf('/*'); begin >= 0; begin = text.indexOf('/*', at)) {
    parts.push(text.slice(at, begin));
    const end = text.indexOf('*/', begin + 2);
    at = end < 0 ? text.length : end + 2;
  }
  return parts.length === 0 ? [text] : [text, [...parts, text.slice(at)].join(' ')];
}

const anything = '*';
/** The last part of a selector that is no more than a tag, an id, or classes. */
const simple = /^(\*|[\p{L}_][\p{L}\p{N}_-]*)?((?:[.#][\p{L}\p{N}_-]+)*)$/u;

/** @param sheets whole texts of `<style>` elements */
export function referencesByStyle(sheets: readonly string[]): StyleReferences {
  const kept = new Map<string, Set<string>>();
  let count = 0;
  for (const { selectors, body } of sheets.flatMap(bothReadings).flatMap((sheet) => [...rulesOf(sheet)])) {
    const references = body.includes('(') ? referencesIn(body) : [];
    if (references.length === 0) continue;
    for (const key of new Set(selectors.split(',').map(keyOf))) {
      count += references.length;
      if (count > keptMax) throw refuse('complex');
      const known = kept.get(key) ?? new Set();
      for (const id of references) known.add(id);
      kept.set(key, known);
    }
  }
  return {
    of({ name, id, classes }) {
      if (kept.size === 0) return [];
      const keys = new Set([anything, name, `#${id ?? ''}`, ...classes.map((one) => `.${one}`)]);
      return [...keys].flatMap((key) => kept.get(key) ?? []);
    },
  };
}

/**
 * What stands between braces, with what stands before them. What stands elsewhere, and rules within rules, may be about
 * anything.
 */
function* rulesOf(sheet: string): Generator<{ selectors: string; body: string }> {
  const pieces = sheet.split(/([{}])/);
  for (let i = 0; i < pieces.length; i += 2) {
    const is_body = pieces[i - 1] === '{' && pieces[i + 1] !== '{';
    yield { selectors: is_body ? pieces[i - 2]! : anything, body: pieces[i]! };
  }
}

/** A name by which all are found that the selector selects, and perhaps more. */
function keyOf(selector: string): string {
  const last = selector
    .trim()
    .split(/[\s>+~]+/)
    .at(-1);
  const [, tag = anything, rest = ''] = simple.exec(last ?? '') ?? [];
  return rest.match(/[.#][^.#]+/)?.[0] ?? tag.toLowerCase();
}
