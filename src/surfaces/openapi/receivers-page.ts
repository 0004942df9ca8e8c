import { existsSync, readFileSync } from 'node:fs';
import { html } from '../../kernel/html.ts';
import { page } from './html.ts';
import { renderMarkdown } from './markdown.ts';

const file = new URL('../../../docs/webhooks.md', import.meta.url);

/** Made from docs/webhooks.md. @returns undefined when the service runs without docs/ */
export function receiversPage(): string | undefined {
  if (!existsSync(file)) return undefined;
  const { main, index } = renderMarkdown(readFileSync(file, 'utf8').replaceAll('\r\n', '\n'));
  const menu = html`<ul>${index.map(({ text, id }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul>`;
  return page({ title: 'Receiving webhooks · Folio', menu, main: html`<div lang="en">${main}</div>` });
}
