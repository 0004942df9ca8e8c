/** Who did what. An entry has no address of its own: its details open over the list. */
import { Anchor, Code, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useCommonWords } from '../../app/common-words.ts';
import { useWords } from '../../app/words.ts';
import { CopyValue } from '../../parts/copy.tsx';
import { type Fact, Facts } from '../../parts/facts.tsx';
import { JsonView } from '../../parts/json-view.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import type { Column } from '../../parts/list-table.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { Instant } from '../../parts/time.tsx';
import { type Entry, listAuditLog } from './calls.ts';
import { auditWords } from './words.ts';

export default function AuditLog() {
  const words = useWords(auditWords);
  const [seen, setSeen] = useState<Entry | null>(null);
  return (
    <>
      <PageTitle text={words.about}>{words.title}</PageTitle>
      <ListPage
        call={listAuditLog}
        name={words.title}
        filters={[
          { kind: 'text', name: 'action', label: words.action_filter },
          { kind: 'days', name: 'created', label: words.when },
        ]}
        columns={useAuditColumns(setSeen)}
        idOf={(entry) => entry.id}
        empty={<EmptyState icon="audit" title={words.empty_title} text={words.empty_text} />}
      />
      <Modal opened={seen !== null} onClose={() => setSeen(null)} title={seen?.action} size="lg">
        {seen && <EntryDetails of={seen} />}
      </Modal>
    </>
  );
}

function useAuditColumns(see: (entry: Entry) => void): Column<Entry>[] {
  const words = useWords(auditWords);
  return [
    {
      id: 'action',
      title: words.action,
      cell: (entry) => (
        <>
          <Anchor
            component="button"
            type="button"
            ff="monospace"
            fz="sm"
            ta="start"
            style={{ overflowWrap: 'anywhere' }}
            aria-label={words.see(entry.action)}
            onClick={() => see(entry)}
            data-row
          >
            {entry.action}
          </Anchor>
          <MemberAction of={entry} />
        </>
      ),
    },
    { id: 'who', title: words.who, cell: (entry) => <Who of={entry} /> },
    { id: 'when', title: words.when, cell: (entry) => <Instant at={entry.created_at} /> },
    {
      id: 'target',
      title: words.target,
      from: 'md',
      cell: (entry) => <Code>{entry.target.object}</Code>,
    },
  ];
}

/** Readers of what people do with their accounts may know no code. */
function MemberAction({ of }: { of: Entry }) {
  const text = useMemberAction(of);
  return text === undefined ? null : (
    <Text size="sm" c="dimmed">
      {text}
    </Text>
  );
}

function useMemberAction({ action }: Entry): string | undefined {
  const { member_actions } = useWords(auditWords);
  return Object.hasOwn(member_actions, action)
    ? member_actions[action as keyof typeof member_actions]
    : undefined;
}

/** The person, where one acted through a key's or an application's access. */
function Who({ of }: { of: Entry }) {
  const { actors } = useWords(auditWords);
  const kind = actors[of.actor as keyof typeof actors] ?? of.actor;
  const names = [of.actor_name, of.actor_user_name].filter((name) => name !== null);
  return [kind, ...new Set(names)].join(' · ');
}

function EntryDetails({ of }: { of: Entry }) {
  const words = useWords(auditWords);
  const { none } = useCommonWords();
  const what = useMemberAction(of);
  const facts: Fact[] = [
    ...(what === undefined ? [] : [{ name: words.what, value: what }]),
    { name: words.who, value: <Who of={of} /> },
    { name: words.when, value: <Instant at={of.created_at} /> },
    {
      name: words.target,
      value: (
        <>
          <Code>{of.target.object}</Code>
          <CopyValue value={of.target.id} name={of.target.object} />
        </>
      ),
    },
    { name: words.ip, value: of.ip ?? none },
    {
      name: words.request,
      value: of.request_id === null ? none : <CopyValue value={of.request_id} name={words.request} />,
    },
  ];
  return (
    <Stack>
      <Facts facts={facts} />
      <JsonView value={of.details} name={words.details} />
    </Stack>
  );
}
