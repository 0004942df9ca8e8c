/** One delivery: what was sent, what was answered, and sending it again. */
import { Anchor, Button, Stack, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useChange } from '../../app/changing.ts';
import { useCan } from '../../app/company.ts';
import { Icon } from '../../app/icons.tsx';
import { PageLink } from '../../app/navigate.tsx';
import { useRead } from '../../app/reading.ts';
import { useLanguage, useWords } from '../../app/words.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { CopyValue } from '../../parts/copy.tsx';
import { formatMilliseconds } from '../../parts/dates.ts';
import { type Fact, Facts, Section } from '../../parts/facts.tsx';
import { JsonView } from '../../parts/json-view.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { Ready } from '../../parts/ready.tsx';
import { Failure } from '../../parts/states.tsx';
import { tell } from '../../parts/tell.ts';
import { Instant } from '../../parts/time.tsx';
import { type DeliveryDetail, getWebhookDelivery, replayWebhookDelivery } from './calls.ts';
import { DeliveryState } from './states.tsx';
import { webhookWords } from './words.ts';

const every_ms = 3000;

export default function OneDelivery() {
  const params = useParams({ strict: false }) as { webhook_endpoint: string; delivery: string };
  const { webhook_endpoint, delivery } = params;
  const read = useRead(getWebhookDelivery, { params: { webhook_endpoint, delivery } }, { every_ms });
  return (
    <Ready read={read} is_page>
      {({ data }) => <DeliveryPage of={data} />}
    </Ready>
  );
}

function DeliveryPage({ of }: { of: DeliveryDetail }) {
  const words = useWords(webhookWords);
  const can = useCan();
  const { run, is_running, error } = useChange(replayWebhookDelivery);
  const replay = async () => {
    const params = { webhook_endpoint: of.webhook_endpoint_id, delivery: of.id };
    if ((await run({ params })) !== null) tell(words.replayed);
  };
  const action = can('replay_webhook_delivery') && (
    <Button
      loading={is_running}
      onClick={() => void replay()}
      leftSection={<Icon name="refresh" size={16} />}
    >
      {words.replay}
    </Button>
  );
  return (
    <>
      <PageTitle
        above={<BackLink to={`/webhooks/${of.webhook_endpoint_id}`}>{words.one}</BackLink>}
        actions={action}
      >
        {of.event_type}
      </PageTitle>
      {error && <Failure error={error} />}
      <Section title={words.delivery}>
        <Facts facts={useDeliveryFacts(of)} />
      </Section>
      <Section title={words.sent}>
        {of.request_body === null && of.request_headers === null ? (
          <Text c="dimmed">{words.not_sent}</Text>
        ) : (
          <Stack>
            {of.request_headers !== null && <JsonView name={words.headers} value={of.request_headers} />}
            <JsonView name={words.body} value={of.request_body} />
          </Stack>
        )}
      </Section>
      <Section title={words.answer}>
        {of.response_body === null || of.response_body === '' ? (
          <Text c="dimmed">{of.error === null ? words.no_answer : <span lang="es">{of.error}</span>}</Text>
        ) : (
          <JsonView name={words.answer} value={of.response_body} />
        )}
      </Section>
    </>
  );
}

function useDeliveryFacts(of: DeliveryDetail): Fact[] {
  const words = useWords(webhookWords);
  const language = useLanguage();
  const event: Fact[] =
    of.event_id === null
      ? []
      : [
          {
            name: words.event,
            value: (
              <Anchor component={PageLink} to={`/events/${of.event_id}`}>
                {of.event_type}
              </Anchor>
            ),
          },
        ];
  return [
    { name: words.state, value: <DeliveryState of={of.status} /> },
    { name: 'Id', value: <CopyValue value={of.id} name="id" /> },
    ...event,
    { name: words.attempts, value: of.attempt },
    { name: words.http_status, value: of.response_status ?? '—' },
    {
      name: words.duration,
      value: of.duration_ms === null ? '—' : formatMilliseconds(of.duration_ms, language),
    },
    { name: words.last_attempt, value: <Instant at={of.last_attempt_at} /> },
    { name: words.next_attempt, value: <Instant at={of.next_attempt_at} /> },
  ];
}
