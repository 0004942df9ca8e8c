/** Operations have literal names here, so that a search finds them. Each is a function of the role. */
import type { Operation } from '../../kernel/operation.ts';
import { clientRole, supplierRole } from './contacts.roles.ts';
import { archiveContact } from './operations/archive-contact.ts';
import { createContact } from './operations/create-contact.ts';
import { deleteContact } from './operations/delete-contact.ts';
import { findContactByExternalId } from './operations/find-contact-by-external-id.ts';
import { getContact } from './operations/get-contact.ts';
import { listContacts } from './operations/list-contacts.ts';
import { unarchiveContact } from './operations/unarchive-contact.ts';
import { updateContact } from './operations/update-contact.ts';

export const listClients: Operation = listContacts(clientRole, {
  name: 'list_clients',
  summary: 'Lista los clientes.',
});

export const createClient: Operation = createContact(clientRole, {
  name: 'create_client',
  summary: 'Crea un cliente.',
});

export const findClientByExternalId: Operation = findContactByExternalId(clientRole, {
  name: 'find_client_by_external_id',
  summary: 'Busca un cliente por su external_id.',
});

export const getClient: Operation = getContact(clientRole, {
  name: 'get_client',
  summary: 'Consulta un cliente.',
});

export const updateClient: Operation = updateContact(clientRole, {
  name: 'update_client',
  summary: 'Modifica un cliente.',
});

export const deleteClient: Operation = deleteContact(clientRole, {
  name: 'delete_client',
  summary: 'Elimina un cliente, o lo archiva si tiene documentos.',
});

export const archiveClient: Operation = archiveContact(clientRole, {
  name: 'archive_client',
  summary: 'Archiva un cliente.',
});

export const unarchiveClient: Operation = unarchiveContact(clientRole, {
  name: 'unarchive_client',
  summary: 'Recupera un cliente archivado.',
});

export const listSuppliers: Operation = listContacts(supplierRole, {
  name: 'list_suppliers',
  summary: 'Lista los proveedores.',
});

export const createSupplier: Operation = createContact(supplierRole, {
  name: 'create_supplier',
  summary: 'Crea un proveedor.',
});

export const findSupplierByExternalId: Operation = findContactByExternalId(supplierRole, {
  name: 'find_supplier_by_external_id',
  summary: 'Busca un proveedor por su external_id.',
});

export const getSupplier: Operation = getContact(supplierRole, {
  name: 'get_supplier',
  summary: 'Consulta un proveedor.',
});

export const updateSupplier: Operation = updateContact(supplierRole, {
  name: 'update_supplier',
  summary: 'Modifica un proveedor.',
});

export const deleteSupplier: Operation = deleteContact(supplierRole, {
  name: 'delete_supplier',
  summary: 'Elimina un proveedor, o lo archiva si tiene documentos.',
});

export const archiveSupplier: Operation = archiveContact(supplierRole, {
  name: 'archive_supplier',
  summary: 'Archiva un proveedor.',
});

export const unarchiveSupplier: Operation = unarchiveContact(supplierRole, {
  name: 'unarchive_supplier',
  summary: 'Recupera un proveedor archivado.',
});
