/** Amounts of an invoice in euros: what its record and its paper say of one in another currency (RD 1619/2012, art. 12). */
import { parseAmount, powerOfTen, roundDiv } from '../money/amount.ts';
import { printedToCents, trimZeros } from '../money/printed.ts';

/** From a stored amount to cents of euro, rounded half away from zero. */
export type ToEuros = (amount: string) => bigint;

/** @param exchange_rate euros for one unit of the currency, as it is stored; null for euros */
export function euros(exchange_rate: string | null): ToEuros {
  if (exchange_rate === null) return printedToCents;
  const rate = parseAmount(trimZeros(exchange_rate), { decimals: 8 });
  if (!rate) throw new Error('A stored exchange rate cannot be read.');
  return (amount) => roundDiv(printedToCents(amount) * rate.units, powerOfTen(rate.scale));
}
