/**
 * An element's texts in inclusive C14N (W3C REC-xml-c14n-20010315, section 2.3), so that they are hashed and signed
 * as written.
 */
import { xmlForbidden } from '../../kernel/xml-characters.ts';

// What text escapes, and what XML 1.0 cannot hold, lone surrogates included.
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML forbids
const special = /[&<>\r]|[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/u;
const escaped = /[&<>\r]/g;
const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '\r': '&#xD;' };

/** Puts U+FFFD in place of what XML cannot hold. */
export function legible(text: string): string {
  return special.test(text) ? text.replace(xmlForbidden, '\ufffd') : text;
}

/** The text between two tags. */
export function escapeText(text: string): string {
  if (!special.test(text)) return text;
  return text
    .replace(xmlForbidden, '\ufffd')
    .replace(escaped, (character) => escapes[character] ?? character);
}

/** `2026-11-21` to `21-11-2026`. */
export function writeDay(day: string): string {
  return `${day.slice(8)}-${day.slice(5, 7)}-${day.slice(0, 4)}`;
}

/** `21-11-2026` to `2026-11-21`, without a check that the day exists. */
export function readDay(text: string): string {
  return `${text.slice(6)}-${text.slice(3, 5)}-${text.slice(0, 2)}`;
}

export function writeFlag(is_so: boolean): 'S' | 'N' {
  return is_so ? 'S' : 'N';
}

/** Removes code points up to U+0020 at both ends. `trim()` would remove others too, such as the no-break space. */
export function trimForHuella(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) <= 0x20) start++;
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}
