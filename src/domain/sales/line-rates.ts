/** Percentages of a line, as sent and as stored. */
import type { DecimalInput } from '../../kernel/json.ts';
import { type Amount, amountLimits, parseAmount, readAmount } from '../money/amount.ts';
import { trimZeros } from '../money/printed.ts';

export function readRate(value: DecimalInput | null | undefined): Amount | null {
  return value === null || value === undefined ? null : (readAmount(value, amountLimits.rate) ?? null);
}

export function rateOf(text: string | null): Amount | null {
  return text === null ? null : (parseAmount(trimZeros(text), amountLimits.rate) ?? null);
}

export const noTax: Amount = { units: 0n, scale: 0 };
