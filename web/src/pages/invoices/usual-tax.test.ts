import assert from 'node:assert/strict';
import { test } from 'node:test';
import { usualTax } from './usual-tax.ts';

type Client = NonNullable<Parameters<typeof usualTax>[0]>;

const plain: Client = { preferred_operation_regime: null, default_taxes_id: null, default_vat_rate: null };
const mainland = { rate: null, default_kind: 'vat', taxes: [{ kind: 'vat' }, { kind: 'retention' }] };

const cases: [what: string, client: Client | null, company: Parameters<typeof usualTax>[1], tax: string][] = [
  ['nobody says a tax', null, mainland, 'rate:21'],
  ['the client says none', plain, mainland, 'rate:21'],
  [
    'the client has the surcharge',
    { ...plain, preferred_operation_regime: 'surcharge' },
    mainland,
    'rate:21',
  ],
  ['the client is of the Union', { ...plain, preferred_operation_regime: 'intra_community' }, mainland, ''],
  ['the client is exempt', { ...plain, preferred_operation_regime: 'exempt' }, mainland, ''],
  ['the client has a tax', { ...plain, default_taxes_id: 'a tax' }, mainland, ''],
  ['the client has a rate of 0', { ...plain, default_vat_rate: 0 }, mainland, ''],
  ['the company has a rate', null, { ...mainland, rate: 10 }, ''],
  ['the company has taxes of the Canary Islands', plain, { ...mainland, taxes: [{ kind: 'igic' }] }, ''],
  ['the company is of the Canary Islands', plain, { ...mainland, default_kind: 'igic' }, ''],
];
for (const [what, client, company, tax] of cases)
  test(`given that ${what}, then a new line has ${tax || 'what the service has'}`, () =>
    assert.equal(usualTax(client, company), tax));
