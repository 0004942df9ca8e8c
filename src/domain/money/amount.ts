/**
 * Half a cent rounds away from zero, for both signs. No amount passes through a double that cannot hold it.
 */
import { powerOfTen, readDecimal, unitsOf } from '../../kernel/decimal.ts';
import { type DecimalInput, ExactNumber, numberText } from '../../kernel/json.ts';

export { powerOfTen };

/** The decimal `units / 10^scale`. */
export type Amount = { readonly units: bigint; readonly scale: number };

export type Cents = bigint;

export type AmountLimits = {
  /** Limit of decimals without final zeros. The result has this scale. */
  readonly decimals: number;
  readonly integer_digits?: number;
  /** Counted from the first to the last digit that is not zero. */
  readonly significant_digits?: number;
  /** Whether zeros may precede the integer: `007`. JSON has none, but the address of a call may. */
  readonly leading_zeros?: boolean;
};

/** Limits of fields on the wire. A `money` amount has scale 2, so its units are cents. */
export const amountLimits = {
  money: { decimals: 2 },
  quantity: { decimals: 6 },
  unit_price: { decimals: 8, significant_digits: 15 },
  /** A rate of tax, surcharge or retention (Tipo2.2Type of the authority's schema). */
  rate: { decimals: 2, integer_digits: 3 },
  discount_percent: { decimals: 4, integer_digits: 3 },
} as const satisfies Record<string, AmountLimits>;

const integer_digits_default = 12;
const needlessZeros = /^(-?)0+(?=\d)/;

/**
 * Reads the text of a JSON number, exponent included, at scale `limits.decimals`.
 * @returns undefined for no number or one beyond the limits
 */
export function parseAmount(text: string, limits: AmountLimits): Amount | undefined {
  const read = readDecimal(limits.leading_zeros === true ? text.replace(needlessZeros, '$1') : text);
  if (!read) return undefined;
  const { digits, point } = read;
  const { decimals: scale } = limits;
  if (point > (limits.integer_digits ?? integer_digits_default)) return undefined;
  if (digits.length - point > scale) return undefined;
  if (limits.significant_digits !== undefined && digits.length > limits.significant_digits) return undefined;
  return { units: unitsOf(read, scale), scale };
}

export function readAmount(value: DecimalInput, limits: AmountLimits): Amount | undefined {
  if (typeof value === 'number' && isPlainInteger(value, limits))
    return { units: BigInt(value) * powerOfTen(limits.decimals), scale: limits.decimals };
  return parseAmount(numberText(value), limits);
}

/** Whether it is an integer within all limits. Most numbers are, and reading their text costs more. */
function isPlainInteger(
  value: number,
  { integer_digits = integer_digits_default, significant_digits = integer_digits }: AmountLimits,
): boolean {
  const size = Math.abs(value);
  return Number.isInteger(value) && size < 1e12 && size < 10 ** Math.min(integer_digits, significant_digits);
}

/** All decimals of the scale: 1230n at scale 2 is "12.30". */
export function fixedText(units: bigint, scale: number): string {
  if (scale === 0) return units.toString();
  const negative = units < 0n;
  const digits = (negative ? -units : units).toString().padStart(scale + 1, '0');
  const point = digits.length - scale;
  return `${negative ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** The shortest decimal text: one for each value. */
export function amountText(amount: Amount): string {
  const text = fixedText(amount.units, amount.scale);
  if (amount.scale === 0) return text;
  let end = text.length;
  while (text.charCodeAt(end - 1) === 48) end--;
  return text.slice(0, text.charCodeAt(end - 1) === 46 ? end - 1 : end);
}

/** Exact: a sum has at most 14 digits; a double holds 15. */
export function centsToNumber(cents: Cents): number {
  return Number(cents) / 100;
}

const fewDigits = powerOfTen(15);

/** A number up to 15 significant digits, else text. */
export function amountToJson(amount: Amount): DecimalInput {
  const { units, scale } = amount;
  // Both are exact as doubles, so their quotient is the double nearest to the amount, as its text would give.
  if (units < fewDigits && units > -fewDigits && scale <= 22)
    return Number(units) / Number(powerOfTen(scale));
  const text = amountText(amount);
  const exact = text.length <= 15 || significantDigits(text) <= 15;
  return exact ? Number(text) : new ExactNumber(text);
}

function significantDigits(canonical: string): number {
  const digits = canonical.replace(/[-.]/g, '');
  let first = 0;
  while (digits.charCodeAt(first) === 48) first++;
  let end = digits.length;
  while (end > first && digits.charCodeAt(end - 1) === 48) end--;
  return end - first;
}

export function sameAmount(a: Amount, b: Amount): boolean {
  if (a.scale === b.scale) return a.units === b.units;
  return a.units * powerOfTen(b.scale) === b.units * powerOfTen(a.scale);
}

/** n / d to the nearest integer, half away from zero. @throws RangeError when d is 0 */
export function roundDiv(n: bigint, d: bigint): bigint {
  if (d < 0n) return roundDiv(-n, -d);
  const half = d >> 1n;
  return (n < 0n ? n - half : n + half) / d;
}

/** Rounded once to the cent. */
export function roundLine(quantity: Amount, unit_price: Amount, discount_percent: Amount | null): Cents {
  const gross = quantity.units * unit_price.units;
  const scale = quantity.scale + unit_price.scale;
  if (discount_percent === null || discount_percent.units === 0n) return toCents(gross, scale);
  const hundred = powerOfTen(discount_percent.scale + 2);
  return toCents(gross * (hundred - discount_percent.units), scale + discount_percent.scale + 2);
}

function toCents(units: bigint, scale: number): Cents {
  return scale < 2 ? units * powerOfTen(2 - scale) : roundDiv(units, powerOfTen(scale - 2));
}

/** `rate` percent of a group's base, rounded once to the cent. */
export function roundTotal(base: Cents, rate: Amount): Cents {
  return roundDiv(base * rate.units, powerOfTen(rate.scale + 2));
}
