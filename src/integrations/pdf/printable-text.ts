/**
 * The compiler refuses a character without a shape, because the file would be no PDF/A; but no invoice shall fail for
 * a Chinese name. Such a character becomes U+FFFD, and invisible ones are left out.
 */
import type { CharacterRange } from './font-coverage.ts';

/** Returns line feeds and characters that the fonts have, in NFC where they can show it. */
export type PrintableText = (text: string) => string;

const REPLACEMENT = '\ufffd';

/** The characters of nearly every text, in all our fonts. */
const everyday = /^[\n -~\xa0-\xac\xae-\u017f\u2013\u2014\u2018\u2019\u201c\u201d\u2022\u2026\u20ac]*$/;
const lineEnds = /\r\n|[\r\v\f\x85\u2028\u2029]/g;
const tabs = /\t/g;
/** Joiners, marks of direction, variants. The soft hyphen stays: a word may be divided there. */
const invisible = /(?!\xad)\p{Default_Ignorable_Code_Point}/gu;
const space = /^\p{Zs}$/u;
/** PDF/A allows none of these, whatever shapes a font has (ISO 19005-3, 6.2.11.7). */
const forbidden = /[\p{Cc}\p{Co}\p{Cn}\p{Cs}\ufeff\ufffe]/u;

export function coveredCharacters(covered: readonly CharacterRange[]): string[] {
  const shown = new Set<number>();
  for (const [from, to] of covered) for (let code = from; code <= to; code++) shown.add(code);
  const characters = [...shown].sort((a, b) => a - b).map((code) => String.fromCodePoint(code));
  return characters.filter((character) => !forbidden.test(character));
}

/** @param covered the ranges of all fonts */
export function makePrintableText(covered: readonly CharacterRange[]): PrintableText {
  const characters = coveredCharacters(covered);
  const shown = new Set(characters);
  const has = (character: string) => shown.has(character);
  const unshown = new RegExp(`[^\\n${classOf(characters.map((c) => c.codePointAt(0)!))}]`, 'gu');

  function substitute(character: string): string {
    if (space.test(character)) return ' ';
    // First the letter and its accent apart; then the plain form, as B for 𝗕 and m2 for ㎡.
    const others = ['NFD', 'NFKC', 'NFKD'].map((form) => character.normalize(form));
    return others.find((other) => [...other].every(has)) ?? REPLACEMENT;
  }

  return (text) => {
    if (everyday.test(text)) return text;
    const visible = text.toWellFormed().replace(lineEnds, '\n').replace(tabs, ' ').replace(invisible, '');
    return visible.normalize('NFC').replace(unshown, substitute);
  };
}

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
