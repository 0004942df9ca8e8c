/**
 * What differs between clients and suppliers. All else is the same, so each operation is a function of the
 * role.
 */

export type Role = {
  readonly object: 'client' | 'supplier';
  readonly collection: 'clients' | 'suppliers';
  readonly one: string;
  readonly many: string;
  readonly has_events: boolean;
};

/** Written out for each operation, so that a search finds it. */
export type Named = { readonly name: string; readonly summary: string };

export const clientRole: Role = {
  object: 'client',
  collection: 'clients',
  one: 'un cliente',
  many: 'los clientes',
  has_events: true,
};

export const supplierRole: Role = {
  object: 'supplier',
  collection: 'suppliers',
  one: 'un proveedor',
  many: 'los proveedores',
  has_events: false,
};
