/** Numbers as PostgreSQL prints them (`12.50`, `2.000000`). */
import { type DecimalInput, ExactNumber } from '../../kernel/json.ts';
import { type Amount, type AmountLimits, parseAmount } from './amount.ts';

export function trimZeros(text: string): string {
  if (!text.includes('.')) return text;
  let end = text.length;
  while (text.charCodeAt(end - 1) === 48) end--;
  return text.slice(0, text.charCodeAt(end - 1) === 46 ? end - 1 : end);
}

/** A number where a double holds it, else the exact text. */
export function printedToJson(text: string): DecimalInput {
  const trimmed = trimZeros(text);
  return trimmed.length <= 15 ? Number(trimmed) : new ExactNumber(trimmed);
}

export function nullableToJson(text: string | null): DecimalInput | null {
  return text === null ? null : printedToJson(text);
}

/** Takes a numeric of that scale, whose decimals are all printed. */
export function printedToAmount(text: string, scale: number): Amount {
  return { units: BigInt(text.replace('.', '')), scale };
}

/**
 * Takes a number as it is stored.
 * @throws Error for none, or one beyond the limits that it was written under
 */
export function storedToAmount(text: string, limits: AmountLimits): Amount {
  const amount = parseAmount(text, limits);
  if (!amount) throw new Error(`A stored number cannot be read: ${text}`);
  return amount;
}

/** Takes a numeric(16,2). */
export function printedToCents(text: string): bigint {
  return printedToAmount(text, 2).units;
}
