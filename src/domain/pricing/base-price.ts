/** What one unit costs, as it is sold. All is exact until it is rounded, once. */
import { type Amount, type AmountLimits, powerOfTen, roundDiv } from '../money/amount.ts';
import { storedToAmount } from '../money/printed.ts';

/** Prices are exact texts. */
export type PricedParts = {
  product: { unit_price: string };
  variant: { unit_price: string | null } | null;
  presentation: { factor: string; unit_price: string | null } | null;
  options: readonly { price_delta: string }[];
};

const price_decimals = 8;
/** The most digits of a price on the wire, so that a client can send back what it read. */
const price_digits = 15;

/** What is kept was held to the limits of the wire when it was written. */
const keptLimits: AmountLimits = { decimals: price_decimals, integer_digits: Number.POSITIVE_INFINITY };

/** A price or a factor. @throws Error for a text that is none */
export function keptPrice(text: string): Amount {
  return storedToAmount(text, keptLimits);
}

/** Rounds half away from zero, to eight decimals or to as many as 15 digits leave. */
export function roundPrice({ units, scale }: Amount): Amount {
  return roundQuotient(units, powerOfTen(scale));
}

/** Decimals that fit after the integer part of n / d. */
function decimalsOf(n: bigint, d: bigint): number {
  if (n < d * powerOfTen(price_digits - price_decimals)) return price_decimals;
  return Math.max(0, price_digits - (n / d).toString().length);
}

/** The price n / d, rounded like all prices. */
export function roundQuotient(n: bigint, d: bigint): Amount {
  const decimals = decimalsOf(n < 0n ? -n : n, d);
  const rounded = roundDiv(n * powerOfTen(decimals), d);
  return { units: rounded * powerOfTen(price_decimals - decimals), scale: price_decimals };
}

/**
 * The price of `factor` base units and what the options add, not rounded.
 * @param factor null: the price is of what is sold
 */
function exactPrice(price: string, factor: string | null, options: PricedParts['options']): Amount {
  const { units, scale } = keptPrice(price);
  const times = factor === null ? { units: 1n, scale: 0 } : keptPrice(factor);
  const deltas = options.reduce((sum, { price_delta }) => sum + keptPrice(price_delta).units, 0n);
  return {
    units: units * times.units + deltas * powerOfTen(scale + times.scale - price_decimals),
    scale: scale + times.scale,
  };
}

/** Without a price list, and not rounded. */
export function exactBasePrice({ product, variant, presentation, options }: PricedParts): Amount {
  const own = presentation?.unit_price ?? null;
  if (own !== null) return exactPrice(own, null, options);
  return exactPrice(variant?.unit_price ?? product.unit_price, presentation?.factor ?? null, options);
}

/** Without a price list. */
export function basePrice(parts: PricedParts): Amount {
  return roundPrice(exactBasePrice(parts));
}

/** Whether a line can hold it: 12 digits before the point. */
export function fitsLine({ units, scale }: Amount): boolean {
  return (units < 0n ? -units : units) < powerOfTen(12 + scale);
}
