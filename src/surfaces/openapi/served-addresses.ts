/** Where the service shows a page under docs/, so that a link between two files becomes one between two pages. */
import { type GuideName, guideNames } from './guides.ts';
import type { Language } from './html.ts';

/** Written pages that are served, by their file. */
export const writtenPages = {
  'clients.md': '/docs/clients',
  'webhooks.md': '/docs/webhooks',
  'sandbox-magic-values.md': '/docs/sandbox-magic-values',
  'oauth.md': '/docs/oauth',
  'mcp.md': '/docs/mcp',
} as const;

export const errorsPath = { es: '/docs/errors', en: '/docs/en/errors' } as const;
export const eventsPath = { es: '/docs/events', en: '/docs/en/events' } as const;
export const scopesPath = { es: '/docs/es/scopes', en: '/docs/scopes' } as const;

export const changelogPath = { es: '/docs/es/changelog', en: '/docs/changelog' } as const;
export const feedPath = { es: '/docs/es/changelog.atom', en: '/docs/changelog.atom' } as const;

export const toolsPath = '/docs/mcp-tools.json';

/** Pages and documents that are made, by the file that is printed of them. */
const madePages: Record<string, string | Readonly<Record<Language, string>>> = {
  'errors.md': errorsPath,
  'events.md': eventsPath,
  'scopes.md': scopesPath,
  'changelog.md': changelogPath,
  'event-schemas.json': '/docs/event-schemas.json',
  'mcp-tools.json': toolsPath,
  'openapi.json': '/openapi.json',
  'postman-collection.json': '/docs/postman-collection.json',
};

/**
 * @param language of the pages that links lead to, where they are in both
 * @returns for a link's target the address of its page; undefined for a file of the repository that is not served
 */
export function servedAddress(language: Language): (target: string) => string | undefined {
  return (target) => {
    if (/^(?:[a-z]+:|\/|#)/.test(target)) return target;
    const [path = '', hash] = target.split('#');
    const file = path.replace(/^(?:\.\.?\/)*(?:guides\/)?/, '');
    const guide = guideNames.find((name) => `${name}.md` === file) as GuideName | undefined;
    const is_guide = guide !== undefined && !(path.startsWith('../') && file in writtenPages);
    const made = madePages[file];
    const served = is_guide
      ? `/docs/guides/${language}/${guide}`
      : ((writtenPages as Record<string, string>)[file] ??
        (typeof made === 'object' ? made[language] : made));
    return served === undefined || hash === undefined ? served : `${served}#${hash}`;
  };
}
