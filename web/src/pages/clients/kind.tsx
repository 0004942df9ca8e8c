import { Button } from '@mantine/core';
import { PageLink } from '../../app/navigate.tsx';
import { call } from '../../app/operation.ts';
import { useWords } from '../../app/words.ts';
import type {
  ChangeContact,
  Contact,
  ContactKind,
  ListContacts,
  OfContact,
} from '../../parts/contact/contact-kind.ts';
import { createClient } from '../../parts/contact/new-client.tsx';
import { clientPageWords, invoiceAction } from './words.ts';

export const clients: ContactKind = {
  object: 'client',
  path: '/clients',
  list: call<ListContacts>('list_clients'),
  create: createClient,
  get: call<OfContact>('get_client'),
  update: call<ChangeContact>('update_client'),
  archive: call<OfContact>('archive_client'),
  unarchive: call<OfContact>('unarchive_client'),
  words: clientPageWords,
  is_billed: true,
  main: { asks: 'create_invoice', button: (of) => <Invoice of={of} /> },
  other: { object: 'supplier', path: '/suppliers', asks: 'get_supplier' },
};

function Invoice({ of }: { of: Contact }) {
  const { invoice } = useWords(invoiceAction);
  return (
    <Button component={PageLink} to="/invoices/new" search={{ client: of.id }}>
      {invoice}
    </Button>
  );
}
