import { Button } from '@mantine/core';
import { useCommonWords } from '../../app/common-words.ts';
import { useCan } from '../../app/company.ts';
import { Icon } from '../../app/icons.tsx';
import { PageLink } from '../../app/navigate.tsx';
import { useWords } from '../../app/words.ts';
import { useNameOrder } from '../list-filters.tsx';
import { ListPage } from '../list-page.tsx';
import type { Column } from '../list-table.tsx';
import { PageTitle } from '../page-title.tsx';
import { EmptyState } from '../states.tsx';
import type { Contact, ContactKind } from './contact-kind.ts';
import { identityOf } from './identity.ts';
import { contactWords } from './contact-words.ts';
import { State } from '../state.tsx';

export function ContactList({ kind }: { kind: ContactKind }) {
  const own = useWords(kind.words);
  const words = useWords(contactWords);
  const can = useCan();
  return (
    <>
      <PageTitle
        text={own.about}
        actions={
          can(kind.create.name) && (
            <Button component={PageLink} to={`${kind.path}/new`} leftSection={<Icon name="plus" size={16} />}>
              {own.create}
            </Button>
          )
        }
      >
        {own.title}
      </PageTitle>
      <ListPage
        call={kind.list}
        name={own.title}
        filters={[
          { kind: 'search', name: 'q', label: words.search },
          {
            kind: 'choice',
            name: 'is_active',
            label: words.state,
            options: [
              { value: 'true', label: words.active },
              { value: 'false', label: words.archived },
            ],
          },
          useNameOrder(),
        ]}
        columns={useContactColumns()}
        idOf={(contact) => contact.id}
        open={(contact) => `${kind.path}/${contact.id}`}
        empty={<EmptyState icon="contacts" title={own.empty_title} text={own.empty_text} />}
      />
    </>
  );
}

export function ContactState({ of }: { of: Contact }) {
  const words = useWords(contactWords);
  return (
    <State color={of.is_active ? 'green' : 'gray'}>{of.is_active ? words.active : words.archived}</State>
  );
}

function useContactColumns(): Column<Contact>[] {
  const words = useWords(contactWords);
  const { none } = useCommonWords();
  return [
    { id: 'name', title: words.name, cell: ({ name }) => name },
    {
      id: 'tax_id',
      title: words.tax_id,
      // A long name leaves it less room than it needs, and half a number is read as a whole one.
      cell: (contact) => <span style={{ whiteSpace: 'nowrap' }}>{identityOf(contact) ?? none}</span>,
    },
    { id: 'city', title: words.city, from: 'md', cell: ({ address }) => address?.city ?? none },
    { id: 'email', title: words.email, from: 'lg', cell: ({ email }) => email ?? none },
    { id: 'state', title: words.state, from: 'sm', cell: (contact) => <ContactState of={contact} /> },
  ];
}
