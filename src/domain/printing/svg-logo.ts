/**
 * What an SVG may be as a logo: a drawing complete in itself. Nothing that runs, moves or comes from elsewhere; no
 * entities; and no references that, one within the other, make a few lines draw without end. The text is gone through
 * once, so that looking at it takes time with its length whatever it is.
 */
import type { Buffer } from 'node:buffer';

const elementsMax = 20_000;
const depthMax = 100;
/** Elements drawn, with those that are drawn again by a reference. */
const drawnMax = 100_000;
const svgNamespace = 'http://www.w3.org/2000/svg';

const refusedElements: ReadonlySet<string> = new Set([
  'script',
  'foreignobject',
  'image',
  'feimage',
  'iframe',
  'embed',
  'object',
  'audio',
  'video',
  'animate',
  'animatecolor',
  'animatemotion',
  'animatetransform',
  'set',
  'handler',
  'listener',
]);

const faults = {
  not_svg: 'La imagen no es un SVG bien formado.',
  no_namespace: `La imagen no es un SVG: falta xmlns="${svgNamespace}".`,
  not_utf8: 'El SVG no está en UTF-8.',
  entities: 'El SVG no puede llevar entidades propias.',
  reaches_out: 'El SVG no puede referirse a nada fuera de él: solo a sus propios elementos (#id).',
  code: 'El SVG no puede llevar código (atributos on…).',
  complex: 'El SVG es demasiado complejo.',
} as const;

/** What ends the look at a drawing; the message is for who sent it. */
class SvgFault extends Error {}

const refuse = (fault: keyof typeof faults) => new SvgFault(faults[fault]);

/** An element: what it is known as, and what it refers to. */
type Element = { id: string | null; references: string[]; children: Element[]; drawn: number | null };

/** @returns why it cannot be a logo, in Spanish, or undefined when it can */
export function svgFault(bytes: Buffer): string | undefined {
  try {
    const { root, byId } = readTree(decode(bytes));
    if (drawnBy(root, byId, new Set()) > drawnMax) throw refuse('complex');
    return undefined;
  } catch (error) {
    if (error instanceof SvgFault) return error.message;
    throw error;
  }
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refuse('not_utf8');
  }
}

/** Markup that is no element, with what ends it. */
const apart = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!DOCTYPE', '>'],
] as const;

function readTree(text: string): { root: Element; byId: Map<string, Element> } {
  const byId = new Map<string, Element>();
  const open: { name: string; element: Element }[] = [];
  let root: Element | null = null;
  let count = 0;
  let at = 0;
  for (;;) {
    const next = text.indexOf('<', at);
    const between = text.slice(at, next < 0 ? undefined : next);
    if (open.length === 0 && between.trim() !== '') throw refuse('not_svg');
    checkText(between);
    checkEntities(between);
    if (next < 0) break;
    const other = apart.find(([begin]) => text.startsWith(begin, next));
    if (other) {
      const [begin, end] = other;
      const last = text.indexOf(end, next + begin.length);
      if (last < 0) throw refuse('not_svg');
      const content = text.slice(next + begin.length, last);
      if (begin === '<!DOCTYPE' && (root !== null || content.includes('['))) throw refuse('entities');
      // A stylesheet is named before the first element.
      if (begin === '<?' && !/^xml\s/.test(content)) throw refuse('reaches_out');
      if (begin === '<![CDATA[') checkText(content);
      at = last + end.length;
      continue;
    }
    const last = endOfTag(text, next);
    const tag = text.slice(next + 1, last);
    at = last + 1;
    if (tag.startsWith('/')) {
      if (open.pop()?.name !== tag.slice(1).trimEnd()) throw refuse('not_svg');
      continue;
    }
    if (root !== null && open.length === 0) throw refuse('not_svg');
    const { name, element, is_closed } = readElement(tag, root === null);
    root ??= element;
    open.at(-1)?.element.children.push(element);
    if (element.id !== null) byId.set(element.id, element);
    if (!is_closed) open.push({ name, element });
    if (++count > elementsMax || open.length > depthMax) throw refuse('complex');
  }
  if (root === null || open.length > 0) throw refuse('not_svg');
  return { root, byId };
}

/** Where the tag that begins there ends: at the first `>` outside its quotes. */
function endOfTag(text: string, begin: number): number {
  let quote = '';
  for (let at = begin + 1; at < text.length; at++) {
    const char = text[at]!;
    if (quote !== '') {
      if (char === quote) quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === '>') return at;
    else if (char === '<') break;
  }
  throw refuse('not_svg');
}

const tagName = /[^\s<>"'/!?=]+/y;
const attribute = /\s+([^\s=<>"'/]+)\s*=\s*("[^"]*"|'[^']*')/y;
const tagEnd = /\s*(\/?)$/y;

/** `drawing:path` and `path` are told apart by nobody who draws by namespace. */
const localName = (name: string) => (name.split(':').at(-1) ?? '').toLowerCase();

function readElement(tag: string, is_root: boolean) {
  tagName.lastIndex = 0;
  const name = tagName.exec(tag)?.[0];
  if (name === undefined) throw refuse('not_svg');
  const local = localName(name);
  if (is_root && local !== 'svg') throw refuse('not_svg');
  if (refusedElements.has(local)) throw new SvgFault(`El SVG no puede llevar elementos <${local}>.`);
  const element: Element = { id: null, references: [], children: [], drawn: null };
  let has_namespace = false;
  attribute.lastIndex = name.length;
  let end = name.length;
  for (let match = attribute.exec(tag); match !== null; match = attribute.exec(tag)) {
    end = attribute.lastIndex;
    const [, key = '', quoted = ''] = match;
    const value = quoted.slice(1, -1);
    checkEntities(value);
    if (key.startsWith('xmlns')) has_namespace ||= value === svgNamespace;
    else readAttribute(element, localName(key), value);
  }
  tagEnd.lastIndex = end;
  const closing = tagEnd.exec(tag);
  if (closing === null) throw refuse('not_svg');
  if (is_root && !has_namespace) throw refuse('no_namespace');
  return { name, element, is_closed: closing[1] === '/' };
}

function readAttribute(element: Element, key: string, value: string): void {
  if (key.startsWith('on')) throw refuse('code');
  if (key === 'id') element.id = value.trim();
  if (key === 'href' || key === 'src') {
    if (!value.trim().startsWith('#')) throw refuse('reaches_out');
    element.references.push(value.trim().slice(1));
    return;
  }
  element.references.push(...checkText(value));
}

const knownEntity = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/i;

function checkEntities(text: string): void {
  if (knownEntity.test(text)) throw refuse('entities');
}

const blankOrQuote = /[\s"']/;

/**
 * Styles and values: no import, and no address but of an element of the drawing. A backslash could hide either.
 * @returns the elements referred to
 */
function checkText(text: string): string[] {
  if (/@import/i.test(text)) throw refuse('reaches_out');
  if (text.includes('\\') && /[({:;]/.test(text)) throw refuse('reaches_out');
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

/** How many elements are drawn by one, with those that it refers to; what goes round or too deep is without end. */
function drawnBy(element: Element, byId: ReadonlyMap<string, Element>, within: Set<Element>): number {
  if (element.drawn !== null) return element.drawn;
  if (within.has(element) || within.size > 4 * depthMax) return Number.POSITIVE_INFINITY;
  within.add(element);
  let drawn = 1;
  for (const child of element.children) drawn += drawnBy(child, byId, within);
  for (const id of element.references) {
    const target = byId.get(id);
    if (target) drawn += drawnBy(target, byId, within);
  }
  within.delete(element);
  element.drawn = drawn;
  return drawn;
}
