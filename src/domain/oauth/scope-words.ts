/** What each scope that a person can grant lets an application do, in the languages of the consent page. */
import { oauthScopes, scopeGroups } from '../../kernel/scopes.ts';
import type { Words } from '../../kernel/words.ts';

const withoutStop = (text: string) => text.replace(/\.$/, '');

export const scopeWords: Readonly<Record<string, Words>> = Object.fromEntries(
  oauthScopes.map(({ scope, description: { es, en } }) => [
    scope,
    { es: withoutStop(es), en: withoutStop(en) },
  ]),
);

export const groupWords: ReadonlyMap<string, Words> = new Map(
  scopeGroups.map(({ group, title }) => [group, title]),
);
