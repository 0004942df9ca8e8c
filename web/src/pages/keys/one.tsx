/** One key: what it may do, a new secret, and its end. */
import { Badge, Code, Text } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useCan } from '../../app/company.ts';
import { Icon } from '../../app/icons.tsx';
import { useRead } from '../../app/reading.ts';
import { useWords } from '../../app/words.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { CallsOf } from '../../parts/calls-of.tsx';
import { CopyValue } from '../../parts/copy.tsx';
import { type Fact, Facts, Section } from '../../parts/facts.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { Ready } from '../../parts/ready.tsx';
import { ScopeList } from '../../parts/scope-list.tsx';
import { Instant } from '../../parts/time.tsx';
import { getApiKey, type Key } from './calls.ts';
import { KeyEnvironment, KeyState } from './key-state.tsx';
import { usePreviousSecretHours } from './previous-secret.ts';
import { RevokeKey } from './revoke-key.tsx';
import { RotateKeySecret } from './rotate-secret.tsx';
import { keyWords } from './words.ts';

export default function OneKey() {
  const { api_key } = useParams({ strict: false }) as { api_key: string };
  const read = useRead(getApiKey, { params: { api_key } });
  return (
    <Ready read={read} is_page>
      {({ data }) => <KeyPage of={data} />}
    </Ready>
  );
}

function KeyPage({ of }: { of: Key }) {
  const words = useWords(keyWords);
  const can = useCan();
  const actions = (
    <>
      <CallsOf id={of.id} environment={of.environment} />
      {of.is_active && can('rotate_api_key_secret') && (
        <>
          <RotateKeySecret of={of} />
          <RevokeKey of={of} />
        </>
      )}
    </>
  );
  return (
    <>
      <PageTitle above={<BackLink to="/keys">{words.title}</BackLink>} actions={actions}>
        {of.name}
      </PageTitle>
      <Section title={words.details}>
        <Facts facts={useKeyFacts(of)} />
      </Section>
      <Section title={words.scopes}>
        {of.scopes.includes('*') ? (
          <Text>
            {words.all_scopes} <Code>*</Code>
          </Text>
        ) : (
          <ScopeList of={of.scopes} />
        )}
      </Section>
    </>
  );
}

function useKeyFacts(of: Key): Fact[] {
  const words = useWords(keyWords);
  const hours = usePreviousSecretHours(of.id);
  const previous: Fact = {
    name: words.previous,
    value: (
      <Badge color="orange" variant="light" leftSection={<Icon name="clock" size={12} />}>
        {words.previous_left(hours ?? 0)}
      </Badge>
    ),
  };
  return [
    { name: words.state, value: <KeyState is_active={of.is_active} is_revoked={of.is_revoked} /> },
    { name: words.environment, value: <KeyEnvironment of={of.environment} /> },
    { name: words.prefix, value: <Code>{of.prefix}</Code> },
    { name: 'Id', value: <CopyValue value={of.id} name="id" /> },
    { name: words.created, value: <Instant at={of.created_at} /> },
    {
      name: words.last_used,
      value: of.last_used_at === null ? words.never : <Instant at={of.last_used_at} is_distance />,
    },
    {
      name: words.expires,
      value: of.expires_at === null ? words.expires_never : <Instant at={of.expires_at} />,
    },
    { name: words.ips, value: <Text>{of.allowed_ips.join(', ') || words.any_ip}</Text> },
    ...(hours === null ? [] : [previous]),
  ];
}
