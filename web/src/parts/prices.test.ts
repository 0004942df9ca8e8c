import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatPrice } from './prices.ts';

const cases: [price: number, es: string, en: string][] = [
  [123456.789, '123.456,789 €', '€123,456.789'],
  [1234.5, '1.234,50 €', '€1,234.50'],
  [0.0004, '0,0004 €', '€0.0004'],
  [100, '100,00 €', '€100.00'],
  [-2.5, '-2,50 €', '-€2.50'],
];

for (const [price, es, en] of cases) {
  test(`a price of ${price} is ${es} in Spanish and ${en} in English`, () => {
    assert.equal(formatPrice(price, 'es', 'EUR').replace(/\s/g, ' '), es);
    assert.equal(formatPrice(price, 'en', 'EUR'), en);
  });
}
