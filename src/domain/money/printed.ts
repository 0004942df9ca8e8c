/** Numbers as PostgreSQL prints them (`12.50`, `2.000000`) and as JSON carries them. */
import { type DecimalInput, ExactNumber } from '../../kernel/json.ts';

export function trimZeros(text: string): string {
  if (!text.includes('.')) return text;
  let end = text.length;
  while (text.charCodeAt(end - 1) === 48) end--;
  return text.slice(0, text.charCodeAt(end - 1) === 46 ? end - 1 : end);
}

/** A numeric of the database as JSON: a number where a double holds it, else its exact text. */
export function printedToJson(text: string): DecimalInput {
  const trimmed = trimZeros(text);
  return trimmed.length <= 15 ? Number(trimmed) : new ExactNumber(trimmed);
}

export function nullableToJson(text: string | null): DecimalInput | null {
  return text === null ? null : printedToJson(text);
}

/** A numeric(16,2) of the database in cents. */
export function printedToCents(text: string): bigint {
  return BigInt(text.replace('.', ''));
}
