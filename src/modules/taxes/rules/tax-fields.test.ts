import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaxFields } from '../taxes.schema.ts';
import { applyTaxInput, blankTax, taxIssues } from './tax-fields.ts';

const today = '2026-11-21';

const cases: readonly (readonly [what: string, tax: Partial<TaxFields>, params: readonly string[]])[] = [
  ['a VAT rate', { rate: 21 }, []],
  ['a foreign VAT rate, as the one-stop shop has them', { rate: 19, regime_key: '17' }, []],
  ['VAT with its surcharge', { rate: 21, surcharge_rate: 5.2 }, []],
  ['tobacco', { rate: 21, surcharge_rate: 1.75 }, []],
  ['VAT with the surcharge of another rate', { rate: 21, surcharge_rate: 1.4 }, ['surcharge_rate']],
  ['no surcharge, said with 0', { rate: 19, surcharge_rate: 0 }, []],
  ['IGIC with a surcharge', { kind: 'igic', rate: 7, surcharge_rate: 0.5 }, ['surcharge_rate']],
  ['a surcharge of the past', { rate: 5, surcharge_rate: 0.62 }, ['surcharge_rate']],
  [
    'the same in its years',
    { rate: 5, surcharge_rate: 0.62, valid_from: '2023-01-01', valid_to: '2024-09-30' },
    [],
  ],
  ['the same up to its last day', { rate: 5, surcharge_rate: 0.62, valid_to: '2024-09-30' }, []],
  [
    'the same before its first day',
    { rate: 5, surcharge_rate: 0.62, valid_from: '2022-12-31' },
    ['surcharge_rate'],
  ],
  ['no rate', {}, ['rate']],
  ['exempt', { exemption_reason: 'E1' }, []],
  ['exempt with a rate', { exemption_reason: 'E1', rate: 21 }, ['rate']],
  ['exempt and qualified', { exemption_reason: 'E1', qualification: 'S1' }, ['qualification']],
  ['exempt with a surcharge', { exemption_reason: 'E1', surcharge_rate: 5.2 }, ['surcharge_rate']],
  ['a cause of IGIC under VAT', { exemption_reason: 'E7' }, ['exemption_reason']],
  ['a cause of IGIC under IGIC', { kind: 'igic', exemption_reason: 'E7' }, []],
  ['not subject', { qualification: 'N1' }, []],
  ['not subject with a rate', { qualification: 'N2', rate: 21 }, ['rate']],
  ['reverse charge at 0', { qualification: 'S2', rate: 0 }, []],
  ['reverse charge at 21', { qualification: 'S2', rate: 21 }, ['rate']],
  ['reverse charge without rate', { qualification: 'S2' }, ['rate']],
  ['a key that VAT lacks', { rate: 21, regime_key: '21' }, ['regime_key']],
  ['the same under IGIC', { kind: 'igic', rate: 7, regime_key: '21' }, []],
  ['a key on another tax', { kind: 'other', rate: 1, regime_key: '01' }, ['regime_key']],
  // what no line could take unchanged
  ['exports with a rate', { rate: 21, regime_key: '02' }, ['regime_key']],
  ['an export under the general regime', { exemption_reason: 'E2', regime_key: '01' }, ['regime_key']],
  ['an export', { exemption_reason: 'E2' }, []],
  ['premises at 10', { rate: 10, regime_key: '11' }, ['rate']],
  ['cash accounting with reverse charge', { qualification: 'S2', rate: 0, regime_key: '07' }, ['regime_key']],
  [
    'reverse charge with a surcharge',
    { qualification: 'S2', rate: 0, surcharge_rate: 5.2 },
    ['surcharge_rate'],
  ],
  [
    'several at once',
    { kind: 'ipsi', exemption_reason: 'E7', rate: 4, surcharge_rate: 1, regime_key: '02' },
    ['exemption_reason', 'regime_key', 'rate', 'surcharge_rate'],
  ],
  ['a retention', { kind: 'retention', rate: 15 }, []],
  ['a retention without rate', { kind: 'retention' }, ['rate']],
  [
    'a retention with all that it does not have',
    {
      kind: 'retention',
      rate: 15,
      surcharge_rate: 1,
      qualification: 'S1',
      exemption_reason: 'E1',
      regime_key: '01',
    },
    ['surcharge_rate', 'qualification', 'exemption_reason', 'regime_key'],
  ],
  ['one day', { rate: 21, valid_from: '2026-01-01', valid_to: '2026-01-01' }, []],
  ['an end before its start', { rate: 21, valid_from: '2026-01-02', valid_to: '2026-01-01' }, ['valid_to']],
];

for (const [what, tax, params] of cases) {
  test(`${what} ${params.length === 0 ? 'is a tax' : `is at fault in ${params.join(', ')}`}`, () => {
    const issues = taxIssues({ ...blankTax, name: 'X', kind: 'vat', ...tax }, today);
    assert.deepEqual(
      issues.map((issue) => issue.param),
      params,
    );
  });
}

test('a rate of 0 stays one unless there is to be none', () => {
  const tax: TaxFields = { ...blankTax, name: 'X', kind: 'vat' };
  assert.equal(applyTaxInput(tax, { rate: 0 }).rate, 0);
  assert.equal(applyTaxInput(tax, { rate: 0, qualification: 'S2' }).rate, 0);
  assert.equal(applyTaxInput(tax, { rate: 0, qualification: 'N1' }).rate, null);
  assert.equal(applyTaxInput({ ...tax, rate: 0 }, { exemption_reason: 'E1' }).rate, null);
});

test('a tax without rate misses it, one with a wrong rate has it wrong, each in a sentence', () => {
  const of = (tax: Partial<TaxFields>) => taxIssues({ ...blankTax, name: 'X', kind: 'vat', ...tax }, today);
  assert.deepEqual(
    [of({}), of({ qualification: 'S2' }), of({ exemption_reason: 'E1', rate: 21 })]
      .flat()
      .map(({ code }) => code),
    ['missing_required_param', 'missing_required_param', 'parameter_invalid'],
  );
  for (const { message } of of({ exemption_reason: 'E7', rate: 21 })) assert.match(message, /^\p{Lu}.*\.$/u);
});
