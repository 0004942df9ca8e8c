/** Reads decimal texts, for limits and amounts. domain/money/printed.ts reads those of a known scale, which takes less. */

/** The value is 0.`digits` × 10^`point`. `digits` has no zeros at either end, and is empty for zero. */
export type DecimalParts = { is_negative: boolean; digits: string; point: number; exponent: number };

/** A number as JSON writes it (RFC 8259, 6): sign, integer, fraction, exponent. */
export const jsonNumber = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * Reads a JSON number in linear time: an exponent is not expanded.
 * @returns undefined for any other text
 */
export function readDecimal(text: string): DecimalParts | undefined {
  const match = jsonNumber.exec(text);
  if (!match) return undefined;
  const [, sign = '', integer = '', fraction = '', exponent_text = '0'] = match;
  const all = integer + fraction;
  const exponent = Number(exponent_text);
  let first = 0;
  while (all.charCodeAt(first) === 48) first++;
  let end = all.length;
  while (end > first && all.charCodeAt(end - 1) === 48) end--;
  const digits = all.slice(first, end);
  const point = digits === '' ? 0 : integer.length + exponent - first;
  return { is_negative: sign === '-', digits, point, exponent };
}

const powers: bigint[] = Array.from({ length: 40 }, (_, exponent) => 10n ** BigInt(exponent));

export function powerOfTen(exponent: number): bigint {
  return powers[exponent] ?? 10n ** BigInt(exponent);
}

/** In units of 10^-scale, which must hold all decimals. */
export function unitsOf({ is_negative, digits, point }: DecimalParts, scale: number): bigint {
  if (digits === '') return 0n;
  const units = BigInt(digits) * powerOfTen(scale - (digits.length - point));
  return is_negative ? -units : units;
}
