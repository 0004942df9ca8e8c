/** Pages in place of a document. They reveal nothing of any document. */
import type { PrintedLanguage } from '../../domain/printing/printed-document.ts';
import { html } from '../../kernel/html.ts';
import { type Page, page } from './frame.ts';
import { type PageWords, pageWords } from './words.ts';

export type NoticeName = {
  [Name in keyof PageWords]: PageWords[Name] extends string ? never : Name;
}[keyof PageWords];

export function noticePage(name: NoticeName, language: PrintedLanguage): Page {
  const { title, text } = pageWords[language][name];
  return page({
    language,
    title,
    colour: null,
    main: html`<div class="notice"><h1>${title}</h1><p>${text}</p></div>`,
  });
}
