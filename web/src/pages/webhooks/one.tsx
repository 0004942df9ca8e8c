/** One endpoint: what it receives, how it fares, and what was sent to it. */
import { Button, Code, Group } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useCommonWords } from '../../app/common-words.ts';
import { useCan } from '../../app/company.ts';
import { PageLink } from '../../app/navigate.tsx';
import { useRead } from '../../app/reading.ts';
import { useWords } from '../../app/words.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { CopyValue } from '../../parts/copy.tsx';
import { type Fact, Facts, Section } from '../../parts/facts.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { Ready } from '../../parts/ready.tsx';
import { Instant } from '../../parts/time.tsx';
import { type Endpoint, getWebhookEndpoint } from './calls.ts';
import { Deliveries } from './deliveries.tsx';
import { DeleteEndpoint, SwitchEndpoint } from './end-endpoint.tsx';
import { RotateEndpointSecret } from './rotate-secret.tsx';
import { SandboxNote } from './sandbox-note.tsx';
import { Breaking, EndpointState } from './states.tsx';
import { TryEndpoint } from './try-endpoint.tsx';
import { webhookWords } from './words.ts';

export default function OneEndpoint() {
  const { webhook_endpoint } = useParams({ strict: false }) as { webhook_endpoint: string };
  const read = useRead(getWebhookEndpoint, { params: { webhook_endpoint } });
  return (
    <Ready read={read} is_page>
      {({ data }) => <EndpointPage of={data} />}
    </Ready>
  );
}

function EndpointPage({ of }: { of: Endpoint }) {
  const words = useWords(webhookWords);
  const can = useCan();
  const { actions } = useCommonWords();
  return (
    <>
      <PageTitle
        above={<BackLink to="/webhooks">{words.title}</BackLink>}
        text={<Breaking>{of.url}</Breaking>}
        actions={can('ping_webhook_endpoint') && <TryEndpoint of={of} />}
      >
        {of.description ?? words.one}
      </PageTitle>
      <SandboxNote />
      <Section
        title={words.details}
        actions={
          <Group gap="xs">
            {can('update_webhook_endpoint') && (
              <Button component={PageLink} to={`/webhooks/${of.id}/edit`} variant="default">
                {actions.edit}
              </Button>
            )}
            {can('rotate_webhook_secret') && <RotateEndpointSecret of={of} />}
            {can('disable_webhook_endpoint') && <SwitchEndpoint of={of} />}
            {can('delete_webhook_endpoint') && <DeleteEndpoint of={of} />}
          </Group>
        }
      >
        <Facts facts={useEndpointFacts(of)} />
      </Section>
      <Section title={words.deliveries}>
        <Deliveries endpoint_id={of.id} />
      </Section>
    </>
  );
}

function useEndpointFacts(of: Endpoint): Fact[] {
  const words = useWords(webhookWords);
  const failing: Fact[] =
    of.failing_since === null
      ? []
      : [
          { name: words.failing_since, value: <Instant at={of.failing_since} /> },
          { name: words.failures, value: of.consecutive_failures },
        ];
  const rotated: Fact[] =
    of.previous_secret_valid_until === null
      ? []
      : [{ name: words.previous_until, value: <Instant at={of.previous_secret_valid_until} /> }];
  return [
    { name: words.state, value: <EndpointState of={of} /> },
    {
      name: words.events,
      value: (
        <Group gap={4}>
          {of.enabled_events.map((name) => (
            <Code key={name}>{name}</Code>
          ))}
        </Group>
      ),
    },
    { name: 'Id', value: <CopyValue value={of.id} name="id" /> },
    { name: words.timeout, value: of.timeout_seconds },
    {
      name: words.last_success,
      value: of.last_success_at === null ? words.never : <Instant at={of.last_success_at} is_distance />,
    },
    { name: words.created, value: <Instant at={of.created_at} /> },
    ...failing,
    ...rotated,
  ];
}
