/** One connection: which application acts for whom, with which scopes, and its end. */
import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useParams } from '@tanstack/react-router';
import { useChange } from '../../app/changing.ts';
import { useCan } from '../../app/company.ts';
import { useRead } from '../../app/reading.ts';
import { useWords } from '../../app/words.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { CallsOf } from '../../parts/calls-of.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Facts, Section } from '../../parts/facts.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { Ready } from '../../parts/ready.tsx';
import { ScopeList } from '../../parts/scope-list.tsx';
import { tell } from '../../parts/tell.ts';
import { Instant } from '../../parts/time.tsx';
import { getOAuthGrant, type Grant, revokeOAuthGrant } from './calls.ts';
import { GrantState } from './connected.tsx';
import { applicationWords } from './words.ts';

export default function OneGrant() {
  const { oauth_grant } = useParams({ strict: false }) as { oauth_grant: string };
  const read = useRead(getOAuthGrant, { params: { oauth_grant } });
  return (
    <Ready read={read} is_page>
      {({ data }) => <GrantPage of={data} />}
    </Ready>
  );
}

function GrantPage({ of }: { of: Grant }) {
  const words = useWords(applicationWords);
  const can = useCan();
  return (
    <>
      <PageTitle
        above={<BackLink to="/applications/connected">{words.connected}</BackLink>}
        actions={
          <>
            <CallsOf id={of.id} environment={of.environment} />
            {of.revoked_at === null && can('revoke_oauth_grant') && <RevokeGrant of={of} />}
          </>
        }
      >
        {of.client.name}
      </PageTitle>
      <Section title={words.details}>
        <Facts
          facts={[
            { name: words.state, value: <GrantState of={of} /> },
            { name: words.person, value: of.user.name ?? '—' },
            { name: words.environment, value: words.environments[of.environment] },
            { name: words.audience, value: of.audience === 'mcp' ? 'MCP' : 'API' },
            { name: words.granted, value: <Instant at={of.created_at} /> },
            { name: words.last_used, value: <Instant at={of.last_used_at} is_distance /> },
          ]}
        />
      </Section>
      <Section title={words.scopes}>
        <ScopeList of={of.scopes} />
      </Section>
    </>
  );
}

function RevokeGrant({ of }: { of: Grant }) {
  const words = useWords(applicationWords);
  const [is_open, question] = useDisclosure(false);
  const { run, is_running, error, clear } = useChange(revokeOAuthGrant);
  const revoke = async () => {
    if ((await run({ params: { oauth_grant: of.id } })) === null) return;
    question.close();
    tell(words.revoked_told);
  };
  return (
    <>
      <Button variant="light" color="red" onClick={question.open}>
        {words.revoke}
      </Button>
      <Confirm
        is_open={is_open}
        close={question.close}
        title={words.revoke_title}
        text={words.revoke_text}
        facts={[
          { name: words.application, value: of.client.name },
          { name: words.person, value: of.user.name ?? '—' },
        ]}
        action={words.revoke}
        confirm={() => void revoke()}
        is_running={is_running}
        error={error}
        begin={clear}
      />
    </>
  );
}
