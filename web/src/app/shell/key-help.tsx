import { Group, Kbd, Modal, Stack, Switch, Table } from '@mantine/core';
import type { ReactNode } from 'react';
import { useCommonWords } from '../common-words.ts';
import { useLanguage } from '../words.ts';
import { useOpenPages } from './navigation.tsx';
import { useSingleKeys } from './shortcuts.tsx';

export default function KeyHelp({ close }: { close(): void }) {
  const { keys } = useCommonWords();
  const [are_on, setOn] = useSingleKeys();
  return (
    <Modal opened onClose={close} title={keys.title} size="lg">
      <Stack>
        <Switch label={keys.on} checked={are_on} onChange={(event) => setOn(event.currentTarget.checked)} />
        <KeyTable />
      </Stack>
    </Modal>
  );
}

function KeyTable() {
  const { keys } = useCommonWords();
  const language = useLanguage();
  const open = useOpenPages();
  return (
    <Table>
      <Table.Tbody>
        <Row name={keys.palette}>
          <Kbd>⌘</Kbd>/<Kbd>Ctrl</Kbd> <Kbd>K</Kbd>
        </Row>
        <Row name={keys.search}>
          <Kbd>/</Kbd>
        </Row>
        <Row name={keys.next}>
          <Kbd>j</Kbd>
        </Row>
        <Row name={keys.previous}>
          <Kbd>k</Kbd>
        </Row>
        <Row name={keys.open}>
          <Kbd>Enter</Kbd>
        </Row>
        <Row name={keys.sandbox}>
          <Kbd>t</Kbd>
        </Row>
        <Row name={keys.help}>
          <Kbd>?</Kbd>
        </Row>
        <Row name={keys.escape}>
          <Kbd>Esc</Kbd>
        </Row>
        {open.map((page) => (
          <Row key={page.id} name={page.title[language]}>
            <Kbd>g</Kbd> {keys.and_then} <Kbd>{page.letter}</Kbd>
          </Row>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function Row({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th scope="row" fw={400}>
        {name}
      </Table.Th>
      <Table.Td>
        <Group gap={4} wrap="nowrap">
          {children}
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
