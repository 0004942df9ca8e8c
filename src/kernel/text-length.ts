/**
 * Lengths of texts in characters, as JSON Schema, XML Schema and PostgreSQL count them: an emoji is one. `length` counts
 * code units.
 */

export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** Reads a long text no further than it must. */
export function isLongerThan(text: string, max: number): boolean {
  if (text.length <= max) return false;
  return text.length > 2 * max || countCharacters(text) > max;
}
