/** The switch of languages on a document's page. Its PDF stays in the issuer's language. */
import type { FastifyRequest } from 'fastify';
import { type PrintedLanguage, printedLanguages } from '../../domain/printing/printed-document.ts';
import { type Html, html } from '../../kernel/html.ts';
import { pageWords } from './words.ts';

/** In its own words. */
const names: Record<PrintedLanguage, string> = {
  es: 'Español',
  ca: 'Català',
  eu: 'Euskara',
  gl: 'Galego',
  en: 'English',
};

/** Of `?lang=`; another value counts as none, and so does an address that cannot be read. */
export function askedLanguage({ query }: Pick<FastifyRequest, 'query'>): PrintedLanguage | undefined {
  const { lang } = (query ?? {}) as { lang?: unknown };
  return printedLanguages.find((one) => one === lang);
}

export const languageQuery = (asked: PrintedLanguage | undefined) =>
  asked === undefined ? '' : `?lang=${asked}`;

/** @param page the page's address from where it is shown */
export function languageSwitch(language: PrintedLanguage, page: string): Html {
  return html`<nav class="languages" aria-label="${pageWords[language].languages}"><ul>${printedLanguages.map(
    (one) =>
      html`<li><a href="${page}?lang=${one}" lang="${one}" hreflang="${one}"${one === language && html` aria-current="true"`}>${names[one]}</a></li>`,
  )}</ul></nav>`;
}
