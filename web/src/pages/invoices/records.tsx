import { Anchor, Badge, Group, Stack, Text } from '@mantine/core';
import { PageLink } from '../../app/navigate.tsx';
import { useRead } from '../../app/reading.ts';
import { useWords } from '../../app/words.ts';
import { Section } from '../../parts/facts.tsx';
import { Ready } from '../../parts/ready.tsx';
import { Instant } from '../../parts/time.tsx';
import type { Invoice } from '../../printed/resources.ts';
import { listVerifactuRecords } from './calls.ts';
import { invoiceWords } from './words.ts';

const settled = ['accepted', 'accepted_with_errors', 'rejected', 'kept', 'disabled'];

/** Asks again until the tax agency has answered. */
export function InvoiceRecords({ of }: { of: Invoice }) {
  const words = useWords(invoiceWords);
  const is_waiting = of.verifactu !== null && !settled.includes(of.verifactu.status);
  const query = { invoice_id: of.id, limit: 20 };
  const read = useRead(listVerifactuRecords, { query }, is_waiting ? { every_ms: 10_000 } : {});
  return (
    <Section title={words.records}>
      <Ready read={read} rows={1}>
        {({ data }) =>
          data.length === 0 ? (
            <Text c="dimmed">{words.no_records}</Text>
          ) : (
            <Stack gap="sm">
              {data.map(({ id, kind, status, recorded_at, is_blocked }) => (
                <Group key={id} justify="space-between">
                  <Anchor component={PageLink} to={`/verifactu/${id}`}>
                    {words.record_kinds[kind]}
                  </Anchor>
                  <Group gap="xs">
                    <Badge
                      variant="light"
                      color={
                        is_blocked || status === 'rejected' ? 'red' : status === 'accepted' ? 'green' : 'gray'
                      }
                    >
                      {is_blocked ? words.blocked : words.record_states[status]}
                    </Badge>
                    <Text size="sm" c="dimmed">
                      <Instant at={recorded_at} />
                    </Text>
                  </Group>
                </Group>
              ))}
            </Stack>
          )
        }
      </Ready>
    </Section>
  );
}
