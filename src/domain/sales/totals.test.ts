import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fixedText, parseAmount } from '../money/amount.ts';
import { computeTotals, type TotalsLine } from './totals.ts';

type LineText = Partial<Omit<TotalsLine, 'quantity' | 'unit_price'>> & {
  q?: string;
  price: string;
  discount?: string;
  vat?: string | null;
  surcharge?: string;
  retention?: string;
};

function exact(text: string, decimals: number) {
  const amount = parseAmount(text, { decimals });
  assert.ok(amount, text);
  return amount;
}

function rate(text: string | null | undefined) {
  return text === null || text === undefined ? null : exact(text, 2);
}

/** At 21 % under the general regime unless stated otherwise. */
function line({ q = '1', price, discount, vat = '21', surcharge, retention, ...rest }: LineText): TotalsLine {
  return {
    quantity: exact(q, 6),
    unit_price: exact(price, 8),
    discount_percent: rate(discount),
    tax_kind: 'vat',
    tax_rate: rate(vat),
    surcharge_rate: rate(surcharge),
    retention_rate: rate(retention),
    qualification: 'S1',
    exemption_reason: null,
    regime_key: '01',
    ...rest,
  };
}

const money = (cents: bigint) => fixedText(cents, 2);

/** A line becomes "subtotal taxes surcharge retention total", a row "base tax surcharge". */
function show(lines: LineText[], prices_include_tax: boolean) {
  const t = computeTotals(lines.map(line), { prices_include_tax });
  return {
    lines: t.lines.map((l) => [l.subtotal, l.taxes, l.surcharge, l.retention, l.total].map(money).join(' ')),
    rows: t.tax_breakdown.map((r) => [r.base, r.tax, r.surcharge].map(money).join(' ')),
    totals: [
      t.subtotal,
      t.discount_total,
      t.taxes_total,
      t.surcharge_total,
      t.retention_total,
      t.total,
      t.amount_due,
    ]
      .map(money)
      .join(' '),
  };
}

type Case = [name: string, lines: LineText[], expected: ReturnType<typeof show>];

// totals: subtotal, discount, taxes, surcharge, retention, total, amount due
const withoutTax: Case[] = [
  ['no lines', [], { lines: [], rows: [], totals: '0.00 0.00 0.00 0.00 0.00 0.00 0.00' }],
  [
    'one line',
    [{ price: '100' }],
    {
      lines: ['100.00 21.00 0.00 0.00 121.00'],
      rows: ['100.00 21.00 0.00'],
      totals: '100.00 0.00 21.00 0.00 0.00 121.00 121.00',
    },
  ],
  [
    'tax is rounded once per row, not per line',
    [
      { price: '0.15', vat: '10' },
      { price: '0.15', vat: '10' },
      { price: '0.15', vat: '10' },
    ],
    {
      lines: ['0.15 0.02 0.00 0.00 0.17', '0.15 0.02 0.00 0.00 0.17', '0.15 0.01 0.00 0.00 0.16'],
      rows: ['0.45 0.05 0.00'],
      totals: '0.45 0.00 0.05 0.00 0.00 0.50 0.50',
    },
  ],
  [
    'the same, negative, is the mirror',
    [
      { q: '-1', price: '0.15', vat: '10' },
      { q: '-1', price: '0.15', vat: '10' },
      { q: '-1', price: '0.15', vat: '10' },
    ],
    {
      lines: ['-0.15 -0.02 0.00 0.00 -0.17', '-0.15 -0.02 0.00 0.00 -0.17', '-0.15 -0.01 0.00 0.00 -0.16'],
      rows: ['-0.45 -0.05 0.00'],
      totals: '-0.45 0.00 -0.05 0.00 0.00 -0.50 -0.50',
    },
  ],
  [
    'half a cent goes away from zero, once per line',
    [{ price: '0.005' }, { q: '-1', price: '0.005' }, { q: '3', price: '1.115' }],
    {
      lines: ['0.01 0.00 0.00 0.00 0.01', '-0.01 0.00 0.00 0.00 -0.01', '3.35 0.70 0.00 0.00 4.05'],
      rows: ['3.35 0.70 0.00'],
      totals: '3.35 0.00 0.70 0.00 0.00 4.05 4.05',
    },
  ],
  [
    'a discount is the difference of two rounded amounts',
    [{ q: '3', price: '19.99', discount: '10' }],
    {
      lines: ['53.97 11.33 0.00 0.00 65.30'],
      rows: ['53.97 11.33 0.00'],
      totals: '53.97 6.00 11.33 0.00 0.00 65.30 65.30',
    },
  ],
  [
    'a discount of everything',
    [{ price: '80', discount: '100' }],
    {
      lines: ['0.00 0.00 0.00 0.00 0.00'],
      rows: ['0.00 0.00 0.00'],
      totals: '0.00 80.00 0.00 0.00 0.00 0.00 0.00',
    },
  ],
  [
    'surcharge makes a row of its own and is part of the total',
    [{ price: '100', surcharge: '5.2' }, { price: '50' }],
    {
      lines: ['100.00 21.00 5.20 0.00 126.20', '50.00 10.50 0.00 0.00 60.50'],
      rows: ['100.00 21.00 5.20', '50.00 10.50 0.00'],
      totals: '150.00 0.00 31.50 5.20 0.00 186.70 186.70',
    },
  ],
  [
    'a surcharge of 0 is none',
    [{ price: '100', surcharge: '0' }, { price: '50' }],
    {
      lines: ['100.00 21.00 0.00 0.00 121.00', '50.00 10.50 0.00 0.00 60.50'],
      rows: ['150.00 31.50 0.00'],
      totals: '150.00 0.00 31.50 0.00 0.00 181.50 181.50',
    },
  ],
  [
    'retention is on the base and lowers only what is due',
    [{ price: '1000', retention: '15' }],
    {
      lines: ['1000.00 210.00 0.00 150.00 1210.00'],
      rows: ['1000.00 210.00 0.00'],
      totals: '1000.00 0.00 210.00 0.00 150.00 1210.00 1060.00',
    },
  ],
  [
    'retention is rounded once per rate, across rows',
    [
      { price: '0.03', retention: '15' },
      { price: '0.03', vat: '10', retention: '15' },
      { price: '0.10', retention: '7' },
    ],
    {
      lines: ['0.03 0.01 0.00 0.01 0.04', '0.03 0.00 0.00 0.00 0.03', '0.10 0.02 0.00 0.01 0.12'],
      rows: ['0.13 0.03 0.00', '0.03 0.00 0.00'],
      totals: '0.16 0.00 0.03 0.00 0.02 0.19 0.17',
    },
  ],
  [
    'exempt, not subject, reverse charge and zero rate are apart and have no tax',
    [
      { price: '10', vat: null, qualification: null, exemption_reason: 'E1' },
      { price: '20', vat: null, qualification: 'N2' },
      { price: '30', vat: '0', qualification: 'S2' },
      { price: '40', vat: '0' },
      { price: '1', vat: null, qualification: null, exemption_reason: 'E1', surcharge: '5.2' },
    ],
    {
      lines: [
        '10.00 0.00 0.00 0.00 10.00',
        '20.00 0.00 0.00 0.00 20.00',
        '30.00 0.00 0.00 0.00 30.00',
        '40.00 0.00 0.00 0.00 40.00',
        '1.00 0.00 0.00 0.00 1.00',
      ],
      rows: ['11.00 0.00 0.00', '20.00 0.00 0.00', '30.00 0.00 0.00', '40.00 0.00 0.00'],
      totals: '101.00 0.00 0.00 0.00 0.00 101.00 101.00',
    },
  ],
  [
    'tax kind and regime key make rows',
    [
      { price: '10', vat: '7', tax_kind: 'igic' },
      { price: '10', vat: '7', tax_kind: 'other' },
      { price: '10', vat: '7', tax_kind: 'igic', regime_key: '07' },
    ],
    {
      lines: ['10.00 0.70 0.00 0.00 10.70', '10.00 0.70 0.00 0.00 10.70', '10.00 0.70 0.00 0.00 10.70'],
      rows: ['10.00 0.70 0.00', '10.00 0.70 0.00', '10.00 0.70 0.00'],
      totals: '30.00 0.00 2.10 0.00 0.00 32.10 32.10',
    },
  ],
];

const withTax: Case[] = [
  [
    'the gross is split',
    [{ price: '10' }],
    {
      lines: ['8.26 1.74 0.00 0.00 10.00'],
      rows: ['8.26 1.74 0.00'],
      totals: '8.26 0.00 1.74 0.00 0.00 10.00 10.00',
    },
  ],
  [
    'the gross of the row is split, and its lines share the base',
    [{ price: '10' }, { price: '10' }],
    {
      lines: ['8.27 1.73 0.00 0.00 10.00', '8.26 1.74 0.00 0.00 10.00'],
      rows: ['16.53 3.47 0.00'],
      totals: '16.53 0.00 3.47 0.00 0.00 20.00 20.00',
    },
  ],
  [
    'a total that no base with tax on top could give is kept',
    [{ price: '0.03' }, { price: '9.99', vat: '10' }, { price: '5', vat: null, qualification: 'N1' }],
    {
      lines: ['0.02 0.01 0.00 0.00 0.03', '9.08 0.91 0.00 0.00 9.99', '5.00 0.00 0.00 0.00 5.00'],
      rows: ['0.02 0.01 0.00', '9.08 0.91 0.00', '5.00 0.00 0.00'],
      totals: '14.10 0.00 0.92 0.00 0.00 15.02 15.02',
    },
  ],
  [
    'the discount is told on the base',
    [{ price: '121', discount: '10' }],
    {
      lines: ['90.00 18.90 0.00 0.00 108.90'],
      rows: ['90.00 18.90 0.00'],
      totals: '90.00 10.00 18.90 0.00 0.00 108.90 108.90',
    },
  ],
  [
    'retention and surcharge are on the base (and are refused elsewhere)',
    [{ price: '121', surcharge: '5.2', retention: '15' }],
    {
      lines: ['100.00 21.00 5.20 15.00 126.20'],
      rows: ['100.00 21.00 5.20'],
      totals: '100.00 0.00 21.00 5.20 15.00 126.20 111.20',
    },
  ],
];

for (const [name, lines, expected] of withoutTax) {
  test(`totals, prices without tax: ${name}`, () => assert.deepEqual(show(lines, false), expected));
}
for (const [name, lines, expected] of withTax) {
  test(`totals, prices with tax: ${name}`, () => assert.deepEqual(show(lines, true), expected));
}

test('a row names its group, and a rate written with other decimals is the same rate', () => {
  const first = line({ price: '1', surcharge: '5.2' });
  const second = { ...first, tax_rate: exact('21', 4), surcharge_rate: exact('5.2', 1) };
  const { tax_breakdown } = computeTotals([first, second], { prices_include_tax: false });
  assert.deepEqual(tax_breakdown, [
    {
      tax_kind: 'vat',
      regime_key: '01',
      qualification: 'S1',
      exemption_reason: null,
      tax_rate: exact('21', 2),
      surcharge_rate: exact('5.2', 2),
      base: 200n,
      tax: 42n,
      surcharge: 10n,
    },
  ]);
});
