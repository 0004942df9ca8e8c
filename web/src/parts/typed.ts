/** What was typed in a form, as it is sent. */
import type { Language } from '../app/words.ts';
import { readAmount } from './money.ts';

export const textOrNull = (typed: string): string | null => (typed.trim() === '' ? null : typed.trim());

/** What is no number is sent as it was typed: the service says which field it is. */
export function numberOrNull(typed: string, language: Language): number | null {
  if (typed.trim() === '') return null;
  const read = readAmount(typed, language);
  return read === null ? (typed as unknown as number) : Number(read);
}

/** Its sign may be typed too. */
export const percentOrNull = (typed: string, language: Language): number | null =>
  numberOrNull(typed.replace(/\s*%\s*$/, ''), language);

/** One value for each name. */
export const byName = <K extends string, T>(names: readonly K[], of: (name: K) => T) =>
  Object.fromEntries(names.map((name) => [name, of(name)])) as Record<K, T>;

const plain = (text: string) => text.trim().replace(/\s+/g, ' ');

/** A page shows one space where a name has several, and none around it. */
export const isNameTyped = (typed: string, name: string): boolean => plain(typed) === plain(name);

/** Addresses of e-mail. A mail program copies one with its name: `"Ruiz, Ana" <ana@norte.example>`. */
export const addressesIn = (typed: string): string[] =>
  typed
    .replace(/"[^"]*"(?=\s*<)/g, ' ')
    .split(/[,;\n]+/)
    .flatMap(wordsOf);

function wordsOf(part: string): string[] {
  const words = part.split(/\s+/).filter((word) => word !== '');
  if (!part.includes('<')) return words;
  return words.filter((word) => word.includes('@')).map((word) => word.replace(/^<|>$/g, ''));
}
