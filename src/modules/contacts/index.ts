/** Contacts: clients, suppliers, or both. Issued documents copy what they need. */
import type { Operation } from '../../kernel/operation.ts';
import {
  archiveClient,
  archiveSupplier,
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
  unarchiveClient,
  unarchiveSupplier,
  updateClient,
  updateSupplier,
} from './contacts.operations.ts';

export type { DocumentClient } from './contacts.store.ts';
export type { ContactUses } from './ports.ts';
export type { ContactRole } from './rules/role-states.ts';
export {
  findDocumentClient,
  findDocumentParties,
  findSuppliersByTaxId,
  orOfNumber,
} from './contacts.store.ts';

export const contactsOperations: readonly Operation[] = [
  listClients,
  createClient,
  findClientByExternalId,
  getClient,
  updateClient,
  deleteClient,
  archiveClient,
  unarchiveClient,
  listSuppliers,
  createSupplier,
  findSupplierByExternalId,
  getSupplier,
  updateSupplier,
  deleteSupplier,
  archiveSupplier,
  unarchiveSupplier,
];

/** What emptying a sandbox deletes here: rows that refer to others go first. */
export const sandboxTables = ['contacts'];
