/** Pages for people who sign in: without script, with one style sheet of the service, kept by no cache and framed by nobody. */
import { createHash } from 'node:crypto';
import { html, type Html } from '../../kernel/html.ts';
import { passkeyPath } from './passkey-script.ts';
import { peopleStyle } from './style.ts';

export type PageLanguage = 'es' | 'en';

export type PeoplePage = { text: string; headers: Readonly<Record<string, string>> };

type PageParts = {
  language: PageLanguage;
  title: string;
  main: Html;
  /** The path of the public address: empty, or one that a proxy takes away. */
  base: string;
  /** Origins, besides this service, that a form may lead to: Chromium also checks the redirect after it. */
  form_origins?: readonly string[];
  /** A passkey is asked for by script. */
  asks_passkey?: boolean;
};

const hash = createHash('sha256').update(peopleStyle).digest('hex').slice(0, 12);

/** Below the base. */
export const stylePath = `/assets/people-${hash}.css`;

export const pageHeaders = {
  'Cache-Control': 'no-store',
  // Under no-referrer a browser would hide the origin of our own forms (Fetch, section 3.2).
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex, nofollow, noarchive',
} as const;

export function peoplePage({
  language,
  title,
  main,
  base,
  form_origins = [],
  asks_passkey = false,
}: PageParts): PeoplePage {
  const { text } = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow, noarchive">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}${stylePath}">
${asks_passkey && html`<script src="${base}${passkeyPath}" defer></script>`}
</head>
<body>
<main>
${main}
</main>
</body>
</html>
`;
  const actions = ["'self'", ...form_origins].join(' ');
  return {
    text,
    headers: {
      ...pageHeaders,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none';${asks_passkey ? " script-src 'self';" : ''} style-src 'self'; img-src 'self' data:; base-uri 'none'; frame-ancestors 'none'; form-action ${actions}`,
    },
  };
}

/** The visitor's language: their choice, or the first of ours that their browser asks for. */
export function languageOf(chosen: PageLanguage | undefined, accepted: string | undefined): PageLanguage {
  if (chosen) return chosen;
  const asked = (accepted ?? '')
    .slice(0, 500)
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.trim().toLowerCase().split(';');
      const q = parameters.map((p) => p.trim()).find((p) => p.startsWith('q='));
      return { tag: tag.split('-')[0], weight: q === undefined ? 1 : Number(q.slice(2)) || 0 };
    });
  const best = asked
    .filter(({ tag, weight }) => (tag === 'es' || tag === 'en') && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)[0];
  return best?.tag === 'en' ? 'en' : 'es';
}
