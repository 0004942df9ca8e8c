import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { coveredRanges } from './font-coverage.ts';
import { readFonts } from './fonts.ts';
import { makePrintableText } from './printable-text.ts';
import { anyText } from '../../../test/support/any-text.ts';

const fonts = readFonts();
const printable = makePrintableText(fonts.flatMap(([first]) => coveredRanges(first!)));

const cases: [what: string, text: string, printed: string][] = [
  ['Spanish', 'Año «ñandú», 12 €/m² – 3.º B', 'Año «ñandú», 12 €/m² – 3.º B'],
  [
    'Greek, Cyrillic, Turkish, Vietnamese',
    'Ευάγγελος Щастливият İşÇ Nguyễn',
    'Ευάγγελος Щастливият İşÇ Nguyễn',
  ],
  ['an accent apart from its letter', 'Jose\u0301 Nun\u0303ez', 'José Nuñez'],
  ['letter and accents that have no sign together', 's\u0323\u0307\u0325', '\u1e69\u0325'],
  ['Chinese', '株式会社みどり', '\ufffd'.repeat(7)],
  ['Hebrew and Arabic', 'שלום سلام', '\ufffd\ufffd\ufffd\ufffd \ufffd\ufffd\ufffd\ufffd'],
  ['an emoji of several', '👨‍👩‍👧!', '\ufffd\ufffd\ufffd!'],
  ['a sign with a variant', '☺️x', '\ufffdx'],
  ['letters in another dress', 'ﬁ 𝗕𝗼𝗹𝗱 ＡＢ ㎡', 'ﬁ Bold AB m2'],
  ['controls', 'a\u0000b\u0007c\u001bd\u007fe\u0090f', 'a\ufffdb\ufffdc\ufffdd\ufffde\ufffdf'],
  ['line ends and tabs', 'a\r\nb\rc\u2028d\u2029e\u0085f\u000bg\th', 'a\nb\nc\nd\ne\nf\ng h'],
  ['nothing to be seen', 'a\u200bb\u200dc\ufeffd\u2060e\u00ad', 'abcde\u00ad'],
  ['text turned round', '\u202e12,00\u202c \u2066x\u2069', '12,00 x'],
  ['half a character', 'a\ud83db\ude00c', 'a\ufffdb\ufffdc'],
  ['private use', '\ue000\u{f0000}\u{10fffd}', '\ufffd\ufffd\ufffd'],
  ['no characters', '\uffff\u{1fffe}', '\ufffd\ufffd'],
  ['spaces', 'a\u3000b\u2003c\u00a0d', 'a b\u2003c\u00a0d'],
  ['Typst', '#read("/etc/passwd") *x* _y_ $z$ `w`', '#read("/etc/passwd") *x* _y_ $z$ `w`'],
];

for (const [what, text, printed] of cases) {
  test(`given ${what}, when it is made printable, then it reads ${JSON.stringify(printed)}`, () => {
    assert.equal(printable(text), printed);
  });
}

test('given any text, when it is made printable, then the fonts have its characters, and a second time changes nothing', () => {
  const has = new Set(
    fonts.flatMap(([first]) =>
      coveredRanges(first!).flatMap(([from, to]) =>
        Array.from({ length: to - from + 1 }, (_, i) => from + i),
      ),
    ),
  );
  const unit = fc.oneof(anyText({ maxLength: 12 }), fc.string({ unit: 'grapheme' }), fc.constant('\ud800'));
  fc.assert(
    fc.property(fc.array(unit), (parts) => {
      const once = printable(parts.join(''));
      assert.ok(once.isWellFormed());
      assert.deepEqual(
        [...once].filter((c) => c !== '\n' && !has.has(c.codePointAt(0)!)),
        [],
      );
      assert.equal(printable(once), once);
    }),
  );
});

test('given the weights of a family, when their characters are compared, then they are the same', () => {
  for (const [first, ...others] of fonts.map((family) => family.map(coveredRanges))) {
    for (const other of others) assert.deepEqual(charactersOf(other), charactersOf(first!));
  }
});

test('given what is not a font, when its characters are asked for, then it is refused', () => {
  assert.throws(() => coveredRanges(Buffer.alloc(64)), /no table cmap/);
  assert.throws(() => coveredRanges(Buffer.alloc(4)), RangeError);
});

function charactersOf(ranges: readonly (readonly [number, number])[]): number[] {
  return ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => from + i));
}
