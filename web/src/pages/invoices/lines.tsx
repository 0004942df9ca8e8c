import { Box, Group, Stack, Table, Text } from '@mantine/core';
import { useLanguage, useWords } from '../../app/words.ts';
import { Section } from '../../parts/facts.tsx';
import { Money, Price } from '../../parts/money-field.tsx';
import { formatNumber, formatPercent } from '../../parts/money.ts';
import { Scrolling } from '../../parts/scrolling.tsx';
import type { Invoice } from '../../printed/resources.ts';
import { lineTax } from './line-tax.ts';
import { type Sums, sumsOf } from './sums.ts';
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
                  <Text size="sm" c="dimmed" hiddenFrom="sm">
                    {formatNumber(line.quantity, language)} ×{' '}
                    <Price price={line.unit_price} currency={currency} />
                  </Text>
                  <Text size="sm" c="dimmed">
                    {lineTax(line, words, language)}
                    {line.discount_percent
                      ? ` · ${words.discount_of(formatPercent(line.discount_percent, language))}`
                      : null}
                  </Text>
                </Table.Th>
                <Table.Td ta="end" visibleFrom="sm">
                  {formatNumber(line.quantity, language)}
                </Table.Td>
                <Table.Td ta="end" visibleFrom="sm">
                  <Price price={line.unit_price} currency={currency} />
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

const strong = ['total', 'amount_due'];

export function Totals({ of }: { of: Sums & Pick<Invoice, 'currency'> }) {
  const words = useWords(invoiceWords);
  return (
    <Stack className="folio-sums" gap={4} mt="md" ml="auto" maw="20rem">
      {sumsOf(of).map(([name, sum]) => (
        <Group key={name} justify="space-between" fw={strong.includes(name) ? 700 : 400}>
          <Box>{words[name]}</Box>
          <Box>
            <Money amount={sum} currency={of.currency} />
          </Box>
        </Group>
      ))}
    </Stack>
  );
}
