/** Takes out of a message the addresses that open a document without a key, for readers who may not open it. */

const hidden = '[dirección oculta: la clave no puede ver el PDF]';

/** Of a page (with its PDF) or of a PDF alone, on any host: the service's may have had another name. */
const token = /\/(?:i|pdf)\/[\w-]{60,}(?:\/pdf)?/g;
const words = /[^\s"'<>]+/g;

/** From the beginning of the first address to the end of the last. Looks at each character a few times, whatever is written. */
function hideIn(word: string): string {
  const found = [...word.matchAll(token)];
  const [first, last] = [found[0], found.at(-1)];
  if (!first || !last) return word;
  const begin = word.search(/https?:\/\//i);
  const start = begin >= 0 && begin < first.index ? begin : first.index;
  return word.slice(0, start) + hidden + word.slice(last.index + last[0].length);
}

export function withoutAddresses(text: string): string {
  return text.replace(words, hideIn);
}

/** A button stays as a text without a link. */
export function htmlWithoutAddresses(html: string): string {
  const unlinked = html.replace(/ href="[^"]*"/g, (link) => (hideIn(link) === link ? link : ''));
  return withoutAddresses(unlinked);
}
