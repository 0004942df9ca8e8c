/** One event: what it is about, and its JSON as webhooks carry it. */
import { Anchor } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { PageLink } from '../../app/navigate.tsx';
import { useRead } from '../../app/reading.ts';
import { useWords } from '../../app/words.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { CopyValue } from '../../parts/copy.tsx';
import { type Fact, Facts, Section } from '../../parts/facts.tsx';
import { JsonView } from '../../parts/json-view.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { Ready } from '../../parts/ready.tsx';
import { Instant } from '../../parts/time.tsx';
import { getEvent, type LoggedEvent } from './calls.ts';
import { eventWords } from './words.ts';

export default function OneEvent() {
  const { event } = useParams({ strict: false }) as { event: string };
  const read = useRead(getEvent, { params: { event } });
  return (
    <Ready read={read} is_page>
      {({ data }) => <EventPage of={data} />}
    </Ready>
  );
}

function EventPage({ of }: { of: LoggedEvent }) {
  const words = useWords(eventWords);
  return (
    <>
      <PageTitle above={<BackLink to="/events">{words.title}</BackLink>}>{of.type}</PageTitle>
      <Section title={words.details}>
        <Facts facts={useEventFacts(of)} />
      </Section>
      <Section title="JSON">
        <JsonView value={of} />
      </Section>
    </>
  );
}

function useEventFacts(of: LoggedEvent): Fact[] {
  const words = useWords(eventWords);
  const resource: Fact[] =
    of.aggregate_id === null
      ? []
      : [
          { name: words.resource, value: <CopyValue value={of.aggregate_id} name={words.resource} /> },
          {
            name: words.same,
            value: (
              <Anchor component={PageLink} to="/events" search={{ aggregate_id: of.aggregate_id }}>
                {words.same_link}
              </Anchor>
            ),
          },
        ];
  return [
    { name: 'Id', value: <CopyValue value={of.id} name="id" /> },
    { name: words.when, value: <Instant at={of.created} /> },
    ...resource,
    { name: words.sequence, value: of.sequence },
    { name: words.version, value: of.api_version ?? '—' },
    { name: words.cause, value: of.correlation_id ?? '—' },
  ];
}
