import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAmount } from '../money/amount.ts';
import { computeTotals, type TotalsLine } from './totals.ts';
import { amountsOverflow, reconciliationFault } from './totals-checks.ts';

function exact(text: string, decimals = 2) {
  const amount = parseAmount(text, { decimals });
  assert.ok(amount, text);
  return amount;
}

type Rates = { surcharge?: string; retention?: string; vat?: string; discount?: string; quantity?: string };

function line(
  price: string,
  { surcharge, retention, vat, discount, quantity = '1' }: Rates = {},
): TotalsLine {
  return {
    quantity: exact(quantity, 6),
    unit_price: exact(price, 8),
    discount_percent: discount ? exact(discount) : null,
    tax_kind: 'vat',
    tax_rate: exact(vat ?? '0'),
    surcharge_rate: surcharge ? exact(surcharge) : null,
    retention_rate: retention ? exact(retention) : null,
    qualification: 'S1',
    exemption_reason: null,
    regime_key: '01',
  };
}

const largest = '999999999999.99';
const overflows: [name: string, lines: TotalsLine[], expected: ReturnType<typeof amountsOverflow>][] = [
  ['the largest amount', [line(largest)], undefined],
  ['the largest negative amount', [line(largest, { quantity: '-1' })], undefined],
  ['a line over it', [line('1'), line(largest, { quantity: '2' })], { field: 'lines', line_index: 1 }],
  ['a negative line over it', [line(largest, { quantity: '-2' })], { field: 'lines', line_index: 0 }],
  ['a line over it with its tax', [line(largest, { vat: '21' })], { field: 'lines', line_index: 0 }],
  ['a row over it', [line(largest), line('0.01')], { field: 'tax_breakdown', line_index: null }],
  ['a sum over it', [line(largest), line('0.01', { vat: '4' })], { field: 'total', line_index: null }],
  [
    'rows over it that cancel out',
    [line(largest), line('1'), { ...line(largest, { quantity: '-1' }), regime_key: '07' }],
    { field: 'tax_breakdown', line_index: null },
  ],
  [
    'a discount over it',
    [line(largest, { discount: '100' }), line('0.01', { discount: '100' })],
    { field: 'discount_total', line_index: null },
  ],
];
for (const [name, lines, expected] of overflows) {
  test(`overflow: ${name}`, () => {
    assert.deepEqual(amountsOverflow(computeTotals(lines, { prices_include_tax: false })), expected);
  });
}

test('overflow: tax and surcharge fit apart but not in the one amount of the record', () => {
  const totals = computeTotals([line('1')], { prices_include_tax: false });
  const half = 6n * 10n ** 13n;
  const crowded = { ...totals, taxes_total: half, surcharge_total: half };
  assert.deepEqual(amountsOverflow(crowded), { field: 'taxes_total', line_index: null });
});

const fault = (line_index: number, field: 'surcharge_rate' | 'retention_rate') => ({
  error: 'amount_reconciliation_failed',
  line_index,
  field,
});
const faults: [name: string, lines: TotalsLine[], expected: ReturnType<typeof fault> | undefined][] = [
  ['neither surcharge nor retention', [line('10', { vat: '21' })], undefined],
  ['rates of 0', [line('10', { vat: '21', surcharge: '0', retention: '0' })], undefined],
  [
    'a retention',
    [line('10'), line('10', { retention: '15' }), line('10', { retention: '7' })],
    fault(1, 'retention_rate'),
  ],
  [
    'a surcharge',
    [line('10'), line('5'), line('10', { vat: '21', surcharge: '5.2' })],
    fault(2, 'surcharge_rate'),
  ],
  [
    'both on one line',
    [line('10', { vat: '21', surcharge: '5.2', retention: '15' })],
    fault(0, 'surcharge_rate'),
  ],
  ['a retention that rounds to 0.00', [line('0.02', { retention: '15' })], undefined],
  [
    'retentions that add up to a cent',
    [line('0.02', { retention: '15' }), line('0.02', { retention: '15' })],
    fault(0, 'retention_rate'),
  ],
  [
    'retentions that cancel out, and a surcharge',
    [
      line('10', { retention: '15' }),
      line('10', { retention: '15', quantity: '-1' }),
      line('10', { vat: '21', surcharge: '5.2' }),
    ],
    fault(2, 'surcharge_rate'),
  ],
  [
    'retentions that cancel out',
    [line('10', { retention: '15' }), line('-10', { retention: '15' })],
    undefined,
  ],
];
for (const [name, lines, expected] of faults) {
  test(`reconciliation with tax included: ${name}`, () => {
    const options = { prices_include_tax: true };
    assert.deepEqual(reconciliationFault(computeTotals(lines, options), options), expected);
  });
}

test('reconciliation: prices without tax have nothing to reconcile', () => {
  const options = { prices_include_tax: false };
  const totals = computeTotals([line('10', { retention: '15' })], options);
  assert.equal(reconciliationFault(totals, options), undefined);
});
