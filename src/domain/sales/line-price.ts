/** The price of a line that names a product and no price: the price list's, else the product's. */
import type { Amount } from '../money/amount.ts';
import { indexItems } from '../pricing/choose-item.ts';
import { reasonTexts } from '../pricing/choice.ts';
import { companyCurrency, type FoundPrice, priceOf, type Prices, type Sold } from '../pricing/list-price.ts';
import type { LineSale } from './line-selection.ts';
import { invalidInLine, refusedInLine } from './lines.errors.ts';
import type { LineFacts, LineProduct } from './line-facts.ts';
import type { LineInput } from './line-input.ts';

const noItems = indexItems([]);

/** Where nobody reads price lists: the products' own prices. */
export function pricesOf({ prices, on_date }: Pick<LineFacts, 'prices' | 'on_date'>): Prices {
  const terms = { currency: companyCurrency, prices_include_tax: false, on_date };
  return prices ?? { terms, list: null, items: noItems };
}

type SoldLine = { product: LineProduct; sale: LineSale | null; quantity: Amount };

export function soldOf({ product, sale, quantity }: SoldLine): Sold {
  const { variant = null, presentation = null, options = [] } = sale ?? {};
  return { product, variant, presentation, options: options.map(({ value }) => value), quantity };
}

/**
 * @param rate of the line's tax, in percent
 * @throws 422 business_rule_violation where neither list nor product has a price in the document's currency
 */
export function unsaidPrice(
  sold: SoldLine,
  rate: Amount | null,
  index: number,
  facts: LineFacts,
): FoundPrice {
  const found = priceOf(soldOf(sold), pricesOf(facts), rate);
  if (found === 'no_price_in_currency') throw refusedInLine(index, 'unit_price', reasonTexts[found]);
  if (found === 'too_large')
    throw invalidInLine(index, 'unit_price', 'El precio supera las 12 cifras enteras.');
  return found;
}

/** A line keeps its price when no product gives it a new one. */
export function withKeptPrice(line: LineInput): LineInput {
  const { unit_price, discount_percent, stored_unit_price, stored_discount_percent } = line;
  if (unit_price !== undefined || stored_unit_price === undefined) return line;
  const kept = discount_percent === undefined ? stored_discount_percent : discount_percent;
  return {
    ...line,
    unit_price: stored_unit_price,
    ...(kept === undefined ? {} : { discount_percent: kept }),
  };
}
