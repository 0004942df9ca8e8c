/** What a pack costs, and how its price is shared among its components: they may be taxed differently (LIVA, art. 79.Dos). */
import {
  type Amount,
  amountLimits,
  amountText,
  type Cents,
  parseAmount,
  powerOfTen,
  roundDiv,
  roundLine,
} from '../money/amount.ts';
import { apportion } from '../money/apportion.ts';
import { roundPrice } from './base-price.ts';
import type { Fraction } from './list-price.ts';

/** One component: its own price, and how many of it a pack holds. */
export type PackPart = { unit_price: Amount; quantity: Amount };

const times = (a: Amount, b: Amount): Amount => ({ units: a.units * b.units, scale: a.scale + b.scale });

function scaledTo(amount: Amount, scale: number): bigint {
  return amount.units * powerOfTen(scale - amount.scale);
}

function sumOf(amounts: readonly Amount[]): Amount {
  const scale = Math.max(0, ...amounts.map((one) => one.scale));
  return { units: amounts.reduce((sum, one) => sum + scaledTo(one, scale), 0n), scale };
}

/** What its components cost apart, less its discount, rounded once. */
export function sumPrice(parts: readonly PackPart[], discount: Amount | null): Amount {
  const sum = sumOf(parts.map(({ unit_price, quantity }) => times(unit_price, quantity)));
  if (discount === null) return roundPrice(sum);
  const hundred = powerOfTen(discount.scale + 2);
  return roundPrice({
    units: sum.units * (hundred - discount.units),
    scale: sum.scale + discount.scale + 2,
  });
}

/** How many of a component are sold with so many packs. */
export function ofPacks(packs: Amount, quantity: string): Amount {
  return times(packs, exactAmount(quantity, 6));
}

/** The product of two amounts, with six decimals; undefined when it has more. */
export function exactQuantity(a: Amount, b: Amount): Amount | undefined {
  const { units, scale } = times(a, b);
  if (scale <= 6) return { units: units * powerOfTen(6 - scale), scale: 6 };
  const excess = powerOfTen(scale - 6);
  return units % excess === 0n ? { units: units / excess, scale: 6 } : undefined;
}

/**
 * Prices at which the lines of the components add up to the price of the pack, to the cent. Each gets its share by its
 * own price, by largest remainder.
 * @param lines quantities of the lines, already those of all packs
 * @returns undefined where no price of eight decimals gives a line its share
 */
export function sharedPrices(
  parts: readonly PackPart[],
  lines: readonly Amount[],
  pack: { quantity: Amount; unit_price: Amount; discount: Amount | null },
): Amount[] | undefined {
  const total: Cents = roundLine(pack.quantity, pack.unit_price, pack.discount);
  const { weights, sum } = weightsOf(parts);
  const shares = apportion(weights, total, sum, total);
  const prices = parts.map(({ unit_price }, at) =>
    priceOfShare(shares[at] ?? 0n, lines[at]!, pack.discount, unit_price),
  );
  const keeps = prices.every((price, at) => roundLine(lines[at]!, price, pack.discount) === shares[at]);
  return keeps ? prices : undefined;
}

/** The components' worth in proportion to each other. */
function weightsOf(parts: readonly PackPart[]): { weights: bigint[]; sum: bigint } {
  const amounts = parts.map(({ unit_price, quantity }) => times(unit_price, quantity));
  const scale = Math.max(...amounts.map((one) => one.scale));
  const weights = amounts.map((one) => scaledTo(one, scale));
  const sum = weights.reduce((all, one) => all + one, 0n);
  // Free things have no proportion, so all count the same.
  const is_usable = sum > 0n && weights.every((one) => one >= 0n);
  return is_usable ? { weights, sum } : { weights: parts.map(() => 1n), sum: BigInt(parts.length) };
}

/**
 * The one rate at which the shares of a price are taxed together, in percent.
 * @param parts with their prices as the document says them, and their rates in percent; null for none
 */
export function blendedRate(
  parts: readonly (PackPart & { rate: Amount | null })[],
  prices_include_tax: boolean,
): Fraction {
  const { weights, sum } = weightsOf(parts);
  const by_rate = new Map<bigint, bigint>();
  for (const [at, { rate }] of parts.entries()) {
    // In ten thousandths of the price.
    const percent = rate ? rate.units * powerOfTen(2 - rate.scale) : 0n;
    by_rate.set(percent, (by_rate.get(percent) ?? 0n) + weights[at]!);
  }
  const whole = powerOfTen(4);
  if (!prices_include_tax) {
    const taxes = [...by_rate].reduce((all, [percent, weight]) => all + weight * percent, 0n);
    return { n: taxes, d: sum * powerOfTen(2) };
  }
  // The net of each rate's share, over one denominator.
  const d = [...by_rate.keys()].reduce((all, percent) => all * (whole + percent), 1n);
  const net = [...by_rate].reduce(
    (all, [percent, weight]) => all + (weight * whole * d) / (whole + percent),
    0n,
  );
  return { n: 100n * (sum * d - net), d: net };
}

/** The next quantity of packs with another price: the first at which a component reaches its next step. */
export function nextPacks(
  parts: readonly { quantity: Amount; next: { min_quantity: Amount } | null }[],
): Amount | null {
  let first: Amount | null = null;
  for (const { quantity, next } of parts) {
    if (!next) continue;
    const { units, scale } = next.min_quantity;
    const d = quantity.units * powerOfTen(scale);
    const packs = { units: (units * powerOfTen(quantity.scale + 6) + d - 1n) / d, scale: 6 };
    const is_sooner = first === null || packs.units < first.units;
    if (is_sooner && parseAmount(amountText(packs), amountLimits.quantity)) first = packs;
  }
  return first;
}

/** @param own the component's own price, for a line whose amount no price changes */
function priceOfShare(share: Cents, quantity: Amount, discount: Amount | null, own: Amount): Amount {
  const hundred = powerOfTen((discount?.scale ?? 0) + 2);
  const left = discount === null ? hundred : hundred - discount.units;
  if (quantity.units === 0n || left === 0n) return own;
  // share / 100 = quantity * price * left / hundred
  const n = share * powerOfTen(quantity.scale + 8) * hundred;
  const d = 100n * quantity.units * left;
  return roundPrice({ units: roundDiv(n, d), scale: 8 });
}

export function exactAmount(text: string, decimals: number): Amount {
  const amount = parseAmount(text, { decimals });
  if (!amount) throw new Error(`A number of a pack was kept that is none: ${text}`);
  return amount;
}
