import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ExactNumber } from '../../../kernel/json.ts';
import type { ContactFields } from '../contacts.fields.ts';
import type { ContactInput } from '../contacts.schema.ts';
import { readContactInput } from './contact-fields.ts';
import { blankContact } from './merge-contact.ts';

const blank: ContactFields = { ...blankContact, name: 'Uno' };
const passport = { type: 'passport', value: ' A1 ', country_code: 'US' } as const;

type TaxIdCase = readonly [what: string, input: ContactInput, kept: string | null];

const taxIds: readonly TaxIdCase[] = [
  ['a NIF', { tax_id: 'b-12345674' }, 'B12345674'],
  ['a NIF with a country of Spain', { tax_id: 'ESB12345674', address: { country: 'ES' } }, 'B12345674'],
  ['a NIF with a wrong digit', { tax_id: 'B12345670' }, null],
  ['a foreign id with no country', { tax_id: 'HRB 12345' }, null],
  ['a foreign id in an address without country', { tax_id: 'HRB 12345', address: { city: 'Berlin' } }, null],
  ['a foreign id with its country', { tax_id: ' HRB 12345 ', address: { country: 'DE' } }, 'HRB 12345'],
  [
    'a foreign id beside another identification',
    { tax_id: 'HRB 12345', alternative_id: passport },
    'HRB 12345',
  ],
  ['a foreign id of 20 characters', { tax_id: 'x'.repeat(20), address: { country: 'DE' } }, 'x'.repeat(20)],
  [
    'a foreign id of 20 characters of two code units',
    { tax_id: '🏠'.repeat(20), address: { country: 'DE' } },
    '🏠'.repeat(20),
  ],
  ['a foreign id of 21 characters', { tax_id: 'x'.repeat(21), address: { country: 'DE' } }, null],
];

for (const [what, input, kept] of taxIds) {
  test(`${what} is ${kept === null ? 'refused' : `kept as ${kept}`}`, () => {
    const { fields, issues } = readContactInput(blank, input);
    if (kept === null)
      assert.deepEqual(
        issues.map((issue) => issue.param),
        ['tax_id'],
      );
    else assert.deepEqual([issues, fields.tax_id], [[], kept]);
  });
}

test('identifications are kept with their object, and a VAT number needs no country', () => {
  const read = (alternative_id: ContactInput['alternative_id']) =>
    readContactInput(blank, { alternative_id: alternative_id ?? null });
  assert.deepEqual(read(passport).fields.alternative_id, {
    object: 'alternative_id',
    ...passport,
    value: 'A1',
  });
  assert.deepEqual(read({ type: 'vat_id', value: 'de 136695976' }).fields.alternative_id, {
    object: 'alternative_id',
    type: 'vat_id',
    value: 'DE136695976',
    country_code: null,
  });
  assert.deepEqual(
    read({ type: 'other', value: '1' }).issues.map((i) => [i.param, i.code]),
    [['alternative_id.country_code', 'missing_required_param']],
  );
  assert.deepEqual(
    read({ ...passport, country_code: 'ZZ' }).issues.map((i) => i.param),
    ['alternative_id.country_code'],
  );
});

test('a wrong VAT number is told what is wrong: its prefix, or what follows it', () => {
  const told = (vat_id: string) => readContactInput(blank, { vat_id }).issues.map((issue) => issue.message);
  for (const [vat_id, wrong] of [
    ['12345678901', /prefijo/],
    ['XX123', /prefijo/],
    ['GB123456789', /prefijo/],
    ['FR12345678901', /^No es un NIF-IVA válido de FR: /],
    ['de 123', /^No es un NIF-IVA válido de DE: /],
    ['GR123', /^No es un NIF-IVA válido de EL: /],
  ] as const)
    assert.match(told(vat_id).join(), wrong, vat_id);
});

test('all fields at fault are named, in one answer', () => {
  const { issues } = readContactInput(blank, {
    tax_id: 'B1',
    name: '\u200b\u2800',
    vat_id: 'XX1',
    email: 'a',
    billing_emails: ['a@b.example', 'b'],
    address: { country: 'ZZ' },
    iban: 'ES1',
    bank_accounts: [
      { iban: 'ES1', bic: '?', is_default: true },
      { iban: 'ES9121000418450200051332', is_default: true },
    ],
  });
  assert.deepEqual(
    issues.map((issue) => issue.param),
    [
      'name',
      'vat_id',
      'email',
      'billing_emails.1',
      'address.country',
      'iban',
      'bank_accounts.0.iban',
      'bank_accounts.0.bic',
      'bank_accounts',
    ],
  );
});

test('a name of before that nobody can read may be sent back', () => {
  const stored = { ...blank, name: '\u200b' };
  assert.deepEqual(readContactInput(stored, { name: '\u200b', notes: 'Otra' }).issues, []);
});

test('numbers are taken from their exact text', () => {
  const { fields } = readContactInput(blank, {
    coordinates: { latitude: new ExactNumber('40.4167750000000000'), longitude: -3.70379 },
    default_discount: new ExactNumber('2.50000000000000000000'),
  });
  assert.deepEqual(fields.coordinates, { latitude: 40.416775, longitude: -3.70379 });
  assert.equal(fields.default_discount, 2.5);
});

test('an input changes no object that it was given', () => {
  const current = Object.freeze({ ...blank, billing_emails: ['a@b.example'] });
  const { fields } = readContactInput(current, { billing_emails: null, name: 'Dos' });
  assert.deepEqual([fields.name, fields.billing_emails], ['Dos', []]);
  assert.deepEqual(current, { ...blank, billing_emails: ['a@b.example'] });
});
