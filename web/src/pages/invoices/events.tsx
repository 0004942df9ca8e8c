import { Anchor, Code, Group, Stack, Text } from '@mantine/core';
import { PageLink } from '../../app/navigate.tsx';
import { useRead } from '../../app/reading.ts';
import { useLanguage, useWords } from '../../app/words.ts';
import { Section } from '../../parts/facts.tsx';
import { Ready } from '../../parts/ready.tsx';
import { Instant } from '../../parts/time.tsx';
import { invoiceEvents } from '../../printed/events.ts';
import type { Invoice } from '../../printed/resources.ts';
import { listEvents } from './calls.ts';
import { invoiceWords } from './words.ts';

export function InvoiceEvents({ of }: { of: Invoice }) {
  const words = useWords(invoiceWords);
  const language = useLanguage();
  const read = useRead(listEvents, { query: { aggregate_id: of.id, limit: 20 } });
  return (
    <Section title={words.events}>
      <Ready read={read} rows={2}>
        {({ data }) =>
          data.length === 0 ? (
            <Text c="dimmed">{words.no_events}</Text>
          ) : (
            <Stack gap="xs">
              {data.map(({ id, type, created }) => (
                <Group key={id} justify="space-between">
                  <Anchor component={PageLink} to={`/events/${id}`}>
                    {invoiceEvents[type]?.[language] ?? <Code>{type}</Code>}
                  </Anchor>
                  <Text size="sm" c="dimmed">
                    <Instant at={created} />
                  </Text>
                </Group>
              ))}
            </Stack>
          )
        }
      </Ready>
    </Section>
  );
}
