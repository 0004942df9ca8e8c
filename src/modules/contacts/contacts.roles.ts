/**
 * What differs between clients and suppliers. All else is the same, so each operation is a function of the
 * role.
 */
import type { ContactRole } from './rules/role-states.ts';

export type Role = {
  readonly object: ContactRole;
  readonly collection: 'clients' | 'suppliers';
  readonly one: string;
  readonly many: string;
  readonly other: { readonly one: string; readonly object: ContactRole };
  /** The documents that name it. */
  readonly documents: { readonly create: string; readonly list: string };
  /** Clients have events, suppliers entries in the audit log. */
  readonly has_events: boolean;
};

/** Written out for each operation, so that a search finds it. */
export type Named = { readonly name: string; readonly summary: string };

export const clientRole: Role = {
  object: 'client',
  collection: 'clients',
  one: 'un cliente',
  many: 'los clientes',
  other: { one: 'un proveedor', object: 'supplier' },
  documents: { create: 'create_invoice', list: 'list_invoices' },
  has_events: true,
};

export const supplierRole: Role = {
  object: 'supplier',
  collection: 'suppliers',
  one: 'un proveedor',
  many: 'los proveedores',
  other: { one: 'un cliente', object: 'client' },
  documents: { create: 'create_purchase_invoice', list: 'list_purchase_invoices' },
  has_events: false,
};
