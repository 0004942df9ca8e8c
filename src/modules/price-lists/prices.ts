/** Reads only those items of a price list that decide the prices of the given lines. */
import { type Amount, type AmountLimits, amountLimits, powerOfTen } from '../../domain/money/amount.ts';
import { printedToAmount } from '../../domain/money/printed.ts';
import { combinationOf, indexItems, type PriceItem, sizeOf } from '../../domain/pricing/choose-item.ts';
import { listThatHolds, type Prices, type PriceTerms } from '../../domain/pricing/list-price.ts';
import type { AskedPrice } from '../../domain/sales/asked-prices.ts';
import type { Tx } from '../../kernel/operation.ts';
import { findItemsFor, type FoundItem } from './price-list-items.store.ts';
import type { PriceListRow } from './price-lists.schema.ts';
import { findPriceList } from './price-lists.store.ts';

type Terms = Pick<PriceTerms, 'on_date'> & { with_next?: boolean };

/** What a list says of some sales. */
export type ReadItems = {
  price_list_id: string;
  /** Undefined for a list that is none of the company's. */
  list: PriceListRow | undefined;
  items: readonly PriceItem[];
  /** Whether these items decide what such a sale costs. */
  covers(asked: AskedPrice): boolean;
};

/** Two statements in one pipeline. @param terms `with_next`: also the items that decide the next break of each sale */
export async function readItems(
  tx: Tx,
  company_id: string,
  price_list_id: string,
  asked: readonly AskedPrice[],
  terms: Terms,
): Promise<ReadItems> {
  const [list, items] = await Promise.all([
    findPriceList(tx, company_id, price_list_id),
    itemsOf(tx, company_id, price_list_id, asked, terms),
  ]);
  const covered = new Set(asked.map(saleKey));
  return { price_list_id, list, items, covers: (one) => covered.has(saleKey(one)) };
}

/**
 * @param known what was read of this list before, on these terms; only the rest is read
 * @returns undefined for a list that is none of the company's
 */
export async function readPrices(
  tx: Tx,
  company_id: string,
  price_list_id: string,
  asked: readonly AskedPrice[],
  { terms, with_next, known }: { terms: PriceTerms; with_next?: boolean; known?: ReadItems | undefined },
): Promise<Prices | undefined> {
  const of_day = { on_date: terms.on_date, with_next: with_next === true };
  const read = known ?? (await readItems(tx, company_id, price_list_id, asked, of_day));
  const missing = known ? asked.filter((one) => !known.covers(one)) : [];
  const more = await itemsOf(tx, company_id, price_list_id, missing, of_day);
  const { list } = read;
  return list && { terms, list: listThatHolds(list, terms), items: indexItems([...read.items, ...more]) };
}

async function itemsOf(
  tx: Tx,
  company_id: string,
  price_list_id: string,
  asked: readonly AskedPrice[],
  { on_date, with_next = false }: Terms,
): Promise<PriceItem[]> {
  if (asked.length === 0) return [];
  const named = asked.map(({ quantity, ...one }) => ({ ...one, units: unitsOf(sizeOf(quantity)) }));
  const rows = await findItemsFor(tx, company_id, price_list_id, named, { on_date, with_next });
  return rows.map(itemOf);
}

const saleKey = (asked: AskedPrice) => `${combinationOf(asked)} ${unitsOf(sizeOf(asked.quantity))}`;

const { quantity, unit_price, discount_percent } = amountLimits;

/** No step is as high. */
const beyondSteps = powerOfTen(12 + quantity.decimals);

/** In millionths, as steps are compared. Rounded down: what lies between two has reached the lower one. */
function unitsOf({ units, scale }: Amount): bigint {
  const { decimals } = quantity;
  const whole =
    scale <= decimals ? units * powerOfTen(decimals - scale) : units / powerOfTen(scale - decimals);
  return whole < beyondSteps ? whole : beyondSteps;
}

function itemOf({
  min_quantity_units,
  variant_id = null,
  presentation_id = null,
  ...row
}: FoundItem): PriceItem {
  const read = (text: string | null, { decimals }: AmountLimits) =>
    text === null ? null : printedToAmount(text, decimals);
  return {
    id: row.id,
    product_id: row.product_id,
    variant_id,
    presentation_id,
    min_quantity: { units: BigInt(min_quantity_units), scale: quantity.decimals },
    unit_price: read(row.unit_price, unit_price),
    discount_percent: read(row.discount_percent, discount_percent),
    valid_from: row.valid_from,
    valid_to: row.valid_to,
  };
}
