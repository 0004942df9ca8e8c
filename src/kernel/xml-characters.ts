/** Which characters a text may have that is to stand in XML 1.0 (its section 2.2), as records and events do. */

/** What XML cannot hold at all, lone surrogates included. For `search` and `replace` alone, which keep no place. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML forbids
export const xmlForbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu;

/** Whether XML 1.0 can hold every character of the text. */
export function fitsXml(text: string): boolean {
  return text.search(xmlForbidden) === -1;
}

/** The text on one line, without characters that cannot be seen or that XML cannot hold. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\s\ufffe\uffff]+/gu, ' ').trim();
}
