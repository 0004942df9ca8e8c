import { Box, Group, Stack, Table, Text } from '@mantine/core';
import { useLanguage, useWords } from '../../app/words.ts';
import { Section } from '../../parts/facts.tsx';
import { Money } from '../../parts/money-field.tsx';
import { formatNumber } from '../../parts/money.ts';
import { Scrolling } from '../../parts/scrolling.tsx';
import type { Invoice } from '../../printed/resources.ts';
import { invoiceWords } from './words.ts';

export function InvoiceLines({ of }: { of: Invoice }) {
  const words = useWords(invoiceWords);
  const language = useLanguage();
  const { currency } = of;
  return (
    <Section title={words.lines}>
      <Scrolling name={words.lines}>
        <Table aria-label={words.lines}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th scope="col">{words.line_description}</Table.Th>
              <Table.Th scope="col" ta="end" visibleFrom="sm">
                {words.quantity}
              </Table.Th>
              <Table.Th scope="col" ta="end" visibleFrom="sm">
                {words.unit_price}
              </Table.Th>
              <Table.Th scope="col" ta="end">
                {words.line_total}
              </Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {of.lines.map((line) => (
              <Table.Tr key={line.id}>
                <Table.Th scope="row" fw={400}>
                  {line.description}
                  <Text size="sm" c="dimmed">
                    {line.tax_name ?? words.tax_percent(formatNumber(line.tax_rate ?? 0, language))}
                  </Text>
                </Table.Th>
                <Table.Td ta="end" visibleFrom="sm">
                  {formatNumber(line.quantity, language)}
                </Table.Td>
                <Table.Td ta="end" visibleFrom="sm">
                  <Money amount={line.unit_price} currency={currency} />
                </Table.Td>
                <Table.Td ta="end">
                  <Money amount={line.subtotal} currency={currency} />
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Scrolling>
      <Totals of={of} />
    </Section>
  );
}

function Totals({ of }: { of: Invoice }) {
  const words = useWords(invoiceWords);
  const sums: [string, number][] = [
    [words.subtotal, of.subtotal],
    [words.taxes, of.taxes_total],
    [words.surcharge, of.surcharge_total],
    [words.retention, of.retention_total],
  ];
  const shown = sums.filter(([name, sum]) => name === words.subtotal || name === words.taxes || sum !== 0);
  return (
    <Stack className="folio-sums" gap={4} mt="md" ml="auto" maw="20rem">
      {shown.map(([name, sum]) => (
        <Group key={name} justify="space-between">
          <Text>{name}</Text>
          <Box>
            <Money amount={sum} currency={of.currency} />
          </Box>
        </Group>
      ))}
      <Group justify="space-between">
        <Text fw={700}>{words.total}</Text>
        <Text fw={700}>
          <Money amount={of.total} currency={of.currency} />
        </Text>
      </Group>
    </Stack>
  );
}
