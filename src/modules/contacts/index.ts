/** Contacts: clients and suppliers, their identifications, addresses and defaults. Documents copy what they issue with. */
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
export { findDocumentClient, findDocumentParties } from './contacts.store.ts';

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
