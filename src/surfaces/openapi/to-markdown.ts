/**
 * The Markdown of a page, for agents. It is made from the page's own HTML, so that nothing is said twice. It reads only
 * what our pages are made of: each element is closed, and all text is escaped.
 */
import type { Html } from '../../kernel/html.ts';

/** Not for readers of Markdown: choices, buttons, links to the place itself, and of the samples all but curl's. */
const left_out =
  /<button\b.*?<\/button>|<div class="choices".*?<\/div>|<a class="anchor".*?<\/a>|<nav\b.*?<\/nav>|<pre class="sample" data-language="(?!curl").*?<\/pre>/gs;

const entities: Record<string, string> = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

const plain = (text: string) =>
  text.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: string) => entities[name] ?? '');

/** What stands before and after an element's content. */
const around: Record<string, readonly [before: string, after: string]> = {
  h1: ['\n\n# ', '\n\n'],
  h2: ['\n\n## ', '\n\n'],
  h3: ['\n\n### ', '\n\n'],
  p: ['\n\n', '\n\n'],
  figcaption: ['\n\n**', '**\n\n'],
  summary: ['\n\n', '\n\n'],
  dl: ['\n', '\n\n'],
  dt: ['\n- **', '**: '],
  ul: ['\n', '\n'],
  ol: ['\n', '\n'],
  code: ['`', '`'],
  strong: ['**', '**'],
  b: ['**', '**'],
  tr: ['\n|', ''],
  th: [' ', ' |'],
  td: [' ', ' |'],
};

type Writer = { out: string[]; lists: number; link: string; head_cells: number; fenced: boolean };

/** @param main the content of a page */
export function toMarkdown(main: Html): string {
  const writer: Writer = { out: [], lists: 0, link: '', head_cells: 0, fenced: false };
  for (const [, closing, name = '', attributes = '', text] of main.text
    .replace(left_out, '')
    .matchAll(/<(\/?)([a-z]\w*)([^>]*)>|([^<]+)/g)) {
    if (text !== undefined) writer.out.push(writer.fenced ? plain(text) : plain(text).replace(/\s+/g, ' '));
    else if (closing === '/') close(writer, name);
    else open(writer, name, attributes);
  }
  return `${tidy(writer.out.join(''))}\n`;
}

function open(writer: Writer, name: string, attributes: string): void {
  if (name === 'pre') {
    writer.fenced = true;
    const [, language = ''] = /data-language="(\w+)"/.exec(attributes) ?? [];
    writer.out.push(`\n\n\`\`\`${language === 'curl' ? 'sh' : language}\n`);
  } else if (writer.fenced) return;
  else if (name === 'a') {
    [, writer.link = ''] = /href="([^"]*)"/.exec(attributes) ?? [];
    writer.out.push('[');
  } else if (name === 'li') writer.out.push(`\n${'  '.repeat(Math.max(0, writer.lists - 1))}- `);
  else {
    if (name === 'ul' || name === 'ol') writer.lists += 1;
    if (name === 'thead') writer.head_cells = 0;
    if (name === 'th') writer.head_cells += 1;
    writer.out.push(mark(writer, name, 0));
  }
}

function close(writer: Writer, name: string): void {
  if (name === 'pre') {
    writer.fenced = false;
    writer.out.push('\n```\n\n');
  } else if (writer.fenced) return;
  else if (name === 'a') writer.out.push(`](${plain(writer.link)})`);
  else {
    if (name === 'ul' || name === 'ol') writer.lists -= 1;
    writer.out.push(mark(writer, name, 1));
    if (name === 'thead') writer.out.push(`\n|${' --- |'.repeat(writer.head_cells)}`);
  }
}

/** Within a list a paragraph goes on in the item's line. */
function mark({ lists }: Writer, name: string, side: 0 | 1): string {
  if (lists > 0 && name === 'p') return ' ';
  const is_inner_list = (name === 'ul' || name === 'ol') && lists > 1 - side;
  return is_inner_list ? '' : (around[name]?.[side] ?? '');
}

/** At most one empty line, and none at the ends. */
function tidy(text: string): string {
  return text
    .split(/(```.*?\n```)/s)
    .map((part, i) => (i % 2 === 1 ? part : part.replace(/ \n/g, '\n').replace(/\n{3,}/g, '\n\n')))
    .join('')
    .trim();
}
