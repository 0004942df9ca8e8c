/** What the pages' search finds: guides, operations, fields, errors and events, each with its address. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Operation } from '../../kernel/operation.ts';
import { declaredProblems } from '../../kernel/problem.ts';
import { catalogItems } from '../../modules/event-list.ts';
import { renderMarkdown } from './markdown.ts';
import { guidePath } from './guide-pages.ts';
import { guideLanguages, readGuides } from './guides.ts';
import { tagPath } from './reference-page.ts';
import { errorsPath, eventsPath } from './served-addresses.ts';
import { latestContext, type SitePage } from './site.ts';

/** `[kind, title, detail, address]`, as short as it is sent. */
type Entry = [
  kind: 'guide' | 'page' | 'operation' | 'field' | 'error' | 'event',
  title: string,
  detail: string,
  address: string,
];

/** Gives way between two pages: the fields of all of them take longer than one turn may. */
export async function makeSearchIndex(
  operations: readonly Operation[],
  pages: readonly SitePage[],
): Promise<Entry[]> {
  const entries: Entry[] = [
    ...pages
      .filter(({ section }) => section !== 'guides')
      .map(({ path, title, about }): Entry => ['page', title, about, path]),
    ...guideLanguages.flatMap(guideEntries),
    ...operations.map(
      ({ name, tag, method, path, summary }): Entry => [
        'operation',
        summary.replace(/\.$/, ''),
        `${method} ${path.replace(/:(\w+)/g, '{$1}')} ${name}`,
        `${tagPath(tag)}#${name}`,
      ],
    ),
    ...guideLanguages.flatMap((language) =>
      declaredProblems().map(
        ({ code, message }): Entry => ['error', code, message[language], `${errorsPath[language]}/${code}`],
      ),
    ),
    ...guideLanguages.flatMap((language) =>
      catalogItems.map(
        ({ name, description }): Entry => [
          'event',
          name,
          description[language],
          `${eventsPath[language]}#${name}`,
        ],
      ),
    ),
  ];
  for (const page of pages.filter(({ section }) => section === 'reference')) {
    entries.push(...fieldEntries(page));
    await nextTurn();
  }
  return entries;
}

/** Of fields of one name and meaning only the first of a page. */
function fieldEntries({ path, make }: SitePage): Entry[] {
  const found = new Map<string, Entry>();
  make({
    ...latestContext(''),
    note(operation, id, name, schema) {
      const said = typeof schema.description === 'string' ? schema.description : '';
      const key = `${name} ${said}`;
      if (!found.has(key))
        found.set(key, ['field', name, `${operation.name} ${said}`.trim(), `${path}#${id}`]);
    },
  });
  return [...found.values()];
}

/** A guide, and each of its headings. */
function guideEntries(language: (typeof guideLanguages)[number]): Entry[] {
  return readGuides(language).flatMap(({ name, title, about, text }): Entry[] => {
    const address = guidePath(language, name);
    const headings = renderMarkdown(text).index.map(
      ({ text: heading, id }): Entry => ['guide', heading, title, `${address}#${id}`],
    );
    return [['guide', title, about, address], ...headings];
  });
}
