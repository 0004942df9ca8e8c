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

/** The headers allow no style but the page's own. */
export function page({ language, title, colour, header, main, footer, has_forms = false }: PageParts): Page {
  const style = styleOf(pageColours(colour));
  const hash = createHash('sha256').update(style).digest('base64');
  const { text } = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow, noarchive">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Html(style)}</style>
</head>
<body>
${header && html`<header class="bar">${header}</header>`}
<main>
${main}
</main>
${footer && html`<footer>${footer}</footer>`}
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
      'Content-Security-Policy': `default-src 'none'; style-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action ${has_forms ? "'self'" : "'none'"}; frame-ancestors 'none'`,
    },
  };
}
