/**
 * Clients and suppliers, with identifications, addresses and defaults. Issued documents copy what they need.
 */
import type { Operation } from '../../kernel/operation.ts';
import { clientRole, supplierRole } from './contacts.roles.ts';
import { createContact } from './operations/create-contact.ts';
import { deleteContact } from './operations/delete-contact.ts';
import { findContactByExternalId } from './operations/find-contact-by-external-id.ts';
import { getContact } from './operations/get-contact.ts';
import { listContacts } from './operations/list-contacts.ts';
import { updateContact } from './operations/update-contact.ts';

export type { DocumentClient } from './contacts.store.ts';
export { findDocumentClient, findDocumentParties } from './contacts.store.ts';

export const contactsOperations: readonly Operation[] = [clientRole, supplierRole].flatMap((role) => [
  listContacts(role),
  createContact(role),
  findContactByExternalId(role),
  getContact(role),
  updateContact(role),
  deleteContact(role),
]);
