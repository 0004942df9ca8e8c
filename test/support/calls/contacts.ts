import { fullContact } from '../contact-roles.ts';
import type { Calls, Seed } from './seed.ts';

const contactBody = (seed: Seed) => ({ ...fullContact, external_id: 'EXT-9', default_taxes_id: seed.tax });

export const contactsCalls: Calls = {
  list_clients: () => ({ query: { q: 'norte' } }),
  create_client: (seed) => ({ body: contactBody(seed) }),
  find_client_by_external_id: (seed) => ({ body: { external_id: seed.client_external_id } }),
  get_client: () => ({}),
  update_client: (seed) => ({ body: contactBody(seed) }),
  delete_client: () => ({}),
  archive_client: () => ({}),
  unarchive_client: () => ({}),
  list_suppliers: () => ({ query: { is_active: 'true' } }),
  create_supplier: (seed) => ({ body: contactBody(seed) }),
  find_supplier_by_external_id: (seed) => ({ body: { external_id: seed.supplier_external_id } }),
  get_supplier: () => ({}),
  update_supplier: (seed) => ({ body: contactBody(seed) }),
  delete_supplier: () => ({}),
  archive_supplier: () => ({}),
  unarchive_supplier: () => ({}),
};
