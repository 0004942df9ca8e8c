/** The frame around each page, and the little markup of the texts in it. */
import { createHash } from 'node:crypto';
import { escapeHtml, Html, html } from '../../kernel/html.ts';
import { apiVersions, type ApiVersion, latestVersion } from '../../kernel/versions.ts';
import { changelogPath, errorsPath, eventsPath, feedPath } from './served-addresses.ts';

/** Reads `code`, **strong** and paragraphs. */
export function prose(text: string): Html {
  return html`${text.split(/\n{2,}/).map((part) => html`<p>${inlineProse(part)}</p>`)}`;
}

/** Reads `code` and **strong**. */
export function inlineProse(text: string): Html {
  const pieces = text.split(/(`[^`]+`|\*\*[^*]+\*\*)/);
  return html`${pieces.map((piece) => {
    if (piece.length > 2 && piece.startsWith('`')) return html`<code>${piece.slice(1, -1)}</code>`;
    return piece.length > 4 && piece.startsWith('**') ? html`<strong>${piece.slice(2, -2)}</strong>` : piece;
  })}`;
}

export type Neighbour = { path: string; title: string };

export type Language = 'es' | 'en';

export const languageNames = { es: 'Español', en: 'English' } as const;

export const otherOf = (language: Language): Language => (language === 'es' ? 'en' : 'es');

export type PageParts = {
  title: string;
  /** Of the page itself, without query; undefined for one that has no address of its own. */
  path?: string | undefined;
  language?: Language;
  /** The same page in the other language. */
  other_language?: Neighbour | undefined;
  /** Links of the side column. */
  menu?: Html;
  main: Html;
  before?: Neighbour | undefined;
  after?: Neighbour | undefined;
  /** The version that the page shows, where it differs by version. */
  version?: ApiVersion | undefined;
};

const words = {
  es: {
    skip: 'Ir al contenido',
    pages: 'Páginas',
    guides: 'Guías',
    reference: 'Referencia',
    errors: 'Errores',
    events: 'Eventos',
    changes: 'Cambios',
    index: 'Índice',
    search: 'Buscar',
    theme: 'Tema',
    versions: 'Versión',
    before: 'Anterior',
    after: 'Siguiente',
    neighbours: 'Anterior y siguiente',
  },
  en: {
    skip: 'Go to the content',
    pages: 'Pages',
    guides: 'Guides',
    reference: 'Reference',
    errors: 'Errors',
    events: 'Events',
    changes: 'Changes',
    index: 'Contents',
    search: 'Search',
    theme: 'Theme',
    versions: 'Version',
    before: 'Previous',
    after: 'Next',
    neighbours: 'Previous and next',
  },
} as const;

/** Before the first paint: the theme that was chosen, and that there is a script. */
const first_script =
  "{const e=document.documentElement;e.classList.add('scripted');try{const t=localStorage.getItem('folio.docs.theme');if(t==='light'||t==='dark')e.dataset.theme=t}catch{}}";

/** For every page. Its own scripts may run, but of inline ones only the first. */
export const pagePolicy = `default-src 'none'; script-src 'self' 'sha256-${createHash('sha256').update(first_script).digest('base64')}'; connect-src 'self'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** Addresses of the latest version do not name it. */
export const versionQuery = (version: ApiVersion) => (version === latestVersion ? '' : `?version=${version}`);

/** The address of a version's OpenAPI document. */
export const openApiPath = (version: ApiVersion) =>
  version === latestVersion ? '/openapi.json' : `/openapi/${version}.json`;

/** The address of a page's Markdown. */
export const markdownPath = (path: string) => `${path}.md`;

/**
 * Links are written from the service's own root.
 * @param base of the public address: empty, or a path that a proxy takes away
 */
export function withBase(markup: Html, base: string): Html {
  if (base === '') return markup;
  const before = escapeHtml(base);
  return new Html(markup.text.replace(/ (href|src)="(?=\/)/g, (attribute) => `${attribute}${before}`));
}

/** @param base of the public address: empty, or a path that a proxy takes away */
export function page(parts: PageParts, base: string): string {
  const { title, path, language = 'es', menu, main, version = latestVersion } = parts;
  const w = words[language];
  const query = versionQuery(version);
  const script = `<script>${first_script}</script>`;
  const frame = html`<!doctype html>
<html lang="${language}"${base !== '' && html` data-base="${base}"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Folio</title>
FIRST_SCRIPT
<link rel="stylesheet" href="/docs/style.css">
<script type="module" src="/docs/page.js"></script>
<link rel="icon" href="data:,">
${path !== undefined && html`<link rel="alternate" type="text/markdown" href="${markdownPath(path)}${query}">`}
<link rel="alternate" type="application/atom+xml" title="Folio" href="${feedPath[language]}">
</head>
<body>
<a class="skip" href="#contenido">${w.skip}</a>
<header class="top"><a class="brand" href="/docs${query}">Folio</a>
<nav aria-label="${w.pages}">${menu && html`<a class="to-menu" href="#indice">${w.index}</a>`}<a href="/docs/guides/${language}">${w.guides}</a><a href="/docs${query}">${w.reference}</a><a href="${errorsPath[language]}">${w.errors}</a><a href="${eventsPath[language]}">${w.events}</a><a href="/docs/webhooks">Webhooks</a><a href="${changelogPath[language]}">${w.changes}</a><a href="${openApiPath(version)}">OpenAPI</a></nav>
<div class="tools"><button type="button" class="scripted-only" data-search>${w.search} <kbd>/</kbd></button><button type="button" class="scripted-only" data-theme-switch aria-label="${w.theme}"><span class="half"></span></button>${otherLanguage(parts)}</div></header>
<div class="${menu ? 'columns' : 'single'}">
<main id="contenido">
${versionSwitch(parts)}${main}
${neighbours(parts)}
</main>
${menu && html`<nav class="menu" id="indice" aria-label="${w.index}">${menu}</nav>`}
</div>
</body>
</html>
`;
  return withBase(frame, base).text.replace('FIRST_SCRIPT', () => script);
}

function otherLanguage({ other_language: other, language = 'es' }: PageParts): Html | undefined {
  if (!other) return undefined;
  const to = otherOf(language);
  return html`<a href="${other.path}" lang="${to}" hreflang="${to}">${other.title}</a>`;
}

function versionSwitch({ version, path = '', language = 'es' }: PageParts): Html | undefined {
  if (version === undefined) return undefined;
  const links = apiVersions
    .toReversed()
    .map(
      (each) =>
        html`<a href="${path}${versionQuery(each)}"${each === version && html` aria-current="true"`}>${each}</a>`,
    );
  return html`<nav class="versions" aria-label="${words[language].versions}"><span>${words[language].versions}</span>${links}</nav>`;
}

function neighbours({ before, after, language = 'es' }: PageParts): Html | undefined {
  if (!before && !after) return undefined;
  const w = words[language];
  const link = (rel: string, to: Neighbour | undefined, word: string) =>
    to && html`<a rel="${rel}" href="${to.path}"><small>${word}</small> ${to.title}</a>`;
  return html`<nav class="neighbours" aria-label="${w.neighbours}">${link('prev', before, w.before)}${link('next', after, w.after)}</nav>`;
}
