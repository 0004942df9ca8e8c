/** Turns the written pages under docs/ into HTML: only the Markdown that they use, with all text escaped. */
import { type Html, html } from '../../kernel/html.ts';
import { inlineProse } from './html.ts';

type Block = { html: Html; heading?: { level: number; text: string; id: string } };

/** Undefined for what is not served: its label stands there without a link. */
type AddressOf = (target: string) => string | undefined;

const kinds: readonly { begins: RegExp; render(text: string, to: AddressOf): Block }[] = [
  { begins: /^```/, render: code },
  { begins: /^#{1,3} /, render: heading },
  { begins: /^\|/, render: table },
  { begins: /^- /, render: (text, to) => ({ html: html`<ul>${items(text, /^- /m, to)}</ul>` }) },
  { begins: /^\d+\. /, render: (text, to) => ({ html: html`<ol>${items(text, /^\d+\. /m, to)}</ol>` }) },
];

/**
 * @param text with LF line ends
 * @param addressOf where a link's target is served; as it is written when left out
 * @returns the blocks, and the second-level headings for an index
 */
export function renderMarkdown(
  text: string,
  addressOf: AddressOf = (target) => target,
): { main: Html; index: { text: string; id: string }[] } {
  const parts = [
    ...text.matchAll(/^```[^\n]*\n.*?^```$|^#{1,3} [^\n]+$|(?:^(?!```|#{1,3} )[^\n]+(?:\n|$))+/gms),
  ];
  const blocks = parts.map(([part]) => {
    const kind = kinds.find(({ begins }) => begins.test(part));
    return kind
      ? kind.render(part.trimEnd(), addressOf)
      : { html: html`<p>${inline(part.trimEnd(), addressOf)}</p>` };
  });
  const index = blocks.flatMap(({ heading: found }) => (found?.level === 2 ? [found] : []));
  return { main: html`${blocks.map((block) => block.html)}`, index };
}

/** Reads links, `code` and **strong**. */
function inline(text: string, addressOf: AddressOf): Html {
  const pieces = text.split(/(\[[^\]]+\]\([^)\s]+\))/);
  return html`${pieces.map((piece) => {
    const [, label, target] = /^\[([^\]]+)\]\(([^)\s]+)\)$/.exec(piece) ?? [];
    if (label === undefined || target === undefined) return inlineProse(piece);
    const address = addressOf(target);
    return address === undefined ? inlineProse(label) : html`<a href="${address}">${inlineProse(label)}</a>`;
  })}`;
}

/** `Qué hacer` to `que-hacer`. */
export function headingId(title: string): string {
  return title
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

function heading(text: string, addressOf: AddressOf): Block {
  const [, signs = '', title = ''] = /^(#+) (.+)$/.exec(text) ?? [];
  const id = headingId(title);
  const level = signs.length;
  const shown = inline(title, addressOf);
  const tags: Record<number, Html> = {
    1: html`<h1>${shown}</h1>`,
    2: html`<h2 id="${id}">${shown}</h2>`,
    3: html`<h3 id="${id}">${shown}</h3>`,
  };
  return { html: tags[level] ?? html``, heading: { level, text: title, id } };
}

function code(text: string): Block {
  const [first = '', ...lines] = text.split('\n').slice(0, -1);
  const [language] = /(?<=^```)\w+/.exec(first) ?? [];
  return {
    html: html`<pre tabindex="0"${language !== undefined && html` data-language="${language}"`}><code>${lines.join('\n')}</code></pre>`,
  };
}

/** An item goes on in lines that are set in. */
function items(text: string, sign: RegExp, addressOf: AddressOf): Html[] {
  const starts = new RegExp(`\\n(?=${sign.source.slice(1)})`);
  return text
    .split(starts)
    .map((item) => html`<li>${inline(item.replace(sign, '').replace(/\n\s+/g, '\n'), addressOf)}</li>`);
}

/** A table as this file reads it. A bar inside a cell does not end it. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

function table(text: string, addressOf: AddressOf): Block {
  const [head = [], , ...rows] = text.split('\n').map((line) =>
    line
      .trim()
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) => cell.trim().replaceAll('\\|', '|')),
  );
  const body = rows.map(
    (row) => html`<tr>${row.map((cell) => html`<td>${inline(cell, addressOf)}</td>`)}</tr>`,
  );
  return {
    html: html`<div class="scroll" tabindex="0"><table><thead><tr>${head.map((cell) => html`<th>${inline(cell, addressOf)}</th>`)}</tr></thead><tbody>${body}</tbody></table></div>`,
  };
}
