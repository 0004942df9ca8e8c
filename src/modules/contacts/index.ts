/** Clients and suppliers. Issued documents copy what they need. */
import type { Operation } from '../../kernel/operation.ts';
import {
  createClient,
  createSupplier,
  deleteClient,
  deleteSupplier,
  findClientByExternalId,
  findSupplierByExternalId,
  getClient,
  getSupplier,
  listClients,
  listSuppliers,
  updateClient,
  updateSupplier,
} from './contacts.operations.ts';

export type { DocumentClient } from './contacts.store.ts';
export { findDocumentClient, findDocumentParties, findSuppliersByTaxId } from './contacts.store.ts';

export const contactsOperations: readonly Operation[] = [
  listClients,
  createClient,
  findClientByExternalId,
  getClient,
  updateClient,
  deleteClient,
  listSuppliers,
  createSupplier,
  findSupplierByExternalId,
  getSupplier,
  updateSupplier,
  deleteSupplier,
];
