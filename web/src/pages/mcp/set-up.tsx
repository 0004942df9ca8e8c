/** How an agent is connected: the address, the groups of tools that it offers, and what hosts want to be told. */
import { Alert, Button, Checkbox, Fieldset, Group, SimpleGrid, Stack, Switch, Text } from '@mantine/core';
import { Icon } from '../../app/icons.tsx';
import { useSession } from '../../app/session.tsx';
import { useLanguage, useWords } from '../../app/words.ts';
import { CopyBlock, CopyValue } from '../../parts/copy.tsx';
import { Section } from '../../parts/facts.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { scopeGroups } from '../../printed/scopes.ts';
import { type ToolAddress, useToolAddress } from './address.ts';
import { Tools } from './tools.tsx';
import { mcpWords } from './words.ts';

export default function SetUp() {
  const words = useWords(mcpWords);
  const { session } = useSession();
  const chosen = useToolAddress();
  return (
    <>
      <PageTitle text={words.about}>{words.title}</PageTitle>
      {!session.features.mcp && (
        <Alert color="yellow" icon={<Icon name="warning" />} title={words.off} mb="lg">
          {words.off_text}
        </Alert>
      )}
      <Section title={words.address}>
        <Stack>
          <CopyValue value={chosen.address} name={words.address} />
          <ToolsetPicker of={chosen} />
        </Stack>
      </Section>
      <Hosts address={chosen.address} />
      <Tools toolsets={chosen.toolsets} is_read_only={chosen.is_read_only} />
    </>
  );
}

function ToolsetPicker({ of }: { of: ToolAddress }) {
  const words = useWords(mcpWords);
  const language = useLanguage();
  const { toolsets, is_read_only, choose } = of;
  const set = (group: string, is_on: boolean) =>
    choose(is_on ? [...toolsets, group] : toolsets.filter((one) => one !== group), is_read_only);
  return (
    <Fieldset legend={words.pick}>
      <Stack>
        <Text size="sm" c="dimmed">
          {words.pick_hint}
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }} spacing="xs">
          {scopeGroups.map(({ group, title }) => (
            <Checkbox
              key={group}
              label={title[language]}
              checked={toolsets.includes(group)}
              onChange={(event) => set(group, event.currentTarget.checked)}
            />
          ))}
        </SimpleGrid>
        <Group>
          <Switch
            label={words.read_only}
            checked={is_read_only}
            onChange={(event) => choose(toolsets, event.currentTarget.checked)}
          />
          {toolsets.length > 0 && (
            <Button size="xs" variant="default" onClick={() => choose([], is_read_only)}>
              {words.pick_all}
            </Button>
          )}
        </Group>
      </Stack>
    </Fieldset>
  );
}

function Hosts({ address }: { address: string }) {
  const words = useWords(mcpWords);
  const withKey = {
    mcpServers: {
      folio: { type: 'http', url: address, headers: { Authorization: `Bearer \${FOLIO_API_KEY}` } },
    },
  };
  const bySignIn = { mcpServers: { folio: { type: 'http', url: address } } };
  const claude = `claude mcp add --transport http folio "${address}" --header "Authorization: Bearer $FOLIO_API_KEY"`;
  return (
    <Section title={words.hosts}>
      <Stack>
        <Text size="sm">{words.with_key}</Text>
        <CopyBlock name={words.with_key}>{JSON.stringify(withKey, null, 2)}</CopyBlock>
        <Text size="sm">{words.by_sign_in}</Text>
        <CopyBlock name={words.by_sign_in}>{JSON.stringify(bySignIn, null, 2)}</CopyBlock>
        <Text size="sm">Claude Code</Text>
        <CopyBlock name="Claude Code">{claude}</CopyBlock>
      </Stack>
    </Section>
  );
}
