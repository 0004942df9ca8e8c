import { createHash } from 'node:crypto';
import type { PrintedLanguage } from '../../domain/printing/printed-document.ts';
import { Html, html } from '../../kernel/html.ts';
import { pageColours } from '../../domain/printing/colours.ts';
import { styleOf } from './style.ts';

export type Page = { text: string; headers: Readonly<Record<string, string>> };

type PageParts = {
  language: PrintedLanguage;
  title: string;
  colour: string | null;
  header?: Html;
  main: Html;
  footer?: Html;
  /** Messengers may show its title. */
  is_shared?: boolean;
  script?: string;
  /** It sends forms to this service, and a browser says with them where they come from. */
  has_forms?: boolean;
};

/** For pages and PDFs: no cache keeps a copy, and no search engine indexes the address. */
export const privateHeaders = {
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow, noarchive',
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'private, no-store',
} as const;

const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

/** The headers allow no style and no script but the page's own. */
export function page({
  language,
  title,
  colour,
  header,
  main,
  footer,
  is_shared = false,
  script,
  has_forms = false,
}: PageParts): Page {
  const style = styleOf(pageColours(colour));
  const scripts = script === undefined ? '' : ` script-src '${hashOf(script)}';`;
  const { text } = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow, noarchive">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${
  is_shared &&
  html`<meta property="og:title" content="${title}">
<meta property="og:type" content="website">`
}
<link rel="icon" href="data:,">
<style>${new Html(style)}</style>
</head>
<body>
${header && html`<header class="bar">${header}</header>`}
<main>
${main}
</main>
${footer && html`<footer>${footer}</footer>`}
${script !== undefined && html`<script>${new Html(script)}</script>`}
</body>
</html>
`;
  return {
    text,
    headers: {
      ...privateHeaders,
      // With `no-referrer` a browser hides the origin of a form, too (Fetch, section 3.2). Others learn nothing with either.
      ...(has_forms ? { 'Referrer-Policy': 'same-origin' } : {}),
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': `default-src 'none'; style-src '${hashOf(style)}';${scripts} img-src data:; base-uri 'none'; form-action ${has_forms ? "'self'" : "'none'"}; frame-ancestors 'none'`,
    },
  };
}
