import assert from 'node:assert/strict';
import { test } from 'node:test';
import { euros } from './currency.ts';
import { euroRows } from './euro-rows.ts';
import type { LineDetails } from './rows.ts';

const keys = {
  tax_kind: 'vat',
  regime_key: '01',
  qualification: 'S1',
  exemption_reason: null,
  tax_rate: '21',
  surcharge_rate: null,
};
const row = (base: string, tax: string, more = {}) => ({
  ...{ document_id: 'a', position: 0, ...keys, base, tax, surcharge: '0.00' },
  ...more,
});
const line = (subtotal: string, taxes: string, total: string, details: LineDetails | null, more = {}) => ({
  ...{ ...keys, subtotal, taxes, total, details },
  ...more,
});
const marked = (rounded_with: string): LineDetails => ({ rounded_with, is_rounded_in_euros: true });
type Given = Parameters<typeof euroRows>;
const at = (rate: string, rows: Given[0], lines: Given[1]) =>
  euroRows(rows, lines, euros(rate)).map(({ base, tax, surcharge }) => [base, tax, surcharge].map(Number));

test('given lines that are rounded with others, when a row is converted, then its euros are the sum of what each gives', () => {
  const lines = [
    line('10.03', '2.11', '12.14', marked('1')),
    line('10.03', '2.11', '12.14', marked('2')),
    line('10.03', '0.00', '10.03', marked('2'), { tax_rate: '0' }),
  ];
  const rows = [row('20.06', '4.22'), row('10.03', '0.00', { tax_rate: '0' })];
  assert.deepEqual(at('0.9', rows, lines), [
    [1806, 380, 0],
    [903, 0, 0],
  ]);
});

test('given lines of before or without a mark, when a row is converted, then all that has none is converted at once', () => {
  const old = [
    line('10.03', '2.11', '12.14', { rounded_with: '1' }),
    line('10.03', '2.11', '12.14', { rounded_with: '2' }),
  ];
  assert.deepEqual(at('0.9', [row('20.06', '4.22')], old), [[1805, 380, 0]]);
  assert.deepEqual(at('0.9', [row('20.06', '4.22')], []), [[1805, 380, 0]]);
  const some = [line('10.03', '2.11', '12.14', marked('1'))];
  assert.deepEqual(at('0.9', [row('30.09', '6.33')], some), [[2708, 570, 0]]);
});

test('given parts whose euros would have a tax without the sign of its base, when converted, then the row is converted at once', () => {
  const lines = [
    line('0.10', '0.02', '0.12', marked('1')),
    line('-0.04', '-0.01', '-0.05', marked('2')),
    line('-0.04', '-0.01', '-0.05', marked('3')),
  ];
  // 0.01, -0.01 and -0.01 of tax, on 0.05, -0.02 and -0.02.
  assert.deepEqual(at('0.5', [row('0.02', '0.00')], lines), [[1, 0, 0]]);
});
