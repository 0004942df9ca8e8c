import type { Calls, Seed } from './seed.ts';

const listBody = {
  name: 'Mayoristas',
  code: 'MAY',
  currency: 'EUR',
  prices_include_tax: false,
  is_default: true,
  valid_from: '2020-01-01',
  valid_to: '2199-12-31',
  is_active: true,
  notes: null,
  external_id: 'EXT-T',
  metadata: { a: 'b' },
};

const itemBody = ({ product }: Seed) => ({
  product_id: product,
  variant_id: null,
  presentation_id: null,
  min_quantity: 12,
  unit_price: 0.12345678,
  discount_percent: null,
  valid_from: '2020-01-01',
  valid_to: null,
});

export const priceListsCalls: Calls = {
  list_price_lists: () => ({ query: { code: 'T-1' } }),
  create_price_list: () => ({ body: listBody }),
  get_price_list: () => ({}),
  update_price_list: () => ({ body: listBody }),
  delete_price_list: () => ({}),
  list_price_list_items: (seed) => ({ query: { product_id: seed.product } }),
  create_price_list_item: (seed) => ({ body: itemBody(seed) }),
  bulk_upsert_price_list_items: (seed) => ({ body: { items: [itemBody(seed)] } }),
  get_price_list_item: () => ({}),
  update_price_list_item: (seed) => ({ body: itemBody(seed) }),
  delete_price_list_item: () => ({}),
  resolve_prices: ({ client, price_list, product }) => ({
    body: { client_id: client, price_list_id: price_list, lines: [{ product_id: product, quantity: 3 }] },
  }),
};
