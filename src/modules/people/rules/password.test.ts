import assert from 'node:assert/strict';
import { test } from 'node:test';
import { passwordFault } from './password.ts';

const about = {
  email: 'ana.ruiz.garcia@norte.example',
  name: 'Ana Ruiz García',
  company_name: 'Librería Norte SL',
};

const cases: [password: string, fault: string | null][] = [
  ['', 'too_short'],
  ['eleven sign', 'too_short'],
  ['twelve signs', null],
  // An emoji is one character, and NFKC makes three of an ellipsis.
  ['😀'.repeat(6), 'too_short'],
  ['😀1'.repeat(6), null],
  ['abcdefghi…', null],
  ['abcdefgh…', 'too_short'],
  [`${'x'.repeat(255)}y`, null],
  [`${'x'.repeat(256)}y`, 'too_long'],
  [`${'…'.repeat(85)}xy`, 'too_long'],
  ['a'.repeat(12), 'repeated'],
  // Half width and full width are one.
  ['ａaaaaaaaaaaa', 'repeated'],
  ['ANA.RUIZ.GARCIA@norte.example', 'known'],
  ['ana.ruiz.garcia', 'known'],
  ['ana ruiz garcía', 'known'],
  ['Librería norte sl', 'known'],
  ['Librería norte sl 2', null],
];

for (const [password, fault] of cases) {
  test(`the password ${JSON.stringify(password.slice(0, 30))} of ${password.length}: ${fault ?? 'fine'}`, () => {
    assert.equal(passwordFault(password, about), fault);
  });
}

test('a password may be the name of a company that nobody named', () => {
  assert.equal(passwordFault('Librería norte sl', { email: 'a@b.example', name: 'Ana' }), null);
});
