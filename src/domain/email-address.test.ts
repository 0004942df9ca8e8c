import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isEmailAddress } from './email-address.ts';

const cases: readonly (readonly [text: string, expected: boolean])[] = [
  ['ana@example.com', true],
  ['ana.perez+facturas@correo.example.com', true],
  ["o'neill_1@sub-domain.example.org", true],
  ['josé@correo.españa.es', true],
  ['a@b.es', true],
  [`${'a'.repeat(64)}@example.com`, true],
  [`${'a'.repeat(65)}@example.com`, false],
  [`a@${'b'.repeat(63)}.com`, true],
  [`a@${'b'.repeat(64)}.com`, false],
  [`a@${'b.'.repeat(126)}com`, false],
  ['', false],
  ['ana', false],
  ['@example.com', false],
  ['ana@', false],
  ['ana@example', false],
  ['ana@example.', false],
  ['ana@.com', false],
  ['ana@example..com', false],
  ['ana@-example.com', false],
  ['ana@example-.com', false],
  ['ana@example.c', false],
  ['.ana@example.com', false],
  ['ana.@example.com', false],
  ['an..a@example.com', false],
  ['ana@b@example.com', false],
  ['ana perez@example.com', false],
  ['ana@example.com, luis@example.com', false],
  ['Ana <ana@example.com>', false],
  ['ana@example.com\n', false],
  ['ana@exa mple.com', false],
  ['"ana"@example.com', false],
];

for (const [text, expected] of cases) {
  test(`${JSON.stringify(text.slice(0, 40))} is ${expected ? 'an' : 'no'} address`, () => {
    assert.equal(isEmailAddress(text), expected);
  });
}

test('a hostile text of any length is answered at once', () => {
  assert.equal(isEmailAddress(`${'a.'.repeat(500_000)}@${'b-'.repeat(500_000)}`), false);
});
