import type { Calls, Seed } from './seed.ts';

const productBody = (seed: Seed) => ({
  name: 'Lápiz',
  description: 'De madera',
  code: 'L-1',
  kind: 'good',
  unit: 'ud',
  unit_price: 0.12345678,
  taxes_id: seed.tax,
  external_id: 'EXT-P',
  notes: null,
  metadata: { a: 'b' },
  tags: ['oficina'],
  is_active: true,
  pack: { pricing: 'fixed', expand: 'single', components: [{ product_id: seed.component, quantity: 2 }] },
});

export const productsCalls: Calls = {
  list_products: () => ({ query: { code: 'C-1' } }),
  create_product: (seed) => ({ body: productBody(seed) }),
  get_product: () => ({}),
  update_product: (seed) => ({ body: productBody(seed) }),
  delete_product: () => ({}),
  resolve_product_selection: () => ({ body: { quantity: 2, currency: 'EUR' } }),
};
