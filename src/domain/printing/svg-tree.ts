/** The elements of an SVG, with what they refer to; nothing that runs, moves or comes from elsewhere is let through. */
import { refuse } from './svg-faults.ts';
import { referencesIn } from './svg-styles.ts';

const elementsMax = 20_000;
const depthMax = 100;
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

export type SvgElement = {
  /** Without prefix, in lower case: `drawing:path` and `path` are told apart by nobody who draws by namespace. */
  name: string;
  id: string | null;
  classes: readonly string[];
  references: string[];
  children: SvgElement[];
  /** Characters of its tag. */
  length: number;
  /** Characters that are drawn as letters. */
  letters: number;
  /** For who reckons how much it draws. */
  drawn: number | null;
};

export type SvgTree = {
  root: SvgElement;
  by_id: ReadonlyMap<string, readonly SvgElement[]>;
  style_sheets: readonly string[];
};

/** Markup that is no element, with what ends it. */
const apart = [
  ['<!--', '-->'],
  ['<![CDATA[', ']]>'],
  ['<?', '?>'],
  ['<!DOCTYPE', '>'],
] as const;

/** An element whose end is still to come. */
type Open = { tag_name: string; element: SvgElement; texts: string[]; is_text: boolean };

/** @throws SvgFault */
export function readTree(text: string): SvgTree {
  const by_id = new Map<string, SvgElement[]>();
  const style_sheets: string[] = [];
  const open: Open[] = [];
  let root: SvgElement | null = null;
  let count = 0;
  let at = 0;
  for (;;) {
    const next = text.indexOf('<', at);
    const between = text.slice(at, next < 0 ? undefined : next);
    if (open.length === 0 && between.trim() !== '') throw refuse('not_svg');
    open.at(-1)?.texts.push(decoded(between));
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
      if (begin === '<![CDATA[') open.at(-1)?.texts.push(content);
      at = last + end.length;
      continue;
    }
    const last = endOfTag(text, next);
    const tag = text.slice(next + 1, last);
    at = last + 1;
    if (tag.startsWith('/')) {
      const ended = open.pop();
      if (ended?.tag_name !== tag.slice(1).trimEnd()) throw refuse('not_svg');
      takeText(ended, style_sheets);
      continue;
    }
    if (root !== null && open.length === 0) throw refuse('not_svg');
    const { tag_name, element, is_closed } = readElement(tag, root === null);
    root ??= element;
    const parent = open.at(-1);
    parent?.element.children.push(element);
    if (element.id !== null) keep(by_id, element.id, element);
    const is_text = parent?.is_text === true || element.name === 'text';
    if (!is_closed) open.push({ tag_name, element, texts: [], is_text });
    if (++count > elementsMax || open.length > depthMax) throw refuse('complex');
  }
  if (root === null || open.length > 0) throw refuse('not_svg');
  return { root, by_id, style_sheets };
}

function keep(by_id: Map<string, SvgElement[]>, id: string, element: SvgElement): void {
  const known = by_id.get(id);
  if (known) known.push(element);
  else by_id.set(id, [element]);
}

/** The text of an element, whole: what stands within may be divided by comments and elements. */
function takeText({ element, texts, is_text }: Open, style_sheets: string[]): void {
  const text = texts.join('');
  referencesIn(text);
  if (element.name === 'style') style_sheets.push(text);
  if (is_text) element.letters = text.trim().length;
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

const localName = (name: string) => (name.split(':').at(-1) ?? '').toLowerCase();

function readElement(tag: string, is_root: boolean) {
  tagName.lastIndex = 0;
  const tag_name = tagName.exec(tag)?.[0];
  if (tag_name === undefined) throw refuse('not_svg');
  const name = localName(tag_name);
  if (is_root && name !== 'svg') throw refuse('not_svg');
  if (refusedElements.has(name)) throw refuse('element', name);
  const element: SvgElement = {
    name,
    id: null,
    classes: [],
    references: [],
    children: [],
    length: tag.length,
    letters: 0,
    drawn: null,
  };
  let has_namespace = false;
  attribute.lastIndex = tag_name.length;
  let end = tag_name.length;
  for (let match = attribute.exec(tag); match !== null; match = attribute.exec(tag)) {
    end = attribute.lastIndex;
    const [, key = '', quoted = ''] = match;
    const value = decoded(quoted.slice(1, -1));
    if (key.startsWith('xmlns')) has_namespace ||= value === svgNamespace;
    else readAttribute(element, localName(key), value);
  }
  tagEnd.lastIndex = end;
  const closing = tagEnd.exec(tag);
  if (closing === null) throw refuse('not_svg');
  if (is_root && !has_namespace) throw refuse('no_namespace');
  return { tag_name, element, is_closed: closing[1] === '/' };
}

function readAttribute(element: SvgElement, key: string, value: string): void {
  if (key.startsWith('on')) throw refuse('code');
  if (key === 'id') element.id = value.trim();
  if (key === 'class') element.classes = value.split(/\s+/);
  if (key === 'href' || key === 'src') {
    if (!value.trim().startsWith('#')) throw refuse('reaches_out');
    element.references.push(value.trim().slice(1));
    return;
  }
  // An attribute of that name is a style of its own.
  for (const id of referencesIn(key === 'filter' ? `filter:${value}` : value)) element.references.push(id);
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const entity = /&(?:(amp|lt|gt|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));|&/gi;

/** The text that is meant: what is forbidden may be written with the numbers of its characters. */
function decoded(text: string): string {
  return text.replace(entity, (_, name?: string, decimal?: string, hexadecimal?: string) => {
    if (name !== undefined) return named[name.toLowerCase()] ?? '';
    const code = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal);
    if (Number.isNaN(code)) throw refuse('entities');
    if (code > 0x10ffff) throw refuse('not_svg');
    return String.fromCodePoint(code);
  });
}
