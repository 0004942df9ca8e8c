import { Badge, Button } from '@mantine/core';
import { useCommonWords } from '../../app/common-words.ts';
import { useCan } from '../../app/company.ts';
import { Icon } from '../../app/icons.tsx';
import { PageLink } from '../../app/navigate.tsx';
import { useWords } from '../../app/words.ts';
import { ListPage } from '../../parts/list-page.tsx';
import type { Column } from '../../parts/list-table.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { type Client, listClients } from './calls.ts';
import { clientPageWords } from './words.ts';

export default function ClientList() {
  const words = useWords(clientPageWords);
  const can = useCan();
  const create = can('create_client') && (
    <Button component={PageLink} to="/clients/new" leftSection={<Icon name="plus" size={16} />}>
      {words.create}
    </Button>
  );
  return (
    <>
      <PageTitle text={words.about} actions={create}>
        {words.title}
      </PageTitle>
      <ListPage
        call={listClients}
        name={words.title}
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
        ]}
        columns={useClientColumns()}
        idOf={(client) => client.id}
        open={(client) => `/clients/${client.id}`}
        empty={
          <EmptyState icon="contacts" title={words.empty_title} text={words.empty_text}>
            {create}
          </EmptyState>
        }
      />
    </>
  );
}

export function ClientState({ of }: { of: Client }) {
  const words = useWords(clientPageWords);
  return (
    <Badge color={of.is_active ? 'green' : 'gray'} variant="light">
      {of.is_active ? words.active : words.archived}
    </Badge>
  );
}

function useClientColumns(): Column<Client>[] {
  const words = useWords(clientPageWords);
  const { none } = useCommonWords();
  return [
    { id: 'name', title: words.name, cell: ({ name }) => name },
    {
      id: 'tax_id',
      title: words.tax_id,
      cell: ({ tax_id, alternative_id }) => tax_id ?? alternative_id?.value ?? none,
    },
    { id: 'city', title: words.city, from: 'md', cell: ({ address }) => address?.city ?? none },
    { id: 'email', title: words.email, from: 'lg', cell: ({ email }) => email ?? none },
    { id: 'state', title: words.state, from: 'sm', cell: (client) => <ClientState of={client} /> },
  ];
}
