import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { stdnum } from 'stdnum';
import { compactIdentifier, parseSpanishTaxId } from './tax-id.ts';
import { anyText } from '../../../test/support/any-text.ts';

const good = [
  ['00000000T', '00000000T', 'dni'],
  ['12345678Z', '12345678Z', 'dni'],
  ['54362315-k', '54362315K', 'dni'],
  [' 12.345.678-z ', '12345678Z', 'dni'],
  ['ES 12345678Z', '12345678Z', 'dni'],
  ['X1234567L', 'X1234567L', 'nie'],
  ['x-2482300-w', 'X2482300W', 'nie'],
  ['Y1234567X', 'Y1234567X', 'nie'],
  ['Z1234567R', 'Z1234567R', 'nie'],
  ['K1234567L', 'K1234567L', 'special'],
  ['L1234567L', 'L1234567L', 'special'],
  ['M1234567L', 'M1234567L', 'special'],
  ['A28015865', 'A28015865', 'entity'],
  ['A58818501', 'A58818501', 'entity'],
  ['ESB58378431', 'B58378431', 'entity'],
  ['Q2826000H', 'Q2826000H', 'entity'],
  ['P2807900B', 'P2807900B', 'entity'],
  ['esS2826001F', 'S2826001F', 'entity'],
  ['J99216582', 'J99216582', 'entity'],
  ['J9921658B', 'J9921658B', 'entity'],
] as const;
for (const [text, value, kind] of good) {
  test(`"${text}" is the ${kind} ${value}`, () => {
    assert.deepEqual(parseSpanishTaxId(text), { value, kind });
  });
}

const bad = [
  ['', 'empty'],
  ['12345678A', 'wrong DNI letter'],
  ['1234567Z', 'too short'],
  ['123456789Z', 'too long'],
  ['X1234567T', 'wrong NIE letter'],
  ['Y1234567L', 'the letter of X on a Y'],
  ['K1234567Z', 'wrong letter of a K'],
  ['A58818502', 'wrong digit of a company'],
  ['A5881850A', 'a public limited company has a digit, not a letter'],
  ['Q28260008', 'a public body has a letter, not a digit'],
  ['I12345674', 'no entity begins with I'],
  ['O12345674', 'no entity begins with O'],
  ['FR12345678Z', 'the prefix of another country'],
  ['ESES12345678Z', 'the prefix twice'],
  ['1234567８Z', 'a full-width digit'],
  ['ſ2826001F', 'a letter that only looks plain once upper-cased'],
] as const;
for (const [text, why] of bad) {
  test(`"${text}" is refused: ${why}`, () => assert.equal(parseSpanishTaxId(text), undefined));
}

const digits = (length: number) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`));
const shaped = fc.oneof(
  fc.tuple(digits(8), fc.constantFrom(...'TRWAGMYFPDXBNJZSQVHLCKE')),
  fc.tuple(fc.constantFrom(...'XYZKLM'), digits(7), fc.constantFrom(...'TRWAGMYFPDXBNJZSQVHLCKE')),
  fc.tuple(fc.constantFrom(...'ABCDEFGHJNPQRSUVW'), digits(7), fc.constantFrom(...'JABCDEFGHI0123456789')),
);

/** The other library ignores the legal form: it accepts a letter or a digit for every entity. */
function otherLibraryAgrees(value: string): boolean {
  if (/^[PQRSNW].*\d$|^[ABEH].*[A-Z]$/.test(value)) return false;
  return stdnum.ES?.nif?.validate(value).isValid === true;
}

test('another library accepts exactly the same numbers', () => {
  fc.assert(
    fc.property(shaped, (parts) => {
      const value = parts.join('');
      assert.equal(parseSpanishTaxId(value)?.value === value, otherLibraryAgrees(value));
    }),
    { numRuns: 2000 },
  );
});

test('every body has exactly one letter that makes it valid', () => {
  fc.assert(
    fc.property(fc.oneof(digits(8), fc.tuple(fc.constantFrom(...'XYZKLMPQRSNW'), digits(7))), (body) => {
      const text = typeof body === 'string' ? body : body.join('');
      const valid = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].filter((letter) => parseSpanishTaxId(text + letter));
      assert.equal(valid.length, 1);
    }),
  );
});

test('any text is either refused or gives a value that reads back as itself', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        anyText(),
        shaped.map((p) => p.join('. ')),
      ),
      (text) => {
        const parsed = parseSpanishTaxId(text);
        if (parsed) assert.deepEqual(parseSpanishTaxId(parsed.value), parsed);
      },
    ),
  );
});

test('compacting bounds its input and keeps only printable ASCII', () => {
  assert.equal(compactIdentifier('a-b\u00a0c.d\u2011e'), 'ABCDE');
  assert.equal(compactIdentifier(' - . '), undefined);
  assert.equal(compactIdentifier('ñ1'), undefined);
  assert.equal(compactIdentifier('1'.repeat(65)), undefined);
});
