/** Reads the text of a decimal number. The only such reader: limits and amounts are worked out from what it gives. */

/**
 * Value: 0.`digits` × 10^`point`. `digits` has no zeros at either end, and is empty for zero. So `point` counts the integer
 * digits, and `digits.length - point` the decimals, where they are above zero.
 */
export type DecimalParts = { is_negative: boolean; digits: string; point: number; exponent: number };

const jsonNumber = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * Reads the text of a JSON number. The work is linear in the text: an exponent is told and never carried out.
 * @returns undefined for a text that is no number
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

/** The value in units of 10^-scale, which must hold all its decimals. */
export function unitsOf({ is_negative, digits, point }: DecimalParts, scale: number): bigint {
  if (digits === '') return 0n;
  const units = BigInt(digits) * 10n ** BigInt(scale - (digits.length - point));
  return is_negative ? -units : units;
}
