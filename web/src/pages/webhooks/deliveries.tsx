/** What was sent to an endpoint, and what waits. It is asked again, so that what was just sent is seen to arrive. */
import { useWords } from '../../app/words.ts';
import { ListPage } from '../../parts/list-page.tsx';
import type { Column } from '../../parts/list-table.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { Instant } from '../../parts/time.tsx';
import { type Delivery, listWebhookDeliveries } from './calls.ts';
import { DeliveryState } from './states.tsx';
import { webhookWords } from './words.ts';

const every_ms = 5000;

export function Deliveries({ endpoint_id }: { endpoint_id: string }) {
  const words = useWords(webhookWords);
  const options = Object.entries(words.statuses).map(([value, label]) => ({ value, label }));
  return (
    <ListPage
      call={listWebhookDeliveries}
      params={{ webhook_endpoint: endpoint_id }}
      filters={[{ kind: 'choice', name: 'status', label: words.state, options }]}
      name={words.deliveries}
      columns={useDeliveryColumns()}
      idOf={(delivery) => delivery.id}
      open={(delivery) => `/webhooks/${endpoint_id}/deliveries/${delivery.id}`}
      every_ms={every_ms}
      empty={<EmptyState icon="send" title={words.none_title} text={words.none_text} />}
    />
  );
}

function useDeliveryColumns(): Column<Delivery>[] {
  const words = useWords(webhookWords);
  return [
    { id: 'type', title: words.event, cell: (delivery) => delivery.event_type },
    { id: 'state', title: words.state, cell: (delivery) => <DeliveryState of={delivery.status} /> },
    {
      id: 'answer',
      title: words.answer,
      from: 'sm',
      cell: (delivery) => delivery.response_status ?? delivery.error ?? '—',
    },
    { id: 'attempt', title: words.attempts, from: 'md', cell: (delivery) => delivery.attempt },
    {
      id: 'created',
      title: words.created,
      from: 'sm',
      cell: (delivery) => <Instant at={delivery.created_at} is_distance />,
    },
  ];
}
