import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currencySign, formatMoney, formatNumber, formatPercent, readAmount } from './money.ts';

const cases: [typed: string, es: string | null, en: string | null][] = [
  ['12', '12', '12'],
  ['12,5', '12.5', '12.5'],
  ['12.5', '12.5', '12.5'],
  ['1.234', '1234', '1.234'],
  ['1,234', '1.234', '1234'],
  ['1.125', '1125', '1.125'],
  ['0.125', '0.125', '0.125'],
  ['0,125', '0.125', '0.125'],
  ['-0.125', '-0.125', '-0.125'],
  ['.125', '0.125', '0.125'],
  ['012.345', '012.345', '012.345'],
  ['1.234,56', '1234.56', '1234.56'],
  ['1,234.56', '1234.56', '1234.56'],
  ['1.234.567', '1234567', '1234567'],
  ['1.234.567,8', '1234567.8', '1234567.8'],
  ['-3,20', '-3.20', '-3.20'],
  ['−3,20 €', '-3.20', '-3.20'],
  [' 1 234,50 ', '1234.50', '1234.50'],
  ['1\u202f234\u00a0567,5 €', '1234567.5', '1234567.5'],
  ['- 12 345', '-12345', '-12345'],
  ['€ 5', '5', '5'],
  // Two cells of a sheet, or two numbers: neither is meant.
  ['12,50\t100', null, null],
  ['10\t200', null, null],
  ['12 5', null, null],
  ['100 21 000', null, null],
  ['0,5 5', null, null],
  ['1 234.567,8', null, null],
  [',5', '0.5', '0.5'],
  ['5,', '5', '5'],
  ['1234,5678', '1234.5678', '1234.5678'],
  ['', null, null],
  ['-', null, null],
  ['abc', null, null],
  ['1e5', null, null],
  ['1.23.456', null, null],
  ['0.125.000', null, null],
  ['0.125,5', null, null],
  ['0,125.5', null, null],
  ['1,2,3', null, null],
  ['1.234,56,7', null, null],
  ['12.34,5', null, null],
  ['1'.repeat(41), null, null],
];

for (const [typed, es, en] of cases) {
  test(`typed "${typed}" is ${es} in Spanish and ${en} in English`, () => {
    assert.equal(readAmount(typed, 'es'), es);
    assert.equal(readAmount(typed, 'en'), en);
  });
}

const shown: [amount: number, es: string, en: string][] = [
  [999.5, '999,50 €', '€999.50'],
  [1000, '1.000,00 €', '€1,000.00'],
  [-2420, '-2.420,00 €', '-€2,420.00'],
  [1234567.8, '1.234.567,80 €', '€1,234,567.80'],
];

for (const [amount, es, en] of shown) {
  test(`an amount of ${amount} is grouped as on paper: ${es} in Spanish and ${en} in English`, () => {
    assert.equal(formatMoney(amount, 'es').replace(/\s/g, ' '), es);
    assert.equal(formatMoney(amount, 'en'), en);
  });
}

test('a number in a field is read as what it was', () => {
  for (const language of ['es', 'en'] as const)
    for (const value of [0.125, 1.125, 999, 1000, 1234.5, -6000, 20000, 0.000001])
      assert.equal(Number(readAmount(formatNumber(value, language), language)), value);
  assert.equal(formatNumber(6000, 'es'), '6.000');
});

const rates: [percent: number, es: string, en: string][] = [
  [0, '0 %', '0%'],
  [1.4, '1,4 %', '1.4%'],
  [5.2, '5,2 %', '5.2%'],
  [21, '21 %', '21%'],
];

for (const [percent, es, en] of rates) {
  test(`a rate of ${percent} is ${es} in Spanish and ${en} in English`, () => {
    assert.equal(formatPercent(percent, 'es').replace(/\s/g, ' '), es);
    assert.equal(formatPercent(percent, 'en'), en);
  });
}

test('given a currency, then a field of amounts has its sign', () => {
  assert.equal(currencySign('EUR', 'es'), '€');
  assert.equal(currencySign('GBP', 'en'), '£');
  assert.equal(currencySign('CHF', 'es'), 'CHF');
});
