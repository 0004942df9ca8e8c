/** The price of what a line sells: of the price list that holds, else the product's own. Documents and resolve_prices call it. */
import { type Amount, powerOfTen, roundDiv } from '../money/amount.ts';
import { chooseItem, type ItemIndex, isValidOn, itemsFor, type PriceItem } from './choose-item.ts';

export const companyCurrency = 'EUR';

export type PriceList = {
  id: string;
  name: string;
  currency: string;
  prices_include_tax: boolean;
  valid_from: string | null;
  valid_to: string | null;
  is_active: boolean;
};

/** What the document says of its prices, and the day whose prices hold. */
export type PriceTerms = { currency: string; prices_include_tax: boolean; on_date: string };

export type Prices = { terms: PriceTerms; list: PriceList | null; items: ItemIndex };

/** A list that does not hold is left out, and no other takes its place. Its prices are never converted. */
export function listThatHolds(
  list: PriceList | null | undefined,
  { currency, on_date }: PriceTerms,
): PriceList | null {
  return list?.is_active && list.currency === currency && isValidOn(list, on_date) ? list : null;
}

export type Sold = {
  product_id: string;
  variant_id: string | null;
  presentation_id: string | null;
  quantity: Amount;
  /** How many units the presentation holds; 1 without one. */
  factor: Amount;
  /** Of one sold unit, without the deltas: in euros, without tax. */
  own_price: Amount;
  /** Sum of the options' deltas: in euros, without tax. */
  deltas: Amount;
};

export type FoundPrice = {
  unit_price: Amount;
  /** Of a discount item; the price is then the product's own. */
  discount_percent: Amount | null;
  list: PriceList | null;
  item: PriceItem | null;
  next: PriceItem | null;
};

/** `no_price_in_currency`: neither a list nor the product has one. `too_large`: over 12 integer digits. */
export type NoPrice = 'no_price_in_currency' | 'too_large';

type Fraction = { n: bigint; d: bigint };

const fraction = ({ units, scale }: Amount): Fraction => ({ n: units, d: powerOfTen(scale) });
const times = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.n, d: a.d * b.d });
const plus = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d });

const priceDecimals = 8;
const significantDigits = 15;
const integerDigits = 12;

/** Eight decimals, or as many as a price on the wire may have beside its integer digits. */
function roundPrice({ n, d }: Fraction): Amount | 'too_large' {
  for (let decimals = priceDecimals; decimals >= significantDigits - integerDigits; decimals--) {
    const units = roundDiv(n * powerOfTen(decimals), d);
    const digits = (units < 0n ? -units : units).toString();
    if (digits.length <= significantDigits) return atFullScale(units, decimals);
  }
  return 'too_large';
}

function atFullScale(units: bigint, decimals: number): Amount {
  return { units: units * powerOfTen(priceDecimals - decimals), scale: priceDecimals };
}

/** From prices with or without tax to the document's. */
function inTermsOf(
  price: Fraction,
  includes_tax: boolean,
  { prices_include_tax }: PriceTerms,
  rate: Fraction,
) {
  if (includes_tax === prices_include_tax) return price;
  const whole = { n: rate.n + 100n * rate.d, d: 100n * rate.d };
  return prices_include_tax ? times(price, whole) : times(price, { n: whole.d, d: whole.n });
}

/** The product's own, in the document's terms. */
export function ownPrice(
  { own_price, deltas }: Sold,
  terms: PriceTerms,
  rate: Amount | null,
): Amount | NoPrice {
  if (terms.currency !== companyCurrency) return 'no_price_in_currency';
  const percent = fraction(rate ?? { units: 0n, scale: 0 });
  return roundPrice(inTermsOf(plus(fraction(own_price), fraction(deltas)), false, terms, percent));
}

/** An item without presentation is of one unit. Deltas are in euros, so a list of another currency has none. */
export function itemPrice(
  item: PriceItem,
  list: PriceList,
  sold: Sold,
  terms: PriceTerms,
  rate: Amount | null,
): Amount | NoPrice {
  const { unit_price } = item;
  if (unit_price === null) return ownPrice(sold, terms, rate);
  const percent = fraction(rate ?? { units: 0n, scale: 0 });
  const price = fraction(unit_price);
  const whole = item.presentation_id === null ? times(price, fraction(sold.factor)) : price;
  const shown = inTermsOf(whole, list.prices_include_tax, terms, percent);
  if (sold.deltas.units === 0n) return roundPrice(shown);
  if (terms.currency !== companyCurrency) return 'no_price_in_currency';
  return roundPrice(plus(shown, inTermsOf(fraction(sold.deltas), false, terms, percent)));
}

/** @param rateOf of the line's tax, asked only where prices with tax are in play */
export function priceOf(
  sold: Sold,
  { terms, list, items }: Prices,
  rateOf: () => Amount | null,
): FoundPrice | NoPrice {
  const asked = { ...sold, on_date: terms.on_date };
  const { item, next } = list ? chooseItem(itemsFor(items, sold), asked) : { item: null, next: null };
  const rate = terms.prices_include_tax || list?.prices_include_tax ? rateOf() : null;
  const unit_price = item && list ? itemPrice(item, list, sold, terms, rate) : ownPrice(sold, terms, rate);
  if (typeof unit_price === 'string') return unit_price;
  return {
    unit_price,
    discount_percent: item?.discount_percent ?? null,
    list: item ? list : null,
    item,
    next,
  };
}
