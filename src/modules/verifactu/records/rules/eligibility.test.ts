import assert from 'node:assert/strict';
import { test } from 'node:test';
import { alta, row as aRow } from '../../../../../test/support/verifactu-cases.ts';
import type { AltaContent, BreakdownRow } from '../../record.ts';
import { eligibilityFaults, numberFault } from './eligibility.ts';

const row = aRow();
const content = alta({ number: 'A2026-000001', issued_on: '2026-05-20' });

const today = '2026-05-21';
const told = (change: Partial<AltaContent>) =>
  eligibilityFaults({ ...content, ...change }, today, true, (index) => index + 10).map(({ def, details }) => [
    def.code,
    details.param,
    details.line_index,
  ]);
const code = 'verifactu_not_eligible';
const rowsOf = (change: Partial<BreakdownRow>) => ({ rows: [row, { ...row, ...change }] });
const ticket = { type: 'F2', recipients: [], rows: [{ ...row, base: '2900.00', tax: '609.00' }] } as const;

const cases: [string, Partial<AltaContent>, unknown[]][] = [
  ['a record that fits', {}, []],
  [
    'names of 120 characters, each of two code units',
    {
      issuer: { ...content.issuer, name: '🏠'.repeat(120) },
      recipients: [{ name: '🏠'.repeat(120), tax_id: 'B99286320', foreign_id: null }],
    },
    [],
  ],
  [
    'names of 121 characters',
    {
      issuer: { ...content.issuer, name: '🏠'.repeat(121) },
      recipients: [{ name: '🏠'.repeat(121), tax_id: 'B99286320', foreign_id: null }],
    },
    [
      [code, 'company_name', undefined],
      [code, 'client_id', undefined],
    ],
  ],
  [
    'a foreign identification of 20 characters of two code units each',
    {
      recipients: [
        { name: 'N', tax_id: null, foreign_id: { type: '04', country: 'US', id: '🏠'.repeat(20) } },
      ],
    },
    [],
  ],
  ['a number of 61 characters', { number: 'A'.repeat(61) }, [[code, 'series_id', undefined]]],
  ['a number with a sign that is not admitted', { number: 'A=1' }, [[code, 'series_id', undefined]]],
  [
    'the mark of a qualified simplified invoice on a ticket',
    { type: 'F2', recipients: [], is_qualified_simplified: true },
    [[code, 'type', undefined]],
  ],
  [
    'a Spanish tax id of 8 characters',
    { recipients: [{ name: 'N', tax_id: 'B9928632', foreign_id: null }] },
    [[code, 'client_id', undefined]],
  ],
  [
    'a person whom the census does not have, of another country (1126)',
    {
      recipients: [{ name: 'N', tax_id: null, foreign_id: { type: '07', country: 'FR', id: '12345678Z' } }],
    },
    [[code, 'client_id', undefined]],
  ],
  [
    'a VAT number of Northern Ireland, of an operation before 2021 (1254)',
    {
      recipients: [{ name: 'N', tax_id: null, foreign_id: { type: '02', country: null, id: 'XI123456782' } }],
      operation_on: '2020-12-31',
    },
    [[code, 'client_id', undefined]],
  ],
  [
    'the same, of an operation of 2021',
    {
      recipients: [{ name: 'N', tax_id: null, foreign_id: { type: '02', country: null, id: 'XI123456782' } }],
      operation_on: '2021-01-01',
    },
    [],
  ],
  [
    'a tax that is more than 10 euros from base × rate (1142)',
    rowsOf({ base: '70.00', tax: '25.00' }),
    [[code, 'lines', 11]],
  ],
  [
    'a surcharge that is more than 10 euros from base × its rate',
    rowsOf({ base: '100.00', tax: '21.00', surcharge_rate: '5.20', surcharge: '15.30' }),
    [[code, 'lines', 11]],
  ],
  ['a tax that is 10 euros from base × rate', rowsOf({ base: '70.00', tax: '24.70' }), []],
  [
    'a tax of the other sign than its base (1143)',
    rowsOf({ base: '0.01', tax: '-0.01' }),
    [[code, 'lines', 11]],
  ],
  [
    'the same in a corrective by differences',
    { ...rowsOf({ base: '0.01', tax: '-25.00' }), type: 'R1', correction: 'I' },
    [],
  ],
  [
    'the same in an R3',
    {
      ...rowsOf({ base: '0.01', tax: '-25.00' }),
      type: 'R3',
      correction: 'S',
      corrected_amounts: { base: '0.01', tax: '0.00', surcharge: null },
    },
    [],
  ],
  ['the same with IPSI', rowsOf({ tax_code: '02', base: '0.01', tax: '-25.00' }), []],
  ['regime 06 without its base at cost (1257)', rowsOf({ regime_key: '06' }), [[code, 'lines', 11]]],
  [
    'regime 06 of the IGIC (1257)',
    rowsOf({ tax_code: '03', regime_key: '06', rate: '7.00' }),
    [[code, 'lines', 11]],
  ],
  [
    'a foreign rate under regime 17 (1124)',
    rowsOf({ regime_key: '17', rate: '19.00' }),
    [[code, 'lines', 11]],
  ],
  ['a Spanish rate under regime 17', rowsOf({ regime_key: '17' }), []],
  [
    'a rate of another day (1124)',
    { ...rowsOf({ rate: '5.00' }), operation_on: '2026-05-01' },
    [[code, 'lines', 11]],
  ],
  [
    'a rate of the day of the operation',
    { ...rowsOf({ rate: '5.00', tax: '5.00' }), operation_on: '2024-09-01' },
    [],
  ],
  [
    'regime 17 of the IGIC, which has no such rule',
    rowsOf({ tax_code: '03', regime_key: '17', rate: '7.00', tax: '7.00' }),
    [],
  ],
  [
    'a surcharge at rate 0',
    rowsOf({ rate: '0.00', tax: '0.00', surcharge_rate: '0.26' }),
    [[code, 'lines', 11]],
  ],
  ['an operation of twenty years ago', { operation_on: '2006-05-21' }, []],
  ['an operation of a day more (1134)', { operation_on: '2006-05-20' }, [[code, 'operation_on', undefined]]],
  [
    'an operation after its issue (1146)',
    { operation_on: '2026-05-21' },
    [[code, 'operation_on', undefined]],
  ],
  ['a continuous supply, later', { operation_on: '2027-12-31', rows: [{ ...row, regime_key: '15' }] }, []],
  [
    'a continuous supply of the year after next (1125)',
    { operation_on: '2028-01-01', rows: [{ ...row, regime_key: '15' }] },
    [[code, 'operation_on', undefined]],
  ],
  [
    'one supply that is continuous and one that is not (1173)',
    { ...rowsOf({ regime_key: '15' }), operation_on: '2026-12-31' },
    [[code, 'operation_on', undefined]],
  ],
  [
    'an identification with a character that XML cannot hold',
    { recipients: [{ name: 'N', tax_id: null, foreign_id: { type: '04', country: 'US', id: 'X\u0001' } }] },
    [[code, 'client_id', undefined]],
  ],
  [
    'a corrected number of blanks alone (1104)',
    { corrected_invoices: [{ tax_id: 'B12345674', number: ' ', issued_on: '2026-01-01' }] },
    [[code, 'original_invoice_id', undefined]],
  ],
  [
    'a ticket by a recipient whom it does not name (1158)',
    { type: 'F2', recipients: [], issued_by: 'D' },
    [[code, 'issued_by', undefined]],
  ],
  ['an invoice by its recipient', { issued_by: 'D' }, []],
  [
    'an identification of blanks alone (1103)',
    { recipients: [{ name: 'N', tax_id: null, foreign_id: { type: '05', country: 'AR', id: ' ' } }] },
    [[code, 'client_id', undefined]],
  ],
  ['a ticket above 3,000', ticket, [[code, 'total', undefined]]],
  [
    'a qualified one above 3,000',
    { ...ticket, type: 'F1', recipients: content.recipients, is_qualified_simplified: true },
    [[code, 'total', undefined]],
  ],
  ['one exempt of naming its recipient', { ...ticket, is_without_recipient: true }, []],
];
for (const [name, change, expected] of cases)
  test(`given ${name}, then it is told as ${JSON.stringify(expected)}`, () =>
    assert.deepEqual(told(change), expected));

test('given a number that is not taken yet, then it is not asked for', () => {
  assert.deepEqual(eligibilityFaults({ ...content, number: '' }, today, false), []);
  assert.equal(numberFault('A2026-000001'), undefined);
});
