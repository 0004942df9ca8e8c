/** What differs between clients and suppliers: the pages of both are the same. */
import type { ReactNode } from 'react';
import type { Call, ListQuery, One, OperationName, Page } from '../../app/operation.ts';
import type { Words } from '../../app/words.ts';
import type { ChangedClient, Client, NewClient, Supplier } from '../../printed/resources.ts';

export type Contact = Client | Supplier;
/** Suppliers have the fields of clients. */
export type NewContact = NewClient;

export type ListContacts = {
  query: ListQuery & { q?: string; is_active?: boolean };
  answer: Page<Contact>;
};
export type CreateContact = { body: NewContact; answer: One<Contact> };
export type OfContact = { params: Record<string, string>; answer: One<Contact> };
export type ChangeContact = OfContact & { body: ChangedClient };

export type ContactKind = {
  readonly object: Contact['object'];
  /** That of its list. */
  readonly path: string;
  readonly list: Call<ListContacts>;
  readonly create: Call<CreateContact>;
  readonly get: Call<OfContact>;
  readonly update: Call<ChangeContact>;
  readonly archive: Call<OfContact>;
  readonly unarchive: Call<OfContact>;
  readonly words: Words<KindWords>;
  /** A client has fields that a supplier does not need. */
  readonly is_billed: boolean;
  /** The main action on an active contact. */
  readonly main?: { asks: OperationName; button(of: Contact): ReactNode };
  /** A contact may be both. */
  readonly other: { object: Contact['object']; path: string; asks: OperationName };
};

type KindWords = Readonly<
  Record<
    | 'title'
    | 'about'
    | 'create'
    | 'create_action'
    | 'created'
    | 'edit'
    | 'saved'
    | 'empty_title'
    | 'empty_text'
    | 'details'
    | 'tax_id_hint'
    | 'archived_told'
    | 'unarchived_told'
    | 'other',
    string
  >
>;
