/** The changes of the API's versions as an Atom feed (RFC 4287). */
import { escapeHtml } from '../../kernel/html.ts';
import { apiVersions, latestVersion } from '../../kernel/versions.ts';
import { type Change, readChanges } from './changelog.ts';
import type { Language } from './html.ts';
import { renderMarkdown } from './markdown.ts';
import { changelogPath, feedPath, servedAddress } from './served-addresses.ts';

const instant = (day: string) => `${day}T00:00:00Z`;

const words = {
  es: { title: 'Folio: versiones de la API', first: 'La primera versión.' },
  en: { title: 'Folio: versions of the API', first: 'The first version.' },
} as const;

/** The newest first. An entry's id stays when its address or its words change; each language has its own. */
export function changelogFeed(docs_url: string, language: Language): string {
  const page = `${docs_url}${changelogPath[language]}`;
  const { title, first } = words[language];
  const [oldest] = apiVersions;
  const idOf = (name: string) => `tag:folio,${name}${language === 'en' ? '' : `:${language}`}`;
  const last = entry(`${page}#${oldest}`, idOf(`${oldest}:first`), oldest, first, '');
  const entries = readChanges(language).map((change, i) =>
    entryOf(change, idOf(`${change.since}:${i + 1}`), page, language),
  );
  return `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}">
<id>${idOf(`${oldest}:changelog`)}</id>
<title>${title}</title>
<updated>${instant(latestVersion)}</updated>
<author><name>Folio</name></author>
<link rel="self" href="${escapeHtml(`${docs_url}${feedPath[language]}`)}"/>
<link rel="alternate" href="${escapeHtml(page)}"/>
${[...entries, last].join('\n')}
</feed>
`;
}

function entryOf({ since, id, title, text }: Change, tag: string, page: string, language: Language): string {
  const { main } = renderMarkdown(text, servedAddress(language));
  return entry(`${page}#${id}`, tag, since, title.replaceAll('`', ''), main.text);
}

function entry(address: string, id: string, day: string, title: string, content: string): string {
  return `<entry><id>${id}</id><title>${escapeHtml(title)}</title><updated>${instant(day)}</updated><link href="${escapeHtml(address)}"/><content type="html">${escapeHtml(content)}</content></entry>`;
}
