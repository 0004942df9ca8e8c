/** Refused calls of programs. People's own are not among them. */
import { Anchor, Code, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { PageLink } from '../../app/navigate.tsx';
import { useRead } from '../../app/reading.ts';
import { useSession } from '../../app/session.tsx';
import { useWords } from '../../app/words.ts';
import { Section } from '../../parts/facts.tsx';
import { Ready } from '../../parts/ready.tsx';
import { Scrolling } from '../../parts/scrolling.tsx';
import { Instant } from '../../parts/time.tsx';
import { listRequestLogs, type RequestLog } from './calls.ts';
import { lastRefused } from './refused.ts';
import { homeWords } from './words.ts';

const day_ms = 86_400_000;

export function Refusals() {
  const { refusals: words } = useWords(homeWords);
  const [since] = useState(() => new Date(Date.now() - day_ms).toISOString());
  const read = useRead(listRequestLogs, { query: { limit: 100, 'created[gte]': since } });
  return (
    <Section
      title={words.title}
      actions={
        <Anchor component={PageLink} to="/requests">
          {words.all}
        </Anchor>
      }
    >
      <Ready read={read} rows={3}>
        {(page) => <RefusalTable {...lastRefused(page)} />}
      </Ready>
    </Section>
  );
}

type Refused = { refused: readonly RequestLog[]; looked_at: number | null };

function RefusalTable({ refused, looked_at }: Refused) {
  const { refusals: words } = useWords(homeWords);
  const { session } = useSession();
  if (refused.length === 0)
    return <Text c="dimmed">{looked_at === null ? words.none : words.none_of(looked_at)}</Text>;
  return (
    <Scrolling name={words.title}>
      <Table>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{words.operation}</Table.Th>
            <Table.Th scope="col">{words.code}</Table.Th>
            <Table.Th scope="col">{words.when}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {refused.map((request) => (
            <Table.Tr key={request.id}>
              <Table.Th scope="row" fw={400}>
                {request.operation ?? `${request.method} ${request.path}`}
              </Table.Th>
              <Table.Td>
                {request.error_code === null ? (
                  <Code>{request.status}</Code>
                ) : (
                  <Anchor
                    href={`${session.docs_url}/docs/errors/${request.error_code}`}
                    target="_blank"
                    rel="noopener"
                  >
                    {request.error_code}
                  </Anchor>
                )}
              </Table.Td>
              <Table.Td>
                <Instant at={request.created_at} is_distance />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Scrolling>
  );
}
