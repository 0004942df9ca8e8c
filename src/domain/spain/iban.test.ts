import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseBic, parseIban } from './iban.ts';
import { anyText } from '../../../test/support/any-text.ts';

const ibans = [
  ['ES9121000418450200051332', 'ES9121000418450200051332'],
  ['es91 2100 0418 4502 0005 1332', 'ES9121000418450200051332'],
  ['ES91-2100-0418-4502-0005-1332', 'ES9121000418450200051332'],
  ['DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
  ['GB29NWBK60161331926819', 'GB29NWBK60161331926819'],
  ['PT50000201231234567890154', 'PT50000201231234567890154'],
  ['ES9121000418450200051333', undefined],
  ['ES912100041845020005133', undefined],
  ['ZZ9121000418450200051332', undefined],
  ['9121000418450200051332', undefined],
  ['', undefined],
] as const;
for (const [text, expected] of ibans) {
  test(`the IBAN "${text}" gives ${expected}`, () => assert.equal(parseIban(text), expected));
}

test('a Spanish IBAN whose account has wrong digits is refused though its own check is right', () => {
  const bban = '21000418460200051332';
  const check = 98n - (BigInt(`${bban}142800`) % 97n);
  assert.equal(parseIban(`ES${String(check).padStart(2, '0')}${bban}`), undefined);
});

const bics = [
  ['CAIXESBBXXX', 'CAIXESBBXXX'],
  ['caixesbb', 'CAIXESBB'],
  ['BSCH ES MM', 'BSCHESMM'],
  ['CAIXESBBXX', undefined],
  ['CAIXZZBB', undefined],
  ['', undefined],
] as const;
for (const [text, expected] of bics) {
  test(`the BIC "${text}" gives ${expected}`, () => assert.equal(parseBic(text), expected));
}

test('one changed digit of an IBAN is always noticed', () => {
  const iban = 'ES9121000418450200051332';
  fc.assert(
    fc.property(fc.integer({ min: 2, max: iban.length - 1 }), fc.nat(9), (at, digit) => {
      const changed = iban.slice(0, at) + digit + iban.slice(at + 1);
      assert.equal(parseIban(changed), changed === iban ? iban : undefined);
    }),
  );
});

test('any text is either refused or gives a value that reads back as itself', () => {
  fc.assert(
    fc.property(anyText(), (text) => {
      const iban = parseIban(text);
      const bic = parseBic(text);
      if (iban !== undefined) assert.equal(parseIban(iban), iban);
      if (bic !== undefined) assert.equal(parseBic(bic), bic);
    }),
  );
});
