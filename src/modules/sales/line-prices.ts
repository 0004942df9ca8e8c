/** What price lists say of the lines that name a product and no price. */
import { amountLimits, readAmount } from '../../domain/money/amount.ts';
import { indexItems } from '../../domain/pricing/choose-item.ts';
import type { Prices, PriceTerms } from '../../domain/pricing/list-price.ts';
import type { LineInput } from '../../domain/sales/lines.ts';
import type { Ctx } from '../../kernel/operation.ts';
import { type AskedPrice, readPrices } from '../price-lists/index.ts';

const noItems = indexItems([]);

/** A quantity that is none is refused where the line is built. */
function askedOf({ product_id, unit_price, quantity = 1 }: LineInput): AskedPrice[] {
  const amount = readAmount(quantity, amountLimits.quantity);
  return !product_id || unit_price !== undefined || !amount
    ? []
    : [{ product_id, variant_id: null, presentation_id: null, quantity: amount }];
}

/** Without a price list nothing is read: which one is the company's default stands in its row. */
export async function linePrices(
  { tx, company }: Pick<Ctx, 'tx' | 'company'>,
  client: { price_list_id: string | null } | null,
  lines: readonly LineInput[],
  terms: PriceTerms,
): Promise<Prices> {
  const price_list_id = client?.price_list_id ?? company.default_price_list_id;
  const asked = price_list_id === null ? [] : lines.flatMap(askedOf);
  const prices =
    price_list_id === null || asked.length === 0
      ? undefined
      : await readPrices(tx, company.company_id, price_list_id, asked, { terms });
  return prices ?? { terms, list: null, items: noItems };
}
