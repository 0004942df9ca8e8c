import { call } from '../../app/operation.ts';
import type {
  ChangeContact,
  ContactKind,
  CreateContact,
  ListContacts,
  OfContact,
} from '../../parts/contact/contact-kind.ts';
import { supplierPageWords } from './words.ts';

export const suppliers: ContactKind = {
  object: 'supplier',
  path: '/suppliers',
  list: call<ListContacts>('list_suppliers'),
  create: call<CreateContact>('create_supplier'),
  get: call<OfContact>('get_supplier'),
  update: call<ChangeContact>('update_supplier'),
  archive: call<OfContact>('archive_supplier'),
  unarchive: call<OfContact>('unarchive_supplier'),
  words: supplierPageWords,
  is_billed: false,
  other: { object: 'client', path: '/clients', asks: 'get_client' },
};
