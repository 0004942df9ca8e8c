/** Reads of a price list as much as decides the prices of some lines, however long the list is. */
import { amountLimits, amountText, parseAmount } from '../../domain/money/amount.ts';
import { indexItems, type PriceItem, sizeOf } from '../../domain/pricing/choose-item.ts';
import { listThatHolds, type Prices, type PriceTerms } from '../../domain/pricing/list-price.ts';
import type { AskedPrice } from '../../domain/sales/asked-prices.ts';
import type { Tx } from '../../kernel/operation.ts';
import type { ItemFields } from './price-list-items.schema.ts';
import { findItemsFor } from './price-list-items.store.ts';
import { findPriceList } from './price-lists.store.ts';

/**
 * Two statements in one pipeline.
 * @param with_next also what decides the next break of each line
 * @returns undefined for a list that is none of the company's
 */
export async function readPrices(
  tx: Tx,
  company_id: string,
  price_list_id: string,
  asked: readonly AskedPrice[],
  { terms, with_next = false }: { terms: PriceTerms; with_next?: boolean },
): Promise<Prices | undefined> {
  const named = asked.map(({ quantity, ...one }) => ({ ...one, quantity: amountText(sizeOf(quantity)) }));
  const [list, rows] = await Promise.all([
    findPriceList(tx, company_id, price_list_id),
    findItemsFor(tx, company_id, price_list_id, named, { on_date: terms.on_date, with_next }),
  ]);
  return list && { terms, list: listThatHolds(list, terms), items: indexItems(rows.map(itemOf)) };
}

function itemOf({
  min_quantity,
  unit_price,
  discount_percent,
  ...row
}: ItemFields & { id: string }): PriceItem {
  const read = (text: string | null, limits: Parameters<typeof parseAmount>[1]) =>
    text === null ? null : (parseAmount(text, limits) ?? null);
  const quantity = read(min_quantity, amountLimits.quantity);
  if (!quantity) throw new Error(`A quantity was kept that is none: ${min_quantity}`);
  return {
    ...row,
    min_quantity: quantity,
    unit_price: read(unit_price, amountLimits.unit_price),
    discount_percent: read(discount_percent, amountLimits.discount_percent),
  };
}
