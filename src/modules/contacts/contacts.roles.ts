/**
 * Clients and suppliers have the same fields and operations, so each operation is a function of the role.
 * This file holds what differs.
 */

export type Role = {
  readonly object: 'client' | 'supplier';
  readonly collection: 'clients' | 'suppliers';
  /** How descriptions name one and many. */
  readonly one: string;
  readonly many: string;
  /** The catalogue of events has none of suppliers. */
  readonly has_events: boolean;
};

/** What is written out for each operation, so that a search finds it. */
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
