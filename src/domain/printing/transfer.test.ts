import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Transfer, transferText } from './transfer.ts';

const usual: Transfer = {
  name: 'Cerámicas Montalbán, S. L.',
  iban: 'ES9121000418450200051332',
  cents: 26_500n,
  remittance: 'F2026-000001',
};

test('the text has the places of version 2 up to the remittance, with euros, account and remittance (EPC069-12)', () => {
  assert.deepEqual(transferText(usual)?.split('\n'), [
    'BCD',
    '002',
    '1',
    'SCT',
    '',
    'Cerámicas Montalbán, S. L.',
    'ES9121000418450200051332',
    'EUR265.00',
    '',
    '',
    'F2026-000001',
  ]);
});

const placeOf = (change: Partial<Transfer>, place: number) =>
  transferText({ ...usual, ...change })?.split('\n')[place];

const cases: [what: string, change: Partial<Transfer>, place: number, said: string | undefined][] = [
  ['a cent', { cents: 1n }, 7, 'EUR0.01'],
  ['the most', { cents: 99_999_999_999n }, 7, 'EUR999999999.99'],
  ['more than the most', { cents: 100_000_000_000n }, 7, undefined],
  ['nothing', { cents: 0n }, 7, undefined],
  ['what is owed to the client', { cents: -100n }, 7, undefined],
  ['a German account', { iban: 'DE89370400440532013000' }, 6, 'DE89370400440532013000'],
  ['an account in Norway, of the Economic Area', { iban: 'NO9386011117947' }, 6, 'NO9386011117947'],
  ['an account that needs a BIC', { iban: 'CH9300762011623852957' }, 6, undefined],
  ['an account that the scheme does not reach', { iban: 'BR1800360305000010009795493C1' }, 6, undefined],
  ['a name of 70 characters', { name: 'ñ'.repeat(70) }, 5, 'ñ'.repeat(70)],
  ['a longer name', { name: `${'ñ'.repeat(69)} y Compañía` }, 5, 'ñ'.repeat(69)],
  ['a name of two lines', { name: 'Acme\nEUR1.00' }, 5, 'Acme EUR1.00'],
  ['no name', { name: ' \n' }, 5, undefined],
  ['a name with too many bytes for the symbol', { name: '🏺'.repeat(69) }, 5, undefined],
  ['a long remittance', { remittance: 'x'.repeat(141) }, 10, 'x'.repeat(140)],
];
for (const [what, change, place, said] of cases)
  test(`a transfer of ${what}: ${said === undefined ? 'no symbol' : said.slice(0, 30)}`, () => {
    assert.equal(placeOf(change, place), said);
  });
