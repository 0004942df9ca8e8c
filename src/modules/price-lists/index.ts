/** Price lists and their items. Documents ask the price of a line here, and keep it. */
import type { Operation } from '../../kernel/operation.ts';
import { bulkUpsertPriceListItems } from './operations/bulk-upsert-price-list-items.ts';
import { createPriceList } from './operations/create-price-list.ts';
import { createPriceListItem } from './operations/create-price-list-item.ts';
import { deletePriceList } from './operations/delete-price-list.ts';
import { deletePriceListItem } from './operations/delete-price-list-item.ts';
import { getPriceList } from './operations/get-price-list.ts';
import { getPriceListItem } from './operations/get-price-list-item.ts';
import { listPriceListItems } from './operations/list-price-list-items.ts';
import { listPriceLists } from './operations/list-price-lists.ts';
import { resolvePrices } from './operations/resolve-prices.ts';
import { updatePriceList } from './operations/update-price-list.ts';
import { updatePriceListItem } from './operations/update-price-list-item.ts';

export { readPrices } from './prices.ts';
export { productPrices } from './product-prices.ts';

export const priceListsOperations: readonly Operation[] = [
  listPriceLists,
  createPriceList,
  getPriceList,
  updatePriceList,
  deletePriceList,
  listPriceListItems,
  createPriceListItem,
  bulkUpsertPriceListItems,
  getPriceListItem,
  updatePriceListItem,
  deletePriceListItem,
  resolvePrices,
];

/** What emptying a sandbox deletes here: rows that refer to others go first. */
export const sandboxTables = ['price_list_items', 'price_lists'];
