/** What a sandbox answers to certain values. They are printed from the simulator itself. */
import { Box, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useWords } from '../../app/words.ts';
import { CopyValue } from '../../parts/copy.tsx';
import { Section } from '../../parts/facts.tsx';
import { magicAddresses, magicValues, unknown_taxpayer } from '../../printed/sandbox.ts';
import { sandboxWords } from './words.ts';

export function MagicValues() {
  const words = useWords(sandboxWords);
  return (
    <Section title={words.magic}>
      <Stack gap="lg">
        <Text c="dimmed">{words.magic_text}</Text>
        <Records />
        <Text>{words.unknown_taxpayer}</Text>
        <CopyValue value={unknown_taxpayer} name={words.tax_id} />
        <Title order={3} fz="h5">
          {words.addresses}
        </Title>
        <Text c="dimmed">{words.addresses_text}</Text>
        <Addresses />
      </Stack>
    </Section>
  );
}

function Records() {
  const words = useWords(sandboxWords);
  return (
    <Table.ScrollContainer minWidth={0} type="native">
      <Table aria-label={words.magic}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{words.what_happens}</Table.Th>
            <Table.Th scope="col" visibleFrom="sm">
              {words.tax_id}
            </Table.Th>
            <Table.Th scope="col" visibleFrom="sm">
              {words.total}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {magicValues.map(({ outcome, tax_id, total }) => (
            <Table.Tr key={outcome}>
              <Table.Th scope="row" fw={400}>
                {words.outcomes[outcome]}
                <Group hiddenFrom="sm" gap="sm" mt={4}>
                  <CopyValue value={tax_id} name={`${words.tax_id} ${tax_id}`} />
                  <CopyValue value={total} name={`${words.total} ${total}`} />
                </Group>
              </Table.Th>
              <Table.Td visibleFrom="sm">
                <CopyValue value={tax_id} name={`${words.tax_id} ${tax_id}`} />
              </Table.Td>
              <Table.Td visibleFrom="sm">
                <CopyValue value={total} name={`${words.total} ${total}`} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

const fates = Object.keys(magicAddresses) as (keyof typeof magicAddresses)[];

function Addresses() {
  const words = useWords(sandboxWords);
  return (
    <Table.ScrollContainer minWidth={0} type="native">
      <Table aria-label={words.addresses}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{words.what_happens}</Table.Th>
            <Table.Th scope="col" visibleFrom="sm">
              {words.address}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {fates.map((fate) => (
            <Table.Tr key={fate}>
              <Table.Th scope="row" fw={400}>
                {words.fates[fate]}
                <Box hiddenFrom="sm" mt={4}>
                  <CopyValue value={magicAddresses[fate]} name={magicAddresses[fate]} />
                </Box>
              </Table.Th>
              <Table.Td visibleFrom="sm">
                <CopyValue value={magicAddresses[fate]} name={magicAddresses[fate]} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
