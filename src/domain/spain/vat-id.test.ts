import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { stdnum } from 'stdnum';
import { parseVatId } from './vat-id.ts';

const good = [
  'ATU13585627',
  'BE0428759497',
  'BG175074752',
  'CY10259033P',
  'CZ25123891',
  'DE136695976',
  'DK13585628',
  'EE100931558',
  'EL094259216',
  'ESB58378431',
  'ESX1234567L',
  'FI20774740',
  'FR40303265045',
  'FRK7399859412',
  'HR33392005961',
  'HU12892312',
  'IE6433435F',
  'IE6433435OA',
  'IE8D79739I',
  'IT00743110157',
  'LT119511515',
  'LT100001919017',
  'LU15027442',
  'LV40003521600',
  'MT11679112',
  'NL004495445B01',
  'NL002455799B11',
  'PL8567346215',
  'PT501964843',
  'RO18547290',
  'SE556188840401',
  'SI50223054',
  'SK2022749619',
  'XI123456789',
  'XIGD001',
  'XIHA599',
];
for (const value of good) {
  test(`${value} is a VAT number`, () => assert.equal(parseVatId(value)?.value, value));
}

test('spelling is normalised, GR becomes EL, and the country is the ISO one', () => {
  const greek = { value: 'EL094259216', prefix: 'EL', country: 'GR' };
  assert.deepEqual(parseVatId('el 094.259-216'), greek);
  assert.deepEqual(parseVatId('GR094259216'), greek);
  assert.deepEqual(parseVatId('XI 123 456 789'), { value: 'XI123456789', prefix: 'XI', country: 'GB' });
  assert.deepEqual(parseVatId('pt 501 964 843'), { value: 'PT501964843', prefix: 'PT', country: 'PT' });
});

const bad = [
  ['B58378431', 'no prefix'],
  ['ES', 'prefix alone'],
  ['', 'empty'],
  ['ESB58378432', 'wrong Spanish control'],
  ['GB980780684', 'left the Union'],
  ['CH123456788', 'never in the Union'],
  ['DE136695978', 'wrong check digit'],
  ['DE13669597', 'a digit short'],
  ['FR84323140391', 'wrong French key'],
  ['FRO7399859412', 'O is not in a French key'],
  ['IT00743110158', 'wrong Luhn digit'],
  ['NL004495445A01', 'tenth character is not B'],
  ['ATX13585627', 'Austria needs U'],
  ['PT501964842', 'wrong check digit'],
  ['LT11951151', 'eight digits'],
  ['XIGD501', 'government departments are 000 to 499'],
  ['SE556188840400', 'branch 00'],
  ['SI50223055', 'wrong check digit'],
  ['EL094259217', 'wrong check digit'],
  ['SE556188841401', 'wrong Luhn digit'],
  ['SK2022749618', 'no multiple of eleven'],
  ['SI12326721', 'a remainder of 0 has no check digit, so the number is not issued'],
] as const;
for (const [text, why] of bad) {
  test(`"${text}" is refused: ${why}`, () => assert.equal(parseVatId(text), undefined));
}

// The other library's validators, for countries whose check digits this file computes.
const seconds = [
  ['AT', 'uid', /^U\d{8}$/],
  ['BE', 'vat', /^0[2-9]\d{8}$/],
  ['DE', 'vat', /^[1-9]\d{8}$/],
  ['DK', 'cvr', /^[1-9]\d{7}$/],
  ['EE', 'kmkr', /^\d{9}$/],
  ['FI', 'alv', /^\d{8}$/],
  ['HR', 'oib', /^\d{11}$/],
  ['HU', 'anum', /^\d{8}$/],
  ['LU', 'tva', /^\d{8}$/],
  ['MT', 'vat', /^[1-9]\d{7}$/],
  ['NL', 'btw', /^\d{9}B\d{2}$/],
  ['PL', 'nip', /^\d{10}$/],
  ['PT', 'nif', /^[1-9]\d{8}$/],
] as const;
for (const [country, validator, shape] of seconds) {
  test(`${country}: another library accepts exactly the same check digits`, () => {
    const other = stdnum[country]?.[validator];
    assert.ok(other);
    const body = fc.stringMatching(shape);
    fc.assert(
      fc.property(body, fc.nat(9), fc.nat(20), (text, digit, at) => {
        const index = at % text.length;
        const changed = /\d/.test(text[index] ?? '')
          ? text.slice(0, index) + digit + text.slice(index + 1)
          : text;
        if (!shape.test(changed)) return;
        assert.equal(parseVatId(country + changed) !== undefined, other.validate(changed).isValid, changed);
      }),
      { numRuns: 1000 },
    );
  });
}

test('any text is either refused or gives a value that reads back as itself', () => {
  const prefixed = fc.tuple(
    fc.constantFrom('BG', 'CZ', 'RO', 'IE', 'EL', 'GR', 'XI'),
    fc.string({ maxLength: 14 }),
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        prefixed.map((parts) => parts.join('')),
      ),
      (text) => {
        const parsed = parseVatId(text);
        if (parsed) assert.deepEqual(parseVatId(parsed.value), parsed);
      },
    ),
  );
});
