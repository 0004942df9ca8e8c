/** Applications that the company registered. */
import { Anchor, Button } from '@mantine/core';
import { useCan } from '../../app/company.ts';
import { Icon } from '../../app/icons.tsx';
import { PageLink } from '../../app/navigate.tsx';
import { useWords } from '../../app/words.ts';
import { ListPage } from '../../parts/list-page.tsx';
import type { Column } from '../../parts/list-table.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { Instant } from '../../parts/time.tsx';
import { type Client, listOAuthClients } from './calls.ts';
import { applicationWords } from './words.ts';

export default function ClientList() {
  const words = useWords(applicationWords);
  const can = useCan();
  const create = can('create_oauth_client') && (
    <Button component={PageLink} to="/applications/new" leftSection={<Icon name="plus" size={16} />}>
      {words.create}
    </Button>
  );
  return (
    <>
      <PageTitle text={words.about} actions={create}>
        {words.title}
      </PageTitle>
      <Anchor component={PageLink} to="/applications/connected" display="inline-block" mb="md">
        {words.connected}
      </Anchor>
      <ListPage
        call={listOAuthClients}
        name={words.title}
        columns={useClientColumns()}
        idOf={(client) => client.id}
        open={(client) => `/applications/${client.id}`}
        empty={<EmptyState icon="apps" title={words.empty_title} text={words.empty_text} />}
      />
    </>
  );
}

function useClientColumns(): Column<Client>[] {
  const words = useWords(applicationWords);
  return [
    { id: 'name', title: words.name, cell: (client) => client.name },
    { id: 'type', title: words.type, cell: (client) => words.types[client.type] },
    {
      id: 'created',
      title: words.created,
      from: 'sm',
      cell: (client) => <Instant at={client.created_at} />,
    },
  ];
}
