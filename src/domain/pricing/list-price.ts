/**
 * The price of what a line sells: from the price list that holds, else the product's own. Documents and resolve_prices
 * call it.
 */
import { isValidOn } from '../../kernel/dates.ts';
import { type Amount, powerOfTen } from '../money/amount.ts';
import { exactBasePrice, fitsLine, keptPrice, type PricedParts, roundQuotient } from './base-price.ts';
import { chooseItem, type ItemIndex, itemsFor, type PriceItem } from './choose-item.ts';

/** Of the products' own prices, which are without tax. */
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

/** `listThatHolds` gives `list`. */
export type Prices = { terms: PriceTerms; list: PriceList | null; items: ItemIndex };

/** A list that does not hold is left out, and no other takes its place. Its prices are never converted to another currency. */
export function listThatHolds(
  list: PriceList | null | undefined,
  { currency, on_date }: PriceTerms,
): PriceList | null {
  return list?.is_active && list.currency === currency && isValidOn(list, on_date) ? list : null;
}

/** One way to sell a product, and how much of it. */
export type Sold = PricedParts & {
  product: { id: string };
  variant: { id: string } | null;
  presentation: { id: string } | null;
  quantity: Amount;
};

export type FoundPrice = {
  unit_price: Amount;
  /** Of a discount item; the price is then the product's own. */
  discount_percent: Amount | null;
  item: PriceItem | null;
  next: PriceItem | null;
};

/** `no_price_in_currency`: neither a list nor the product has one. `too_large`: over 12 integer digits. */
export type NoPrice = 'no_price_in_currency' | 'too_large';

export type Fraction = { n: bigint; d: bigint };

/** In percent. It is a fraction where things taxed differently are sold for one price. */
export type Rate = Amount | Fraction;

const percentOf = (rate: Rate): Fraction => ('n' in rate ? rate : fraction(rate));
const fraction = ({ units, scale }: Amount): Fraction => ({ n: units, d: powerOfTen(scale) });
const times = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.n, d: a.d * b.d });
const plus = (a: Fraction, b: Fraction): Fraction => ({ n: a.n * b.d + b.n * a.d, d: a.d * b.d });

const read = (text: string): Fraction => fraction(keptPrice(text));

function rounded({ n, d }: Fraction): Amount | 'too_large' {
  const price = roundQuotient(n, d);
  return fitsLine(price) ? price : 'too_large';
}

/** Converts a price with or without tax to the document's kind of price. @param rate percent */
function inTermsOf(
  price: Fraction,
  includes_tax: boolean,
  { prices_include_tax }: PriceTerms,
  rate: Rate | null,
): Fraction {
  if (includes_tax === prices_include_tax || rate === null) return price;
  const percent = percentOf(rate);
  const whole = { n: percent.n + 100n * percent.d, d: 100n * percent.d };
  return times(price, prices_include_tax ? whole : { n: whole.d, d: whole.n });
}

/** Without a list, in the document's terms. */
export function ownPrice(sold: Sold, terms: PriceTerms, rate: Rate | null): Amount | NoPrice {
  if (terms.currency !== companyCurrency) return 'no_price_in_currency';
  return rounded(inTermsOf(fraction(exactBasePrice(sold)), false, terms, rate));
}

/**
 * An item without presentation is of one base unit. What options add is in euros, so a list of another currency does not price
 * them.
 */
export function itemPrice(
  item: PriceItem,
  sold: Sold,
  { terms, list }: Prices,
  rate: Rate | null,
): Amount | NoPrice {
  if (item.unit_price === null) return ownPrice(sold, terms, rate);
  const unit = fraction(item.unit_price);
  const factor = item.presentation_id === null ? (sold.presentation?.factor ?? null) : null;
  const price = factor === null ? unit : times(unit, read(factor));
  const shown = inTermsOf(price, list?.prices_include_tax === true, terms, rate);
  const deltas = sold.options.map(({ price_delta }) => read(price_delta)).filter(({ n }) => n !== 0n);
  if (deltas.length === 0) return rounded(shown);
  if (terms.currency !== companyCurrency) return 'no_price_in_currency';
  return rounded(plus(shown, inTermsOf(deltas.reduce(plus), false, terms, rate)));
}

/** Whether the line's rate is needed to find its price. */
export function isConverted({ terms, list }: Prices): boolean {
  return terms.prices_include_tax || list?.prices_include_tax === true;
}

/** @param rate of the line's tax in percent; null for none, or where nothing is converted */
export function priceOf(sold: Sold, prices: Prices, rate: Rate | null): FoundPrice | NoPrice {
  const { terms, list, items } = prices;
  const asked = {
    product_id: sold.product.id,
    variant_id: sold.variant?.id ?? null,
    presentation_id: sold.presentation?.id ?? null,
    quantity: sold.quantity,
    on_date: terms.on_date,
  };
  const { item, next } = list ? chooseItem(itemsFor(items, asked), asked) : { item: null, next: null };
  const unit_price = item ? itemPrice(item, sold, prices, rate) : ownPrice(sold, terms, rate);
  if (typeof unit_price === 'string') return unit_price;
  return { unit_price, discount_percent: item?.discount_percent ?? null, item, next };
}

/** Less its discount, for a line that has none of its own. */
export function netPrice({ unit_price, discount_percent }: FoundPrice): Amount {
  if (discount_percent === null) return unit_price;
  const hundred = powerOfTen(discount_percent.scale + 2);
  const n = unit_price.units * (hundred - discount_percent.units);
  return roundQuotient(n, powerOfTen(unit_price.scale) * hundred);
}
