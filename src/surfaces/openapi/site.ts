/** The pages for people in the order in which they are read. Menus, search, llms.txt and the routes follow this list. */
import type { Operation } from '../../kernel/operation.ts';
import { type ApiVersion, latestVersion } from '../../kernel/versions.ts';
import { readChangelog } from './changelog.ts';
import { errorListPage, errorWords } from './error-pages.ts';
import { eventListPage, eventWords } from './event-page.ts';
import { type ExampleAnswers, readExampleAnswers } from './examples.ts';
import { guideListPage, guidePage, guidePath } from './guide-pages.ts';
import { type Guide, guideLanguages, readGuides } from './guides.ts';
import { type Language, languageNames, otherOf, type PageParts } from './html.ts';
import { overviewPage } from './overview-page.ts';
import { type NoteField, tagPage, tagPath } from './reference-page.ts';
import { scopesPage, scopeWords } from './scope-page.ts';
import { changelogPath, errorsPath, eventsPath, scopesPath, writtenPages } from './served-addresses.ts';
import { groupByTag } from './tags.ts';
import { readPageText } from './page-texts.ts';
import { titleOf, writtenPage } from './written-page.ts';

export type SitePage = {
  path: string;
  section: 'start' | 'guides' | 'reference' | 'more';
  language: Language;
  title: string;
  about: string;
  /** Whether it differs by version. */
  has_versions: boolean;
  make(context: PageContext): PageParts;
};

export type PageContext = {
  public_url: string;
  /** Whether a page may call the API as a part of its own origin. */
  can_call: boolean;
  version: ApiVersion;
  note?: NoteField;
};

export const latestContext = (public_url: string): PageContext => ({
  public_url,
  can_call: true,
  version: latestVersion,
});

/** Of a service without docs/ there are only the pages that are made. */
export function listPages(operations: readonly Operation[]): SitePage[] {
  const answers = readExampleAnswers();
  const guides = { es: readGuides('es'), en: readGuides('en') };
  const written = writtenOf();
  const events = inBoth(eventsPath, eventWords, (language) => eventListPage(operations, language));
  const scopes = inBoth(scopesPath, scopeWords, (language) => scopesPage(operations, language));
  const changes = changelogOf();
  const spanish = [...events, ...scopes, ...changes].filter(({ language }) => language === 'es');
  return [
    ...guideLanguages.flatMap((language) => guidesOf(language, guides[language])),
    ...referenceOf(operations, answers, { guides: guides.es, more: [...spanish, ...written] }),
    ...inBoth(errorsPath, errorWords, errorListPage),
    ...events,
    ...scopes,
    ...changes,
    ...written,
  ];
}

function referenceOf(
  operations: readonly Operation[],
  answers: ExampleAnswers,
  { guides, more }: { guides: readonly Guide[]; more: readonly SitePage[] },
): SitePage[] {
  const groups = groupByTag(operations);
  const overview: SitePage = {
    path: '/docs',
    section: 'start',
    language: 'es',
    title: 'Referencia de la API',
    about: 'Lo que vale para todas las operaciones, y la lista de ellas.',
    has_versions: true,
    make: ({ public_url, version }) => overviewPage({ groups, public_url, version, guides, more }),
  };
  const tags = groups.map(
    (group): SitePage => ({
      path: tagPath(group.tag),
      section: 'reference',
      language: 'es',
      title: group.title,
      about: group.description,
      has_versions: true,
      make: (context) => tagPage(group, { groups, answers, ...context }),
    }),
  );
  return [overview, ...tags];
}

function guidesOf(language: Language, guides: readonly Guide[]): SitePage[] {
  if (guides.length === 0) return [];
  const shared = { section: 'guides', language, has_versions: false } as const;
  const list = guideListPage(language, guides);
  return [
    { ...shared, path: list.path!, title: list.title, about: '', make: () => list },
    ...guides.map(
      (guide): SitePage => ({
        ...shared,
        path: guidePath(language, guide.name),
        title: guide.title,
        about: guide.about,
        make: ({ public_url }) => guidePage(guide, { language, guides, public_url }),
      }),
    ),
  ];
}

function writtenOf(): SitePage[] {
  return Object.entries(writtenPages).flatMap(([file, path]): SitePage[] => {
    const text = readPageText(file);
    if (text === undefined) return [];
    const make: SitePage['make'] = ({ public_url }) =>
      writtenPage(text, { path, language: 'en' }, public_url);
    return [{ ...of('en', path), title: titleOf(text), about: '', make }];
  });
}

function changelogOf(): SitePage[] {
  return guideLanguages.flatMap((language): SitePage[] => {
    const text = readChangelog(language);
    if (text === undefined) return [];
    const [path, other] = [changelogPath[language], otherOf(language)];
    const other_language = { path: changelogPath[other], title: languageNames[other] };
    const make: SitePage['make'] = ({ public_url }) =>
      writtenPage(text, { path, language, other_language }, public_url);
    return [{ ...of(language, path), title: titleOf(text), about: '', make }];
  });
}

const of = (language: Language, path: string) =>
  ({ path, section: 'more', language, has_versions: false }) as const;

/** A page that is made in each language. */
function inBoth(
  paths: Readonly<Record<Language, string>>,
  words: Readonly<Record<Language, { title: string; about: string }>>,
  make: (language: Language) => PageParts,
): SitePage[] {
  return guideLanguages.map((language) => {
    const { title, about } = words[language];
    return { ...of(language, paths[language]), title, about, make: () => make(language) };
  });
}
