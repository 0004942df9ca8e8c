import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAmount } from '../money/amount.ts';
import { defaultTaxes, surchargePairFits, type TaxKind, taxRateFits } from './spanish-taxes.ts';

function rate(text: string | null) {
  if (text === null) return null;
  const amount = parseAmount(text, { decimals: 2 });
  assert.ok(amount, text);
  return amount;
}

// kind, rate, surcharge, day, whether the authority admits the pair (codes 1160-1170)
const pairCases: [TaxKind, string | null, string | null, string, boolean][] = [
  ['vat', '21', '5.2', '2026-06-01', true],
  ['vat', '21', '1.75', '2026-06-01', true],
  ['vat', '21', '1.4', '2026-06-01', false],
  ['vat', '21', null, '2026-06-01', true],
  ['vat', '21', '0', '2026-06-01', true],
  ['vat', '10', '1.4', '2026-06-01', true],
  ['vat', '10', '5.2', '2026-06-01', false],
  ['vat', '4', '0.5', '2026-06-01', true],
  ['vat', '4', '0.62', '2026-06-01', false],
  ['vat', '5', '0.5', '2022-06-30', false],
  ['vat', '5', '0.5', '2022-07-01', true],
  ['vat', '5', '0.5', '2022-12-31', true],
  ['vat', '5', '0.5', '2023-01-01', false],
  ['vat', '5', '0.62', '2022-12-31', false],
  ['vat', '5', '0.62', '2023-01-01', true],
  ['vat', '5', '0.62', '2024-09-30', true],
  ['vat', '5', '0.62', '2024-10-01', false],
  ['vat', '7.5', '1', '2024-09-30', false],
  ['vat', '7.5', '1', '2024-10-01', true],
  ['vat', '7.5', '1', '2024-12-31', true],
  ['vat', '7.5', '1', '2025-01-01', false],
  ['vat', '2', '0.26', '2024-12-31', true],
  ['vat', '2', '0.26', '2025-01-01', false],
  ['vat', '0', '0.26', '2024-09-30', false],
  ['vat', '0', '0.26', '2024-10-01', true],
  ['vat', null, '5.2', '2026-06-01', false],
  ['vat', null, null, '2026-06-01', true],
  ['igic', '7', null, '2026-06-01', true],
  ['igic', '21', '5.2', '2026-06-01', false],
  ['ipsi', '10', '1.4', '2026-06-01', false],
  ['other', '21', '5.2', '2026-06-01', false],
];
for (const [kind, tax, surcharge, day, expected] of pairCases) {
  test(`${kind} ${tax} with surcharge ${surcharge} on ${day}: ${expected}`, () => {
    assert.equal(surchargePairFits(kind, rate(tax), rate(surcharge), day), expected);
  });
}

const rateCases: [TaxKind, string, string, boolean][] = [
  ['vat', '21', '2026-06-01', true],
  ['vat', '10', '2026-06-01', true],
  ['vat', '4', '2026-06-01', true],
  ['vat', '0', '2026-06-01', true],
  ['vat', '18', '2026-06-01', false],
  ['vat', '21.01', '2026-06-01', false],
  ['vat', '5', '2022-06-30', false],
  ['vat', '5', '2022-07-01', true],
  ['vat', '5', '2024-09-30', true],
  ['vat', '5', '2024-10-01', false],
  ['vat', '7.5', '2024-10-01', true],
  ['vat', '7.5', '2025-01-01', false],
  ['vat', '2', '2024-12-31', true],
  ['vat', '2', '2025-01-01', false],
  ['igic', '9.5', '2026-06-01', true],
  ['ipsi', '0.5', '2026-06-01', true],
];
for (const [kind, tax, day, expected] of rateCases) {
  test(`${kind} ${tax} on ${day}: ${expected}`, () => {
    const amount = rate(tax);
    assert.ok(amount);
    assert.equal(taxRateFits(kind, amount, day), expected);
  });
}

test('a new company gets VAT, the exempt causes and retentions', () => {
  const short = defaultTaxes.map(
    (t) => `${t.kind} ${t.rate ?? t.exemption_reason} ${t.surcharge_rate ?? '-'}`,
  );
  assert.deepEqual(short, [
    'vat 21 5.2',
    'vat 10 1.4',
    'vat 4 0.5',
    'vat 0 -',
    'vat E1 -',
    'vat E2 -',
    'vat E3 -',
    'vat E4 -',
    'vat E5 -',
    'vat E6 -',
    'retention 15 -',
    'retention 7 -',
    'retention 19 -',
  ]);
  assert.equal(new Set(defaultTaxes.map((t) => t.name)).size, defaultTaxes.length);
});

test('every default VAT and its surcharge may be used today', () => {
  for (const tax of defaultTaxes) {
    const amount = rate(tax.rate);
    if (tax.kind === 'retention' || amount === null) continue;
    assert.ok(taxRateFits(tax.kind, amount, '2026-11-01'), tax.name);
    assert.ok(surchargePairFits(tax.kind, amount, rate(tax.surcharge_rate), '2026-11-01'), tax.name);
  }
});
