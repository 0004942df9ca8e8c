/** Where events are sent. */
import { Button } from '@mantine/core';
import { useCan } from '../../app/company.ts';
import { Icon } from '../../app/icons.tsx';
import { PageLink } from '../../app/navigate.tsx';
import { useWords } from '../../app/words.ts';
import { ListPage } from '../../parts/list-page.tsx';
import type { Column } from '../../parts/list-table.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { Instant } from '../../parts/time.tsx';
import { type Endpoint, listWebhookEndpoints } from './calls.ts';
import { SandboxNote } from './sandbox-note.tsx';
import { Breaking, EndpointState } from './states.tsx';
import { webhookWords } from './words.ts';

export default function EndpointList() {
  const words = useWords(webhookWords);
  const can = useCan();
  const create = can('create_webhook_endpoint') && (
    <Button component={PageLink} to="/webhooks/new" leftSection={<Icon name="plus" size={16} />}>
      {words.create}
    </Button>
  );
  return (
    <>
      <PageTitle text={words.about} actions={create}>
        {words.title}
      </PageTitle>
      <SandboxNote />
      <ListPage
        call={listWebhookEndpoints}
        name={words.title}
        columns={useEndpointColumns()}
        idOf={(endpoint) => endpoint.id}
        open={(endpoint) => `/webhooks/${endpoint.id}`}
        empty={<EmptyState icon="webhook" title={words.empty_title} text={words.empty_text} />}
      />
    </>
  );
}

function useEndpointColumns(): Column<Endpoint>[] {
  const words = useWords(webhookWords);
  return [
    { id: 'url', title: words.url, cell: (endpoint) => <Breaking>{endpoint.url}</Breaking> },
    { id: 'state', title: words.state, cell: (endpoint) => <EndpointState of={endpoint} /> },
    { id: 'events', title: words.events, from: 'md', cell: (endpoint) => endpoint.enabled_events.join(', ') },
    {
      id: 'success',
      title: words.last_success,
      from: 'sm',
      cell: ({ last_success_at }) =>
        last_success_at === null ? words.never : <Instant at={last_success_at} is_distance />,
    },
  ];
}
