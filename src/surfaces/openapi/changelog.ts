/** Reads docs/changelog.md: what each version changed, in both languages, for its pages, those of older versions and the feeds. */
import { type ApiVersion, apiVersions } from '../../kernel/versions.ts';
import { ofLanguage } from './guides.ts';
import type { Language } from './html.ts';
import { headingId } from './markdown.ts';
import { readPageText } from './page-texts.ts';

export type Change = {
  since: ApiVersion;
  /** Of the version's heading. */
  id: string;
  /** What it is about, as one sentence. */
  title: string;
  /** As Markdown. */
  text: string;
  /** As `POST /v1/invoices/{invoice}/issue`. */
  routes: string[];
};

/** @returns undefined when the service runs without docs/ */
export function readChangelog(language: Language): string | undefined {
  const source = readPageText('changelog.md');
  return source === undefined ? undefined : ofLanguage(source, language);
}

/** The version's changes in the order of the page; none when the service runs without docs/. */
export function readChanges(language: Language): Change[] {
  return (readChangelog(language) ?? '').split(/^## /m).flatMap((section) => {
    const [head = '', ...rest] = section.split('\n');
    const since = apiVersions.find((version) => head.startsWith(version));
    if (since === undefined) return [];
    const parts = rest.join('\n').split(/^- /m).slice(1);
    return parts.map((part) => ({
      since,
      id: headingId(head),
      title: /^\*\*(.+?)\*\*/s.exec(part)?.[1] ?? part.split('\n')[0]!,
      text: part.replace(/\n {2}/g, '\n').trim(),
      routes: [...part.matchAll(/`((?:GET|POST|PUT|DELETE) \/v1\/[^\s`]+)`/g)].map(([, route = '']) => route),
    }));
  });
}

let changes: Change[] | undefined;

/** What came after that version, in Spanish as the reference is. */
export function changesSince(version: ApiVersion): Change[] {
  changes ??= readChanges('es');
  return changes.filter(({ since }) => since > version);
}
