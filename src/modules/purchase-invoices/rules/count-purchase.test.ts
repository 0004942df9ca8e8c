/** What is due and what is deducted, by cases from the law, and by properties of random purchases. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { printedToCents } from '../../../domain/money/printed.ts';
import { buildDocumentLines } from '../../../domain/sales/build-rows.ts';
import { euros } from '../../../domain/sales/currency.ts';
import type { LineInput } from '../../../domain/sales/line-input.ts';
import { Problem } from '../../../kernel/problem.ts';
import { Reasons } from '../../../kernel/reasons.ts';
import type { PurchaseLineRow, PurchaseRow } from '../purchase-invoices.rows.ts';
import { countPurchase, type OwnLineInput } from './count-purchase.ts';
import { isUntaxedImport, purchaseFields, type PurchaseSent } from './purchase-fields.ts';
import type { StatedTax } from './stated-taxes.ts';

type Sent = PurchaseSent & { tax_breakdown?: StatedTax[]; expected_total?: number };

/** A paper of today. */
function counted(sent: Sent, input: readonly OwnLineInput[]) {
  const reasons = new Reasons();
  const own = purchaseFields(null, sent, { today: '2026-03-01', is_received: true, reasons });
  const { prices_include_tax = false } = sent;
  const row = { ...own, prices_include_tax, retention_total: '0.00' } as PurchaseRow;
  const paper = {
    tax_kind: row.kind === 'agricultural_receipt' ? ('compensation' as const) : ('vat' as const),
    is_untaxed: isUntaxedImport(row),
    takes_default_kind: false,
  };
  const plain = buildDocumentLines(
    '01a20000-0000-7000-8000-000000000000',
    input as LineInput[],
    {
      products: new Map(),
      taxes: new Map(),
      default_vat: null,
      is_surcharge_subject: false,
      on_date: '2026-03-01',
      version: '2026-10-01',
      paper,
    },
    { prices_include_tax },
  );
  const { built, own: amounts } = countPurchase(plain, { input, row, sent, stored: null });
  return { ...built, row: { ...row, ...amounts }, lines: built.lines as PurchaseLineRow[] };
}

const line = (more: object = {}): OwnLineInput => ({
  description: 'x',
  unit_price: 1000,
  tax_rate: 21,
  ...more,
});

type Amounts = [total: string, due: string, self_charged: string, deductible: string];
const cases: [title: string, sent: Sent, lines: OwnLineInput[], amounts: Amounts][] = [
  ['domestic', {}, [line()], ['1210.00', '1210.00', '0.00', '210.00']],
  // LIVA, art. 84.Uno.2: the supplier charges nothing; what the company owes it deducts at once (art. 97.Uno.4).
  [
    'reverse charge with a rate sent as tax',
    { operation: 'reverse_charge' },
    [line()],
    ['1000.00', '1000.00', '210.00', '210.00'],
  ],
  [
    'intra-Community goods at 50 %',
    { operation: 'intra_community_goods' },
    [line({ deductible_percent: 50 })],
    ['1000.00', '1000.00', '210.00', '105.00'],
  ],
  [
    'services from outside, in dollars',
    { operation: 'non_eu_services', currency: 'USD', exchange_rate: 0.9 },
    [line()],
    ['1000.00', '1000.00', '189.00', '189.00'],
  ],
  // LIVA, art. 97.Uno.3: the customs document has the tax, and its base was paid to the supplier.
  [
    'imported goods',
    { operation: 'import' },
    [line({ tax_rate: 0 })],
    ['1000.00', '1000.00', '0.00', '0.00'],
  ],
  [
    'imported goods without a rate',
    { operation: 'import' },
    [{ description: 'x', unit_price: 1000 }],
    ['1000.00', '1000.00', '0.00', '0.00'],
  ],
  ['the customs document', { kind: 'customs' }, [line()], ['210.00', '210.00', '0.00', '210.00']],
  // LIVA, arts. 130 and 134.
  [
    'compensation of farming',
    { kind: 'agricultural_receipt' },
    [line({ tax_rate: 12 })],
    ['1120.00', '1120.00', '0.00', '120.00'],
  ],
  // LIVA, art. 117 bis: refunded by the other state.
  [
    'French hotel with its VAT',
    {},
    [line({ tax_kind: 'foreign_vat', tax_rate: 10 })],
    ['1100.00', '1100.00', '0.00', '0.00'],
  ],
  [
    'French VAT beside services of the Union',
    { operation: 'intra_community_services' },
    [line(), line({ tax_kind: 'foreign_vat', tax_rate: 20 })],
    ['2200.00', '2200.00', '210.00', '210.00'],
  ],
  // RIRPF, art. 95: on the base.
  ['IRPF 15 % with VAT 21', {}, [line({ retention_rate: 15 })], ['1210.00', '1060.00', '0.00', '210.00']],
  ['rent at 19 %', {}, [line({ retention_rate: 19 })], ['1210.00', '1020.00', '0.00', '210.00']],
  [
    'retention where the company owes the tax',
    { operation: 'reverse_charge' },
    [line({ retention_rate: 15 })],
    ['1000.00', '850.00', '210.00', '210.00'],
  ],
  // LIVA, art. 154: a retailer of the regime deducts nothing.
  [
    'surcharge',
    {},
    [line({ surcharge_rate: 5.2 }), line({ tax_rate: 10 })],
    ['2362.00', '2362.00', '0.00', '100.00'],
  ],
  // RD 1619/2012, art. 7.2.
  ['ticket without our data', { kind: 'simplified' }, [line()], ['1210.00', '1210.00', '0.00', '0.00']],
  [
    'ticket with our data',
    { kind: 'simplified', has_recipient_data: true },
    [line()],
    ['1210.00', '1210.00', '0.00', '210.00'],
  ],
  // LIVA, art. 20: nothing was charged.
  ['exempt', {}, [line({ tax_rate: null, exemption_reason: 'E1' })], ['1000.00', '1000.00', '0.00', '0.00']],
  // LIVA, art. 95.Tres.2.
  ['50 % car', {}, [line({ deductible_percent: 50 })], ['1210.00', '1210.00', '0.00', '105.00']],
  // LIVA, art. 96.
  ['a gift to clients', {}, [line({ deductible_percent: 0 })], ['1210.00', '1210.00', '0.00', '0.00']],
  [
    'a rate that Spain does not have',
    {},
    [line({ tax_rate: 17.5 })],
    ['1175.00', '1175.00', '0.00', '175.00'],
  ],
  // LIVA, art. 108.
  [
    'an investment good at the floor',
    {},
    [line({ unit_price: 3005.06, is_investment_good: true })],
    ['3636.12', '3636.12', '0.00', '631.06'],
  ],
  [
    'a corrective of an investment good',
    { kind: 'corrective' },
    [line({ unit_price: -10, is_investment_good: true })],
    ['-12.10', '-12.10', '0.00', '-2.10'],
  ],
  // LIVA, art. 97.Tres: never more than is stated.
  [
    'a return whose tax is not deducted',
    {},
    [line(), line({ quantity: -1, deductible_percent: 0 })],
    ['0.00', '0.00', '0.00', '0.00'],
  ],
  [
    'a printed tax one cent off',
    { tax_breakdown: [{ tax_rate: 21, tax: 209.99 }], expected_total: 1209.99 },
    [line()],
    ['1209.99', '1209.99', '0.00', '209.99'],
  ],
  [
    'a printed tax within prices',
    { prices_include_tax: true, tax_breakdown: [{ tax: 21.01 }] },
    [line({ unit_price: 121 })],
    ['121.00', '121.00', '0.00', '21.01'],
  ],
];

for (const [title, sent, lines, amounts] of cases)
  test(`${title}: total, due, self-charged, deductible`, () => {
    const { totals, row } = counted(sent, lines);
    assert.deepEqual(
      [totals.total, totals.amount_due].map((cents) => Number(cents) / 100),
      amounts.slice(0, 2).map(Number),
    );
    assert.deepEqual([row.self_charged_total, row.deductible_total], amounts.slice(2));
  });

test('a row is rounded once, and its lines share it by largest remainder', () => {
  const thirds = counted({}, [
    line({ unit_price: 0.1, deductible_percent: 50 }),
    line({ unit_price: 0.1, deductible_percent: 50 }),
    line({ unit_price: 0.1, deductible_percent: 50 }),
  ]);
  assert.equal(thirds.tax_rows[0]!.tax, '0.06');
  assert.equal(thirds.row.deductible_total, '0.03');
  assert.deepEqual(
    thirds.lines.map(({ deductible }) => deductible),
    ['0.01', '0.01', '0.01'],
  );
});

const amount = fc.integer({ min: -99_999_999, max: 99_999_999 }).map((cents) => cents / 100);
const drawnLine = fc.record({
  description: fc.constant('x'),
  quantity: fc.integer({ min: -20, max: 20 }),
  unit_price: amount,
  tax_kind: fc.constantFrom('vat' as const, 'foreign_vat' as const, 'igic' as const),
  tax_rate: fc.constantFrom(0, 4, 5.5, 10, 21),
  retention_rate: fc.constantFrom(0, 7, 15, 19),
  surcharge_rate: fc.constantFrom(null, null, 0.5, 5.2),
  deductible_percent: fc.constantFrom(null, 0, 33.3333, 50, 99.9999, 100),
});
const drawn = fc.record({
  kind: fc.constantFrom('invoice' as const, 'simplified' as const, 'corrective' as const, 'customs' as const),
  operation: fc.constantFrom('domestic' as const, 'reverse_charge' as const, 'non_eu_services' as const),
  money: fc.constantFrom(['EUR', null] as const, ['USD', 0.92341] as const, ['JPY', 0.00612345] as const),
  off: fc.integer({ min: -2, max: 2 }),
  includes_tax: fc.boolean(),
  lines: fc.array(drawnLine, { minLength: 1, maxLength: 12 }),
});

test('for any purchase, base and tax less retention are due, and no more is deducted than is charged', () => {
  fc.assert(
    fc.property(drawn, ({ kind, operation: asked, money: [currency, exchange_rate], off, ...rest }) => {
      const operation = kind === 'customs' ? 'import' : asked;
      const prices_include_tax = rest.includes_tax && operation === 'domestic';
      const sent: Sent = { kind, operation, currency, exchange_rate, prices_include_tax };
      // Prices with tax exclude surcharge and retention; nobody charges a surcharge from abroad.
      const lines = rest.lines.map(({ surcharge_rate, retention_rate, ...line }) => ({
        ...line,
        retention_rate: prices_include_tax ? null : retention_rate,
        surcharge_rate:
          line.tax_kind === 'vat' && operation === 'domestic' && !prices_include_tax ? surcharge_rate : null,
      }));
      const plain = counted(sent, lines);
      const [first] = plain.tax_rows;
      const tax = Number(printedToCents(first!.tax) + BigInt(off)) / 100;
      const { tax_rate, tax_kind, surcharge_rate } = first!;
      const stated = { tax_kind, tax_rate: Number(tax_rate), surcharge_rate, tax } as StatedTax;
      const is_own = operation === 'domestic' || operation === 'import';
      const found = is_own ? counted({ ...sent, tax_breakdown: [stated] }, lines) : plain;
      const { totals, tax_rows } = found;
      const base = kind === 'customs' ? 0n : totals.subtotal;
      assert.equal(
        base + totals.taxes_total + totals.surcharge_total - totals.retention_total,
        totals.amount_due,
      );
      const toEuros = euros(exchange_rate === null ? null : String(exchange_rate));
      const of = found.lines as (PurchaseLineRow & { tax_rate: string })[];
      for (const row of tax_rows as (typeof first & { self_charged: string; deductible: string })[]) {
        const most = toEuros(row.tax) + printedToCents(row.self_charged);
        const deductible = printedToCents(row.deductible);
        assert.ok(
          most >= 0n ? deductible >= 0n && deductible <= most : deductible <= 0n && deductible >= most,
        );
        const own = of.filter((one) =>
          (['tax_kind', 'tax_rate', 'surcharge_rate'] as const).every((key) => one[key] === row[key]),
        );
        const sum = (name: 'deductible' | 'self_charged' | 'taxes') =>
          own.reduce((all, one) => all + printedToCents(one[name]), 0n);
        assert.equal(sum('deductible'), deductible);
        assert.equal(sum('self_charged'), printedToCents(row.self_charged));
        const is_forced =
          kind === 'simplified' || row.tax_kind === 'foreign_vat' || row.surcharge_rate !== null;
        if (is_forced) assert.equal(deductible, 0n);
      }
    }),
    { numRuns: 150 },
  );
});

test('what is beyond rounding is refused', () => {
  const two = [line(), line()];
  assert.doesNotThrow(() => counted({ tax_breakdown: [{ tax: 420.03 }] }, two));
  for (const wrong of [{ tax_breakdown: [{ tax: 420.04 }] }, { expected_total: 2420.01 }])
    assert.throws(
      () => counted(wrong, two),
      (error) => error instanceof Problem && error.def.code === 'amount_reconciliation_failed',
    );
});
