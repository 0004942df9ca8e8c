/** One application: how it presents itself, a new secret, and its end. */
import { Anchor, Button, Code, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useParams } from '@tanstack/react-router';
import { useChange } from '../../app/changing.ts';
import { useCommonWords } from '../../app/common-words.ts';
import { useCan } from '../../app/company.ts';
import { PageLink, useGo } from '../../app/navigate.tsx';
import { useRead } from '../../app/reading.ts';
import { useWords } from '../../app/words.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { CopyValue } from '../../parts/copy.tsx';
import { type Fact, Facts, Section } from '../../parts/facts.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { Ready } from '../../parts/ready.tsx';
import { tell } from '../../parts/tell.ts';
import { Instant } from '../../parts/time.tsx';
import { type Client, deleteOAuthClient, getOAuthClient } from './calls.ts';
import { RotateClientSecret } from './rotate-secret.tsx';
import { applicationWords } from './words.ts';

export default function OneClient() {
  const { oauth_client } = useParams({ strict: false }) as { oauth_client: string };
  const read = useRead(getOAuthClient, { params: { oauth_client } });
  return (
    <Ready read={read} is_page>
      {({ data }) => <ClientPage of={data} />}
    </Ready>
  );
}

function ClientPage({ of }: { of: Client }) {
  const words = useWords(applicationWords);
  const can = useCan();
  const { actions: common } = useCommonWords();
  const actions = can('delete_oauth_client') && (
    <>
      <Button component={PageLink} to={`/applications/${of.id}/edit`} variant="default">
        {common.edit}
      </Button>
      {of.type === 'confidential' && <RotateClientSecret of={of} />}
      <DeleteClient of={of} />
    </>
  );
  return (
    <>
      <PageTitle above={<BackLink to="/applications">{words.title}</BackLink>} actions={actions}>
        {of.name}
      </PageTitle>
      <Section title={words.details}>
        <Facts facts={useClientFacts(of)} />
      </Section>
      <Section title={words.redirects}>
        <Stack gap="xs">
          {of.redirect_uris.map((uri) => (
            <Code key={uri} style={{ overflowWrap: 'anywhere' }}>
              {uri}
            </Code>
          ))}
        </Stack>
      </Section>
    </>
  );
}

function useClientFacts(of: Client): Fact[] {
  const words = useWords(applicationWords);
  const rotated: Fact[] =
    of.previous_secret_valid_until === null
      ? []
      : [{ name: words.previous_until, value: <Instant at={of.previous_secret_valid_until} /> }];
  return [
    { name: 'client_id', value: <CopyValue value={of.client_id} name="client_id" /> },
    { name: words.type, value: words.types[of.type] },
    { name: words.website, value: of.website ?? '—' },
    { name: words.secret, value: of.secret_prefix === null ? '—' : <Code>{of.secret_prefix}…</Code> },
    { name: words.created, value: <Instant at={of.created_at} /> },
    {
      name: words.connected,
      value: (
        <Anchor component={PageLink} to="/applications/connected" search={{ client_id: of.client_id }}>
          {words.connected_of}
        </Anchor>
      ),
    },
    ...rotated,
  ];
}

function DeleteClient({ of }: { of: Client }) {
  const words = useWords(applicationWords);
  const go = useGo();
  const [is_open, question] = useDisclosure(false);
  const { run, is_running, error, clear } = useChange(deleteOAuthClient);
  const remove = async () => {
    if ((await run({ params: { oauth_client: of.id } })) === null) return;
    question.close();
    tell(words.removed_told);
    go('/applications');
  };
  return (
    <>
      <Button variant="light" color="red" onClick={question.open}>
        {words.remove}
      </Button>
      <Confirm
        is_open={is_open}
        close={question.close}
        title={words.remove_title}
        text={words.remove_text}
        facts={[{ name: words.name, value: of.name }]}
        action={words.remove}
        confirm={() => void remove()}
        is_running={is_running}
        error={error}
        begin={clear}
        type_name={of.name}
      />
    </>
  );
}
