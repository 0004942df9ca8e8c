/** Turns docs/webhooks.md into HTML: only the Markdown of that page, with all text escaped. */
import { type Html, html } from '../../kernel/html.ts';
import { inlineProse } from './html.ts';

type Block = { html: Html; heading?: { level: number; text: string; id: string } };

const kinds: readonly { begins: RegExp; render(text: string): Block }[] = [
  { begins: /^```/, render: code },
  { begins: /^#{1,3} /, render: heading },
  { begins: /^\|/, render: table },
  { begins: /^- /, render: (text) => ({ html: html`<ul>${items(text, /^- /)}</ul>` }) },
  { begins: /^\d+\. /, render: (text) => ({ html: html`<ol>${items(text, /^\d+\. /)}</ol>` }) },
];

/**
 * @param text with LF line ends
 * @returns the blocks, and the second-level headings for an index
 */
export function renderMarkdown(text: string): { main: Html; index: { text: string; id: string }[] } {
  const parts = [
    ...text.matchAll(/^```[^\n]*\n.*?^```$|^#{1,3} [^\n]+$|(?:^(?!```|#{1,3} )[^\n]+(?:\n|$))+/gms),
  ];
  const blocks = parts.map(([part]) => {
    const kind = kinds.find(({ begins }) => begins.test(part));
    return kind ? kind.render(part.trimEnd()) : { html: html`<p>${inline(part.trimEnd())}</p>` };
  });
  const index = blocks.flatMap(({ heading: found }) => (found?.level === 2 ? [found] : []));
  return { main: html`${blocks.map((block) => block.html)}`, index };
}

/** Reads links, `code` and **strong**. */
function inline(text: string): Html {
  const pieces = text.split(/(\[[^\]]+\]\([^)\s]+\))/);
  return html`${pieces.map((piece) => {
    const [, label, target] = /^\[([^\]]+)\]\(([^)\s]+)\)$/.exec(piece) ?? [];
    return label && target ? html`<a href="${target}">${inlineProse(label)}</a>` : inlineProse(piece);
  })}`;
}

function heading(text: string): Block {
  const [, signs = '', title = ''] = /^(#+) (.+)$/.exec(text) ?? [];
  const id = title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  const level = signs.length;
  const shown = inline(title);
  const tags: Record<number, Html> = {
    1: html`<h1>${shown}</h1>`,
    2: html`<h2 id="${id}">${shown}</h2>`,
    3: html`<h3 id="${id}">${shown}</h3>`,
  };
  return { html: tags[level] ?? html``, heading: { level, text: title, id } };
}

function code(text: string): Block {
  const lines = text.split('\n').slice(1, -1);
  return { html: html`<pre tabindex="0"><code>${lines.join('\n')}</code></pre>` };
}

function items(text: string, sign: RegExp): Html[] {
  return text.split('\n').map((line) => html`<li>${inline(line.replace(sign, ''))}</li>`);
}

function table(text: string): Block {
  const [head = [], , ...rows] = text.split('\n').map((line) => line.replace(/^\| | \|$/g, '').split(' | '));
  const body = rows.map((row) => html`<tr>${row.map((cell) => html`<td>${inline(cell)}</td>`)}</tr>`);
  return {
    html: html`<table><thead><tr>${head.map((cell) => html`<th>${inline(cell)}</th>`)}</tr></thead><tbody>${body}</tbody></table>`,
  };
}
