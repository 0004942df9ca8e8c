/** What a line costs that names a product and no price: what the price list says, else the product. */
import type { Amount } from '../money/amount.ts';
import { indexItems } from '../pricing/choose-item.ts';
import { companyCurrency, type FoundPrice, priceOf } from '../pricing/list-price.ts';
import { invalidInLine, missingInLine } from './lines.errors.ts';
import type { LineFacts, LineProduct } from './lines.ts';

const noItems = indexItems([]);

/** Nothing but the products' own prices. */
function ownPrices(on_date: string) {
  const terms = { currency: companyCurrency, prices_include_tax: false, on_date };
  return { terms, list: null, items: noItems };
}

/**
 * @param of `rate`: of the line's tax, in percent
 * @throws 422 missing_required_param where neither list nor product has a price in the document's currency
 */
export function unsaidPrice(
  product: LineProduct,
  { quantity, rate }: { quantity: Amount; rate: Amount | null },
  index: number,
  { prices, on_date }: LineFacts,
): Pick<FoundPrice, 'unit_price' | 'discount_percent'> {
  const sold = { product, variant: null, presentation: null, options: [], quantity };
  const found = priceOf(sold, prices ?? ownPrices(on_date), rate);
  if (found === 'no_price_in_currency') throw missingInLine(index, 'unit_price');
  if (found === 'too_large')
    throw invalidInLine(index, 'unit_price', 'El precio supera las 12 cifras enteras.');
  return found;
}
