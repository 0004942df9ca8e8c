/** Every event: when it comes, what its data holds, and which operations emit it. In both languages. */
import { type Html, html } from '../../kernel/html.ts';
import type { Operation } from '../../kernel/operation.ts';
import { catalogItems } from '../../modules/event-list.ts';
import { inlineProse, type Language, languageNames, otherOf, type PageParts } from './html.ts';
import { tagPath } from './reference-page.ts';
import { eventsPath } from './served-addresses.ts';

export const eventWords = {
  es: { title: 'Eventos', about: 'Lo que ocurre con cada recurso.', coming: 'aún no se emite' },
  en: { title: 'Events', about: 'What happens to each resource.', coming: 'not emitted yet' },
} as const;

const leads = {
  es: html`Lo que ocurre queda en <a href="${tagPath('events')}#list_events"><code>GET /v1/events</code></a> y llega a sus <a href="/docs/webhooks">puntos de recepción</a>. Las formas de <code>data</code> están en <a href="/docs/event-schemas.json">JSON Schema</a>.`,
  en: html`What happens is kept in <a href="${tagPath('events')}#list_events"><code>GET /v1/events</code></a> and arrives at your <a href="/docs/webhooks">endpoints</a>. The shapes of <code>data</code> are in <a href="/docs/event-schemas.json">JSON Schema</a>.`,
} as const;

/** The catalogue of events by their resource. */
export function eventListPage(operations: readonly Operation[], language: Language): PageParts {
  const { title, coming } = eventWords[language];
  const other = otherOf(language);
  const by_resource = [...Map.groupBy(catalogItems, ({ category }) => category)];
  const menu = html`<ul>${by_resource.map(([resource, items]) => html`<li><a href="#${resource}">${resource} <small>(${items.length})</small></a></li>`)}</ul>`;
  const main = html`<h1>${title}</h1>
<p class="lead">${leads[language]}</p>
${by_resource.map(
  ([resource, items]) => html`<section><h2 id="${resource}">${resource}</h2>
<dl class="errors">${items.map(({ name, description, status }) => html`<dt id="${name}"><code>${name}</code>${status !== 'available' && html` <small>${coming}</small>`}</dt><dd>${inlineProse(description[language])}${emitters(name, operations)}</dd>`)}</dl></section>`,
)}`;
  const other_language = { path: eventsPath[other], title: languageNames[other] };
  return { title, path: eventsPath[language], language, other_language, menu, main };
}

function emitters(event: string, operations: readonly Operation[]): Html | undefined {
  const found = operations.filter(({ events }) => events.includes(event));
  if (found.length === 0) return undefined;
  return html` <small>${found.map(({ name, tag }) => html`<a href="${tagPath(tag)}#${name}">${name}</a> `)}</small>`;
}
