import type { Calls } from './seed.ts';

const taxBody = () => ({
  name: 'IVA 21 %',
  kind: 'vat',
  rate: 21,
  surcharge_rate: 5.2,
  qualification: 'S1',
  exemption_reason: null,
  regime_key: '01',
  valid_from: '2012-09-01',
  valid_to: null,
  external_reference: 'IVA21',
  is_active: true,
  metadata: {},
});

export const taxesCalls: Calls = {
  list_taxes: () => ({ query: { kind: 'vat' } }),
  create_tax: () => ({ body: taxBody() }),
  get_tax: () => ({}),
  update_tax: () => ({ body: taxBody() }),
  delete_tax: () => ({}),
};
