import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Problem } from '../../kernel/problem.ts';
import { Reasons } from '../../kernel/reasons.ts';
import { runSteps } from '../../kernel/steps.ts';
import { amountText, parseAmount } from '../money/amount.ts';
import { type FiscalFields, fiscalRefusal } from '../tax/fiscal-rules.ts';
import { regimeKeys } from '../tax/record-codes.ts';
import { taxKinds } from '../tax/spanish-taxes.ts';
import { buildLinesInSteps, type DocumentLine } from './lines.ts';
import type { LineFacts, LineTax } from './line-facts.ts';
import type { LineInput } from './line-input.ts';

const facts: LineFacts = {
  products: new Map(),
  taxes: new Map(),
  default_vat: '21',
  is_surcharge_subject: false,
  on_date: '2026-06-01',
  version: '2026-10-01',
};

const said = { description: 'Consultoría', unit_price: 100 };
const build = (line: LineInput, more: Partial<LineFacts> = {}) =>
  runSteps(
    buildLinesInSteps(
      [
        { ...said, tax_rate: 21 },
        { ...said, ...line },
      ],
      { ...facts, ...more },
      new Reasons(),
    ),
  )![1]!;
const short = ({
  tax_kind,
  regime_key,
  qualification,
  exemption_reason,
  tax_rate,
  surcharge_rate,
}: DocumentLine) =>
  [
    tax_kind,
    regime_key,
    qualification ?? exemption_reason,
    tax_rate && amountText(tax_rate),
    surcharge_rate && amountText(surcharge_rate),
  ].join(' ');

const tax: LineTax = {
  id: 'a',
  name: 'IVA',
  kind: 'vat',
  rate: '10',
  surcharge_rate: '1.4',
  qualification: null,
  exemption_reason: null,
  regime_key: null,
  valid_from: null,
  valid_to: null,
  is_active: true,
};
const taxes = new Map<string, LineTax>([
  ['ten', tax],
  ['export', { ...tax, rate: null, surcharge_rate: null, exemption_reason: 'E2' }],
  ['igic', { ...tax, kind: 'igic', rate: '7', surcharge_rate: null, regime_key: '18' }],
]);

// Kind, key, qualification or exemption, rate, surcharge.
const built: readonly (readonly [
  what: string,
  line: LineInput,
  more: Partial<LineFacts>,
  expected: string,
])[] = [
  ['nothing said', {}, {}, 'vat 01 S1 21 '],
  ['reverse charge alone', { qualification: 'S2' }, {}, 'vat 01 S2 0 '],
  [
    'reverse charge for a client with surcharge',
    { qualification: 'S2' },
    { is_surcharge_subject: true },
    'vat 01 S2 0 ',
  ],
  ['a client with surcharge', { tax_rate: 10 }, { is_surcharge_subject: true }, 'vat 01 S1 10 1.4'],
  [
    'a client with surcharge that is not charged it',
    { tax_rate: 10, surcharge_rate: 0 },
    { is_surcharge_subject: true },
    'vat 01 S1 10 ',
  ],
  [
    'the one-stop shop for a client with surcharge',
    { tax_rate: 21, regime_key: '17' },
    { is_surcharge_subject: true },
    'vat 17 S1 21 ',
  ],
  [
    'a tax whose rate it replaces, for a client with surcharge',
    { taxes_id: 'ten', tax_rate: 21 },
    { taxes, is_surcharge_subject: true },
    'vat 01 S1 21 5.2',
  ],
  [
    'IGIC for a client with surcharge',
    { tax_kind: 'igic', tax_rate: 7 },
    { is_surcharge_subject: true },
    'igic 01 S1 7 ',
  ],
  ['exempt with the rate 0', { exemption_reason: 'E1', tax_rate: 0 }, {}, 'vat 01 E1  '],
  ['an export', { exemption_reason: 'E2' }, {}, 'vat 02 E2  '],
  ['an export under IPSI', { tax_kind: 'ipsi', exemption_reason: 'E2' }, {}, 'ipsi 01 E2  '],
  ['another tax', { tax_kind: 'other', tax_rate: 3 }, {}, 'other  S1 3 '],
  ['a tax', { taxes_id: 'ten' }, { taxes }, 'vat 01 S1 10 '],
  ['an exempt tax', { taxes_id: 'export' }, { taxes }, 'vat 02 E2  '],
  [
    'an exempt tax, of which the line says otherwise',
    { taxes_id: 'export', qualification: 'N2' },
    { taxes },
    'vat 01 N2  ',
  ],
  ['a tax made exempt by the line', { taxes_id: 'ten', exemption_reason: 'E1' }, { taxes }, 'vat 01 E1  '],
  ['a tax with a key', { taxes_id: 'igic' }, { taxes }, 'igic 18 S1 7 '],
  [
    'a tax with a key, of which the line takes none',
    { taxes_id: 'igic', regime_key: null },
    { taxes },
    'igic 01 S1 7 ',
  ],
];
for (const [what, line, more, expected] of built) {
  test(`a line with ${what} is ${expected}`, () => assert.equal(short(build(line, more)), expected));
}

const refused: readonly (readonly [what: string, line: LineInput, code: string, field: string])[] = [
  ['IGIC without rate, as the default is a VAT', { tax_kind: 'igic' }, 'missing_required_param', 'tax_rate'],
  ['a tax of another kind', { tax_kind: 'ipsi', taxes_id: 'ten' }, 'business_rule_violation', 'tax_kind'],
  ['a lapsed rate', { tax_rate: 7.5 }, 'business_rule_violation', 'tax_rate'],
  [
    'reverse charge on a tax with a rate of its own',
    { qualification: 'S2', tax_rate: 10 },
    'business_rule_violation',
    'tax_rate',
  ],
  [
    'IGIC with a surcharge',
    { tax_kind: 'igic', tax_rate: 7, surcharge_rate: 0.5 },
    'business_rule_violation',
    'surcharge_rate',
  ],
];
for (const [what, line, code, field] of refused) {
  test(`a line with ${what} is refused with ${code} in ${field}, by its index`, () => {
    assert.throws(
      () => build(line, { taxes }),
      (error) =>
        error instanceof Problem &&
        error.def.code === code &&
        error.details.param === `lines.1.${field}` &&
        error.details.line_index === 1,
    );
  });
}

const rates = [0, 0.5, 1.4, 1.75, 2, 4, 5, 5.2, 7, 7.5, 10, 19, 21];
const anyLine = fc.record({
  tax_kind: fc.constantFrom(...taxKinds),
  regime_key: fc.constantFrom(null, ...Object.keys(regimeKeys)),
  qualification: fc.constantFrom(null, 'S1' as const, 'S2' as const, 'N1' as const, 'N2' as const),
  exemption_reason: fc.constantFrom(null, null, 'E1', 'E2', 'E3', 'E4', 'E5', 'E6', 'E7', 'E8'),
  tax_rate: fc.constantFrom(null, ...rates),
  surcharge_rate: fc.constantFrom(null, null, ...rates),
});
const anyDay = fc.constantFrom('2022-07-01', '2024-06-01', '2024-11-01', '2026-06-01');

test('property: no line is built that the table refuses, and what was said is what is built', () => {
  const exact = (rate: number | null) =>
    rate === null ? null : (parseAmount(String(rate), { decimals: 2 }) ?? assert.fail());
  fc.assert(
    fc.property(anyLine, anyDay, fc.boolean(), (line, on_date, is_surcharge_subject) => {
      let made: DocumentLine;
      try {
        made = build(line, { on_date, is_surcharge_subject });
      } catch (error) {
        assert.ok(error instanceof Problem && error.details.line_index === 1);
        return;
      }
      assert.equal(fiscalRefusal({ ...made, tax_kind: line.tax_kind }, on_date), undefined);
      assert.equal(made.tax_kind, line.tax_kind);
      for (const key of ['regime_key', 'exemption_reason', 'qualification'] as const) {
        if (line[key] !== null) assert.equal(made[key], line[key]);
      }
      if (line.tax_rate) assert.equal(made.tax_rate && Number(amountText(made.tax_rate)), line.tax_rate);
      if (line.surcharge_rate)
        assert.equal(made.surcharge_rate && Number(amountText(made.surcharge_rate)), line.surcharge_rate);
    }),
    { numRuns: 2000 },
  );
  fc.assert(
    fc.property(anyLine, anyDay, (line, on_date) => {
      // The line states every field, so both refuse the same one.
      fc.pre((line.qualification === null) !== (line.exemption_reason === null));
      fc.pre(line.regime_key !== null || line.tax_kind === 'other');
      const goes_without = line.exemption_reason !== null || line.qualification?.startsWith('N');
      fc.pre(goes_without ? line.tax_rate !== 0 : line.tax_rate !== null);
      const fields: FiscalFields = {
        ...line,
        tax_rate: exact(line.tax_rate),
        surcharge_rate: exact(line.surcharge_rate),
      };
      const refusal = fiscalRefusal(fields, on_date);
      if (!refusal) return void build(line, { on_date });
      assert.throws(
        () => build(line, { on_date }),
        (error) => error instanceof Problem && error.details.param === `lines.1.${refusal.field}`,
      );
    }),
    { numRuns: 2000 },
  );
});
