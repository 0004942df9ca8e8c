import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '../../../kernel/problem.ts';
import { Reasons } from '../../../kernel/reasons.ts';
import { blankFields, type DocumentFields, documentFields } from './document-fields.ts';
import type { InvoiceType } from './invoice-types.ts';

const agency = { name: 'Gestoría Sur', tax_id: 'B-99286320' };
const kept = { name: 'Gestoría Sur', tax_id: 'B99286320' };
const byAgency = { issued_by: 'third_party', third_party: kept } as const;
const inDollars = { currency: 'USD', exchange_rate: '0.92' };
const ofMonday = { ...inDollars, exchange_rate_on: '2026-11-16' };

type Of = { type: InvoiceType; client_id: string | null };
type Input = Parameters<typeof documentFields>[1];
const F1: Of = { type: 'F1', client_id: 'a' };
const ticket: Of = { type: 'F2', client_id: null };

const accepted: readonly (readonly [
  what: string,
  stored: Partial<DocumentFields>,
  input: Input,
  of: Of,
  expected: Partial<DocumentFields>,
])[] = [
  ['nothing', {}, {}, F1, {}],
  ['issued by the recipient', {}, { issued_by: 'recipient' }, F1, { issued_by: 'recipient' }],
  ['a third party in its one spelling', {}, { issued_by: 'third_party', third_party: agency }, F1, byAgency],
  ['no third party, said', {}, { third_party: null }, F1, {}],
  ['nothing new of a third party', byAgency, {}, F1, byAgency],
  ['the issuer in place of a third party', byAgency, { issued_by: 'issuer' }, F1, {}],
  [
    'another third party',
    byAgency,
    { third_party: { ...kept, name: 'Otra' } },
    F1,
    { ...byAgency, third_party: { ...kept, name: 'Otra' } },
  ],
  ['61d in F2', {}, { no_recipient_art61d: true }, ticket, { no_recipient_art61d: true }],
  [
    '61d in R5',
    {},
    { no_recipient_art61d: true },
    { type: 'R5', client_id: null },
    { no_recipient_art61d: true },
  ],
  ['61d taken away', { no_recipient_art61d: true }, { no_recipient_art61d: false }, F1, {}],
  ['dollars', {}, { currency: 'USD', exchange_rate: 0.92 }, F1, inDollars],
  ['nothing new of dollars', inDollars, {}, F1, inDollars],
  ['euros in place of dollars', inDollars, { currency: 'EUR' }, F1, {}],
  ['dollars of a day', {}, { ...ofMonday, exchange_rate: 0.92 }, F1, ofMonday],
  ['nothing new of that day', ofMonday, {}, F1, ofMonday],
  ['the same rate again', ofMonday, { exchange_rate: 0.92 }, F1, ofMonday],
  [
    'another day',
    ofMonday,
    { exchange_rate_on: '2026-11-17' },
    F1,
    { ...ofMonday, exchange_rate_on: '2026-11-17' },
  ],
  ['no day, said', ofMonday, { exchange_rate_on: null }, F1, inDollars],
  [
    'another rate, of which no day is said',
    ofMonday,
    { exchange_rate: 0.95 },
    F1,
    { ...inDollars, exchange_rate: '0.95' },
  ],
  ['euros in place of dollars of a day', ofMonday, { currency: 'EUR' }, F1, {}],
  ['another rate', inDollars, { exchange_rate: 0.95 }, F1, { currency: 'USD', exchange_rate: '0.95' }],
];
for (const [what, stored, input, of, expected] of accepted) {
  test(`${what} is accepted`, () => {
    assert.deepEqual(documentFields({ ...blankFields, ...stored }, input, of, new Reasons()), {
      ...blankFields,
      ...expected,
    });
  });
}

const refused: readonly (readonly [
  what: string,
  stored: Partial<DocumentFields>,
  input: Input,
  of: Of,
  code: string,
  param: string,
])[] = [
  [
    'a third party without its data',
    {},
    { issued_by: 'third_party' },
    F1,
    'missing_required_param',
    'third_party',
  ],
  [
    'a third party whose data are taken away',
    byAgency,
    { third_party: null },
    F1,
    'missing_required_param',
    'third_party',
  ],
  [
    'the data of a third party that does not issue',
    {},
    { third_party: agency },
    F1,
    'business_rule_violation',
    'third_party',
  ],
  [
    'the same of one that no longer does',
    byAgency,
    { issued_by: 'recipient', third_party: kept },
    F1,
    'business_rule_violation',
    'third_party',
  ],
  [
    'a third party with a wrong tax id',
    {},
    { issued_by: 'third_party', third_party: { ...agency, tax_id: 'B99286321' } },
    F1,
    'parameter_invalid',
    'third_party.tax_id',
  ],
  [
    '61d in F1',
    {},
    { no_recipient_art61d: true },
    { type: 'F1', client_id: null },
    'business_rule_violation',
    'no_recipient_art61d',
  ],
  [
    '61d in F3',
    {},
    { no_recipient_art61d: true },
    { type: 'F3', client_id: null },
    'business_rule_violation',
    'no_recipient_art61d',
  ],
  [
    '61d in R1',
    {},
    { no_recipient_art61d: true },
    { type: 'R1', client_id: null },
    'business_rule_violation',
    'no_recipient_art61d',
  ],
  [
    '61d with a client',
    {},
    { no_recipient_art61d: true },
    { type: 'F2', client_id: 'a' },
    'business_rule_violation',
    'client_id',
  ],
  [
    '61d that a type no longer admits',
    { no_recipient_art61d: true },
    {},
    F1,
    'business_rule_violation',
    'no_recipient_art61d',
  ],
  ['dollars without a rate', {}, { currency: 'USD' }, F1, 'missing_required_param', 'exchange_rate'],
  [
    'dollars whose rate is taken away',
    inDollars,
    { exchange_rate: null },
    F1,
    'missing_required_param',
    'exchange_rate',
  ],
  [
    'pounds with the rate of dollars',
    inDollars,
    { currency: 'GBP' },
    F1,
    'missing_required_param',
    'exchange_rate',
  ],
  ['euros with a rate', {}, { exchange_rate: 1 }, F1, 'business_rule_violation', 'exchange_rate'],
  [
    'euros with the day of a rate',
    {},
    { exchange_rate_on: '2026-11-16' },
    F1,
    'business_rule_violation',
    'exchange_rate_on',
  ],
  ['a currency that is none', {}, { currency: 'ZZZ' }, F1, 'parameter_invalid', 'currency'],
];
for (const [what, stored, input, of, code, param] of refused) {
  test(`${what} is refused with ${code}, param ${param}`, () => {
    assert.throws(
      () => documentFields({ ...blankFields, ...stored }, input, of, new Reasons()),
      (error) => error instanceof Problem && error.def.code === code && error.details.param === param,
    );
  });
}

test('a dry run gathers what is wrong with each', () => {
  const reasons = new Reasons(true);
  documentFields(
    blankFields,
    { issued_by: 'third_party', no_recipient_art61d: true, currency: 'USD' },
    F1,
    reasons,
  );
  assert.deepEqual(
    reasons.problems.map((p) => p.details.param),
    ['third_party', 'no_recipient_art61d', 'exchange_rate'],
  );
});
