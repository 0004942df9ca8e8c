/** Texts of any characters. The `binary` unit of fast-check costs each process more than a second. */
import fc from 'fast-check';

const surrogates = { first: 0xd800, count: 0x800 };

const character = fc.integer({ min: 0, max: 0x10ffff - surrogates.count }).map(
  (n) => String.fromCodePoint(n < surrogates.first ? n : n + surrogates.count),
  (text) => {
    const code = typeof text === 'string' && [...text].length === 1 ? text.codePointAt(0) : undefined;
    if (code === undefined || !String(text).isWellFormed()) throw new Error('not one character');
    return code < surrogates.first ? code : code - surrogates.count;
  },
);

export function anyText(bounds: { minLength?: number; maxLength?: number } = {}): fc.Arbitrary<string> {
  return fc.string({ unit: character, ...bounds });
}
