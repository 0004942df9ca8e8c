/**
 * Free text in lists, whatever its case and accents (ADR 95). The stored text is in small letters as it was written, so what
 * is asked for becomes a regular expression that allows each letter its accents. Trigrams serve it as they serve `like`.
 */
import type { Fragment } from 'postgres';
import type { Tx } from '../kernel/operation.ts';

/** Of the languages of Spain and its neighbours. Each one more makes an index look for more trigrams. */
const accented = 'àáâãäçèéêëìíîïñòóôõöùúûü';

/** Names of files from some systems have their accents as characters of their own. */
const mark = '[\u0300-\u036f]?';

const plainOf = (letter: string) => letter.normalize('NFD')[0]!;

/** What a letter is looked for as, by the letter with and without its accent. */
const forms = new Map<string, string>();
for (const [plain, letters = []] of Map.groupBy(accented, plainOf)) {
  for (const letter of [plain, ...letters]) forms.set(letter, `[${plain}${letters.join('')}]${mark}`);
}

/** Matches the text literally. */
export function likePattern(text: string): string {
  return `%${text.replace(/[\\%_]/g, '\\$&')}%`;
}

/** A regular expression of PostgreSQL. @returns null where no letter of the text may have an accent */
export function accentPattern(text: string): string | null {
  const letters = [...text.normalize('NFC')];
  if (!letters.some((letter) => forms.has(letter.toLowerCase()))) return null;
  return letters
    .map((letter) => forms.get(letter.toLowerCase()) ?? letter.replace(/[\\^$.|?*+()[\]{}]/, '\\$&'))
    .join('');
}

function matches(tx: Tx, lower_text: Fragment, q: string): Fragment {
  const pattern = accentPattern(q);
  // An index narrows `like` on servers that lack the mark of 0063, too, and it compares faster.
  return pattern === null
    ? tx`${lower_text} like lower(${likePattern(q)})`
    : tx`${lower_text} ~ lower(${pattern})`;
}

/** Of `t.search`, which is in small letters. Begins with `and`. @param or what finds a row as well; begins with `or` */
export function textCondition(tx: Tx, q: string, or?: Fragment): Fragment {
  const found = matches(tx, tx`t.search`, q);
  return or ? tx`and (${found} ${or})` : tx`and ${found}`;
}

const partLetters = 6;
const partsMax = 8;
const shortWord = 10;

/**
 * Pieces of a text that hold each three letters in a row of it once. Of a long expression that allows accents an index looks for few
 * trigrams: what it finds is then far more than holds the text.
 */
export function partsOf(q: string): string[] {
  // The small letter of a Greek sigma depends on what follows.
  if (/\p{Script=Greek}/u.test(q)) return [];
  const letters = [...q.normalize('NFC')];
  // The expression of one short word keeps its trigrams, and each piece is compared with each row that is found.
  if (letters.length <= (letters.includes(' ') ? partLetters : shortWord)) return [];
  const step = partLetters - 2;
  const count = Math.min(Math.ceil((letters.length - 2) / step), partsMax);
  return Array.from({ length: count }, (_, i) => letters.slice(i * step, i * step + partLetters).join(''));
}

/** What `textCondition` finds, said so that trigrams find little else. Begins with `and`. */
export function textFinder(tx: Tx, q: string, or?: Fragment): Fragment {
  const parts = accentPattern(q) === null ? [] : partsOf(q);
  const found = parts.reduce((all, part) => tx`${all} ${textCondition(tx, part)}`, textCondition(tx, q));
  return or ? tx`and ((true ${found}) ${or})` : found;
}

/** Reads the company's rows without an index. */
export function holdsText(tx: Tx, columns: readonly string[], q: string | undefined): Fragment {
  if (q === undefined) return tx``;
  const any = columns.map((column) => matches(tx, tx`lower(t.${tx(column)})`, q));
  return tx`and (${any.reduce((all, one) => tx`${all} or ${one}`)})`;
}
