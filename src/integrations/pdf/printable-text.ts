/**
 * Texts with nothing in them that the fonts cannot show. A character without a shape would make the file no PDF/A, and
 * the compiler refuses it; nobody's invoice fails for a Chinese name. What is seen and cannot be shown becomes U+FFFD,
 * one for each character; what is not seen anyway goes.
 */
import type { CharacterRange } from './font-coverage.ts';

/** Gives a text, in NFC where the fonts can, with each character one that they have, or a line feed. */
export type PrintableText = (text: string) => string;

/** What stands for a character that no font has. */
const REPLACEMENT = '\ufffd';

/** What nearly every text consists of, which all our fonts have. */
const everyday = /^[\n -~\xa0-\xac\xae-\u017f\u2013\u2014\u2018\u2019\u201c\u201d\u2022\u2026\u20ac]*$/;
const lineEnds = /\r\n|[\r\v\f\x85\u2028\u2029]/g;
const tabs = /\t/g;
/** Joiners, marks of direction, variants: without a form of their own. Where a word may be divided is kept. */
const invisible = /(?!\xad)\p{Default_Ignorable_Code_Point}/gu;
const space = /^\p{Zs}$/u;
/** What no text for others may hold in PDF/A, whatever shapes a font has for it (ISO 19005-3, 6.2.11.7). */
const forbidden = /[\p{Cc}\p{Co}\p{Cn}\p{Cs}\ufeff\ufffe]/u;

/** The characters that may be printed. @param covered what the fonts have, one font after the other */
export function coveredCharacters(covered: readonly CharacterRange[]): string[] {
  const shown = new Set<number>();
  for (const [from, to] of covered) for (let code = from; code <= to; code++) shown.add(code);
  const characters = [...shown].sort((a, b) => a - b).map((code) => String.fromCodePoint(code));
  return characters.filter((character) => !forbidden.test(character));
}

/** @param covered what the fonts have, one font after the other */
export function makePrintableText(covered: readonly CharacterRange[]): PrintableText {
  const characters = coveredCharacters(covered);
  const shown = new Set(characters);
  const has = (character: string) => shown.has(character);
  const unshown = new RegExp(`[^\\n${classOf(characters.map((c) => c.codePointAt(0)!))}]`, 'gu');

  function substitute(character: string): string {
    if (space.test(character)) return ' ';
    // A letter and its accent apart; then 𝗕 and ㎡, letters in a dress that the fonts lack.
    const others = ['NFD', 'NFKC', 'NFKD'].map((form) => character.normalize(form));
    return others.find((other) => [...other].every(has)) ?? REPLACEMENT;
  }

  return (text) => {
    if (everyday.test(text)) return text;
    const visible = text.toWellFormed().replace(lineEnds, '\n').replace(tabs, ' ').replace(invisible, '');
    return visible.normalize('NFC').replace(unshown, substitute);
  };
}

/** The inside of a class of a regular expression. @param codes in order */
function classOf(codes: readonly number[]): string {
  const parts: string[] = [];
  const hex = (code: number) => `\\u{${code.toString(16)}}`;
  for (let i = 0, from = 0; i < codes.length; i++) {
    if (codes[i + 1] === codes[i]! + 1) continue;
    parts.push(`${hex(codes[from]!)}-${hex(codes[i]!)}`);
    from = i + 1;
  }
  return parts.join('');
}
