import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fixedText } from '../money/amount.ts';
import { printedToCents } from '../money/printed.ts';
import { recountRows } from './build-rows.ts';
import { carriageCents, carriageLines, ofRate } from './carriage.ts';
import type { LineRow } from './rows.ts';

type Tax = Pick<LineRow, 'tax_kind' | 'tax_rate' | 'surcharge_rate' | 'qualification' | 'exemption_reason'>;

const vat = (tax_rate: string, surcharge_rate: string | null = null): Tax => ({
  tax_kind: 'vat',
  tax_rate,
  surcharge_rate,
  qualification: 'S1',
  exemption_reason: null,
});
const exempt = (exemption_reason: string): Tax => ({
  tax_kind: 'vat',
  tax_rate: null,
  surcharge_rate: null,
  qualification: null,
  exemption_reason,
});
const plain: readonly Tax[] = [
  vat('21'),
  vat('10'),
  vat('4'),
  vat('0'),
  { ...vat('7'), tax_kind: 'igic' },
  { ...vat('0'), qualification: 'S2' },
  { ...exempt(''), exemption_reason: null, qualification: 'N2' },
  exempt('E1'),
  exempt('E2'),
];
const surcharged: readonly Tax[] = [vat('21', '5.2'), vat('10', '1.4'), vat('4', '0.5')];

function line(tax: Tax, quantity: string, unit_price: string, retention_rate: string | null = null): LineRow {
  return {
    document_id: 'd',
    position: 0,
    id: 'l',
    description: 'x',
    product_id: null,
    product_name: null,
    quantity,
    unit: null,
    kind: 'good',
    is_kind_stated: true,
    unit_price,
    discount_percent: null,
    taxes_id: null,
    tax_name: null,
    ...tax,
    retention_rate,
    exemption_reason_text: null,
    regime_key: tax.exemption_reason === 'E2' ? '02' : '01',
    is_regime_key_stated: false,
    is_surcharge_stated: false,
    details: null,
    subtotal: '0',
    taxes: '0',
    total: '0',
  };
}

const lineOf = (taxes: readonly Tax[], retentions: readonly (string | null)[]) =>
  fc
    .tuple(
      fc.constantFrom(...taxes),
      fc.integer({ min: -3, max: 12 }).map(String),
      fc.integer({ min: 0, max: 500_000 }).map((cents) => fixedText(BigInt(cents), 2)),
      fc.constantFrom(...retentions),
    )
    .map(([tax, quantity, price, retention]) => line(tax, quantity, price, retention));

const documents = fc.oneof(
  fc.record({
    prices_include_tax: fc.constant(false),
    lines: fc.array(lineOf([...plain, ...surcharged], [null, null, '15']), { minLength: 1, maxLength: 12 }),
  }),
  // Prices with tax go with neither surcharge nor retention.
  fc.record({
    prices_include_tax: fc.constant(true),
    lines: fc.array(lineOf(plain, [null]), { minLength: 1, maxLength: 12 }),
  }),
);
const costs = fc.oneof(fc.integer({ min: 0, max: 9999 }), fc.integer({ min: 0, max: 10_000_000 }));

test('given any document and cost of carriage, then the total of both is kept, and each row stays within its tolerance', () => {
  let shared = 0;
  fc.assert(
    fc.property(
      documents,
      costs,
      fc.constantFrom(null, null, '21', '4', '0'),
      ({ lines, prices_include_tax }, cents, tax_rate) => {
        const options = { prices_include_tax };
        const before = recountRows('d', lines, options);
        const cost = BigInt(cents);
        const added = carriageLines(before, {
          cost,
          tax: tax_rate === null ? null : ofRate(tax_rate, 'vat'),
          default_tax: ofRate('21', 'vat'),
          description: 'Envío',
        });
        assert.ok(added);
        const sum = added.reduce((all, { unit_price }) => all + carriageCents(unit_price), 0n);
        assert.equal(sum, cost);
        const after = recountRows('d', [...before.lines, ...added], options);
        assert.equal(after.totals.total, before.totals.total + cost);
        assert.equal(after.totals.amount_due, before.totals.amount_due + cost);
        assert.equal(after.totals.retention_total, before.totals.retention_total);
        for (const one of after.lines.slice(lines.length))
          assert.equal(printedToCents(one.total), carriageCents(one.unit_price));
        // The authority computes tax so. It allows ten euros, this test cents.
        for (const row of after.tax_rows) {
          const tax = (Number(row.base) * Number(row.tax_rate ?? 0)) / 100;
          assert.ok(Math.abs(tax - Number(row.tax)) <= 0.01 * (added.length + lines.length) + 0.02);
        }
        if (tax_rate === null && added.length > 1) shared += 1;
        // Earlier lines keep their amounts where prices are without tax.
        if (!prices_include_tax) assert.deepEqual(after.lines.slice(0, lines.length), before.lines);
      },
    ),
    { numRuns: 10_000 },
  );
  assert.ok(shared > 500, String(shared));
});

const shapes: readonly [
  name: string,
  lines: LineRow[],
  cost: bigint,
  more: { tax_rate?: string; default_rate?: string },
  shown: readonly string[] | null,
][] = [
  ['one rate', [line(vat('21'), '1', '100')], 1210n, {}, ['12.1 at 21: 10.00 + 2.10']],
  [
    'two rates, by their base',
    [line(vat('21'), '1', '300'), line(vat('4'), '1', '100')],
    1000n,
    {},
    ['7.5 at 21: 6.20 + 1.30', '2.5 at 4: 2.40 + 0.10'],
  ],
  ['surcharge', [line(vat('21', '5.2'), '1', '100')], 1262n, {}, ['12.62 at 21: 10.00 + 2.10']],
  ['exempt', [line(exempt('E1'), '1', '100')], 1000n, {}, ['10 at null: 10.00 + 0.00']],
  [
    'a rate of its own',
    [line(exempt('E1'), '1', '100')],
    1210n,
    { tax_rate: '21' },
    ['12.1 at 21: 10.00 + 2.10'],
  ],
  [
    'negative rows, and a default',
    [line(vat('10'), '-1', '5')],
    121n,
    { default_rate: '21' },
    ['1.21 at 21: 1.00 + 0.21'],
  ],
  ['negative rows, and no default', [line(vat('10'), '-1', '5')], 121n, {}, null],
  [
    'a cent over three rows',
    [line(vat('21'), '1', '1'), line(vat('10'), '1', '1'), line(vat('4'), '1', '1')],
    1n,
    {},
    ['0.01 at 21: 0.01 + 0.00'],
  ],
  ['none', [line(vat('21'), '1', '100')], 0n, {}, []],
];

for (const [name, lines, cost, more, shown] of shapes) {
  test(`carriage: ${name}`, () => {
    const before = recountRows('d', lines, { prices_include_tax: false });
    const added = carriageLines(before, {
      cost,
      tax: more.tax_rate === undefined ? null : ofRate(more.tax_rate, 'vat'),
      default_tax: more.default_rate === undefined ? null : ofRate(more.default_rate, 'vat'),
      description: 'Envío',
    });
    const after = added && recountRows('d', [...before.lines, ...added], { prices_include_tax: false });
    const told = after?.lines
      .slice(lines.length)
      .map((one) => `${one.unit_price} at ${one.tax_rate}: ${one.subtotal} + ${one.taxes}`);
    assert.deepEqual(told ?? null, shown);
  });
}
