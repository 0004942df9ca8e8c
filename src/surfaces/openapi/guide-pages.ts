/** The pages of the guides, in Spanish and English. */
import { html } from '../../kernel/html.ts';
import type { Guide } from './guides.ts';
import {
  inlineProse,
  type Language,
  languageNames,
  type Neighbour,
  otherOf,
  type PageParts,
} from './html.ts';
import { renderMarkdown } from './markdown.ts';
import { addressed } from './page-texts.ts';
import { servedAddress } from './served-addresses.ts';

export const guidePath = (language: Language, name: string) => `/docs/guides/${language}/${name}`;

const titles = { es: 'Guías', en: 'Guides' };
const leads = {
  es: 'De la primera factura a un servicio que factura solo. Cada bloque de código se ejecuta en las pruebas de Folio.',
  en: 'From the first invoice to a service that bills by itself. The tests of Folio run every block of code.',
};
/** The guides of a language, with the first lines of each. */
export function guideListPage(language: Language, guides: readonly Guide[]): PageParts {
  const other = otherOf(language);
  const main = html`<h1>${titles[language]}</h1>
<p class="lead">${leads[language]}</p>
<ul class="cards">${guides.map(({ name, title, about }) => html`<li><a href="${guidePath(language, name)}"><strong>${title}</strong> <small>${inlineProse(about)}</small></a></li>`)}</ul>`;
  return {
    title: titles[language],
    path: `/docs/guides/${language}`,
    language,
    other_language: { path: `/docs/guides/${other}`, title: languageNames[other] },
    main,
    after: neighbour(language, guides[0]),
  };
}

export function guidePage(
  guide: Guide,
  { language, guides, public_url }: { language: Language; guides: readonly Guide[]; public_url: string },
): PageParts {
  const at = guides.indexOf(guide);
  const other = otherOf(language);
  const { main, index } = renderMarkdown(addressed(guide.text, public_url), servedAddress(language));
  const entry = ({
    name,
    title,
  }: Guide) => html`<li><a href="${guidePath(language, name)}"${name === guide.name && html` aria-current="page"`}>${title}</a>
${name === guide.name && html`<ul>${index.map(({ text, id }) => html`<li><a href="#${id}">${text}</a></li>`)}</ul>`}</li>`;
  return {
    title: guide.title,
    path: guidePath(language, guide.name),
    language,
    other_language: { path: guidePath(other, guide.name), title: languageNames[other] },
    menu: html`<ul>${guides.map(entry)}</ul>`,
    main: html`<p class="crumbs"><a href="/docs/guides/${language}">${titles[language]}</a></p>${main}`,
    before: neighbour(language, guides[at - 1]),
    after: neighbour(language, guides[at + 1]),
  };
}

function neighbour(language: Language, guide: Guide | undefined): Neighbour | undefined {
  return guide && { path: guidePath(language, guide.name), title: guide.title };
}
