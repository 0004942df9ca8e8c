import type { Calls } from './seed.ts';

export const seriesCalls: Calls = {
  list_series: () => ({ query: { document_type: 'invoice' } }),
  create_series: () => ({
    body: {
      code: 'B',
      name: 'Tienda',
      document_type: 'invoice',
      format: '{code}{year}-{number:6}',
      reset: 'year',
      next_number: 7,
    },
  }),
  get_series: () => ({}),
  update_series: () => ({ body: { name: 'Tienda', format: '{code}{yy}/{number:4}', next_number: 3 } }),
  delete_series: () => ({}),
  archive_series: () => ({}),
  unarchive_series: () => ({}),
  set_default_series: () => ({}),
};
