/** Characters that XML 1.0 can hold (its section 2.2), for billing records and events. */

/** Includes lone surrogates. Use with `search` and `replace` only, which ignore lastIndex. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that XML forbids
export const xmlForbidden = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Cs}/gu;

export function fitsXml(text: string): boolean {
  return text.search(xmlForbidden) === -1;
}

/** On one line, without invisible characters and those that XML cannot hold. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\s\ufffe\uffff]+/gu, ' ').trim();
}
