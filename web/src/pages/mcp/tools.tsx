/** What the address offers: each tool with the scopes that it needs. Its schema is on its page of the reference. */
import { Anchor, Code, Group, Table, Text } from '@mantine/core';
import { useSession } from '../../app/session.tsx';
import { useWords } from '../../app/words.ts';
import { Section } from '../../parts/facts.tsx';
import { scopeGroups } from '../../printed/scopes.ts';
import { type Tool, tools } from '../../printed/tools.ts';
import { mcpWords } from './words.ts';

type Chosen = { toolsets: readonly string[]; is_read_only: boolean };
const groupOf: ReadonlyMap<string, string> = new Map(
  scopeGroups.flatMap(({ group, scopes }) => scopes.map(({ scope }) => [scope, group] as const)),
);

function offered({ toolsets, is_read_only }: Chosen): Tool[] {
  return tools.filter(
    ({ scopes, is_read }) =>
      (!is_read_only || is_read) &&
      (toolsets.length === 0 || scopes.some((scope) => toolsets.includes(groupOf.get(scope) ?? ''))),
  );
}

export function Tools(chosen: Chosen) {
  const words = useWords(mcpWords);
  const shown = offered(chosen);
  return (
    <Section title={words.tools}>
      <Text size="sm" c="dimmed" role="status" mb="sm">
        {words.tool_count(shown.length)}
      </Text>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{words.tool}</Table.Th>
            <Table.Th scope="col">{words.scopes}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((tool) => (
            <ToolRow key={tool.name} of={tool} />
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}

function ToolRow({ of }: { of: Tool }) {
  const { session } = useSession();
  const words = useWords(mcpWords);
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400} style={{ overflowWrap: 'anywhere' }}>
        <Anchor
          href={`${session.docs_url}/docs/reference/${of.tag}#${of.name}`}
          target="_blank"
          rel="noopener"
        >
          {of.name}
        </Anchor>
        <Text size="sm" c="dimmed" lang="es">
          {of.title}
        </Text>
      </Table.Th>
      <Table.Td>
        <Group gap={4}>
          {of.scopes.length === 0
            ? words.no_scope
            : of.scopes.map((scope) => (
                <Code key={scope} style={{ overflowWrap: 'anywhere' }}>
                  {scope}
                </Code>
              ))}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
