/** What happened in the company, newest first. */
import { Badge, Group } from '@mantine/core';
import { useCommonWords } from '../../app/common-words.ts';
import { useWords } from '../../app/words.ts';
import { Dotted } from '../../parts/dotted.ts';
import type { Filter } from '../../parts/list-filters.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import type { Column } from '../../parts/list-table.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { Instant } from '../../parts/time.tsx';
import { listEvents, type LoggedEvent } from './calls.ts';
import { eventWords } from './words.ts';

export default function EventList() {
  const words = useWords(eventWords);
  return (
    <>
      <PageTitle text={words.about}>{words.title}</PageTitle>
      <ListPage
        call={listEvents}
        filters={useEventFilters()}
        name={words.title}
        columns={useEventColumns()}
        idOf={(event) => event.id}
        open={(event) => `/events/${event.id}`}
        empty={<EmptyState icon="event" title={words.empty_title} text={words.empty_text} />}
      />
    </>
  );
}

function useEventFilters(): Filter[] {
  const words = useWords(eventWords);
  const { yes, no } = useCommonWords();
  return [
    { kind: 'text', name: 'type', label: words.type },
    { kind: 'text', name: 'aggregate_id', label: words.resource },
    {
      kind: 'choice',
      name: 'test',
      label: words.test,
      options: [
        { value: 'true', label: yes },
        { value: 'false', label: no },
      ],
    },
    { kind: 'days', name: 'created', label: words.when },
  ];
}

function useEventColumns(): Column<LoggedEvent>[] {
  const words = useWords(eventWords);
  return [
    {
      id: 'type',
      title: words.type,
      cell: (event) => (
        <Group component="span" gap="xs">
          <Dotted name={event.type} />
          {event.test && (
            <Badge component="span" size="xs" color="orange" variant="light">
              {words.test}
            </Badge>
          )}
        </Group>
      ),
    },
    { id: 'resource', title: words.resource, from: 'md', cell: (event) => event.aggregate_id ?? '—' },
    { id: 'sequence', title: words.sequence, from: 'md', cell: (event) => event.sequence },
    { id: 'when', title: words.when, cell: (event) => <Instant at={event.created} /> },
  ];
}
