import { html } from '../../kernel/html.ts';
import type { Language, Neighbour, PageParts } from './html.ts';
import { renderMarkdown } from './markdown.ts';
import { servedAddress } from './served-addresses.ts';
import { addressed } from './page-texts.ts';

type Place = { path: string; language: Language; other_language?: Neighbour };

/** A page of a text that is written under docs/. */
export function writtenPage(text: string, place: Place, public_url: string): PageParts {
  const { main, index } = renderMarkdown(addressed(text, public_url), servedAddress(place.language));
  return {
    ...place,
    title: titleOf(text),
    menu: html`<ul>${index.map(({ text: title, id }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul>`,
    main,
  };
}

export const titleOf = (text: string): string => /^# (.+)$/m.exec(text)?.[1] ?? '';
