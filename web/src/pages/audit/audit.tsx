/** Who did what. An entry has no address of its own: its details open over the list. */
import { Anchor, Code, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useCommonWords } from '../../app/common-words.ts';
import { useLanguage, useWords } from '../../app/words.ts';
import { CopyValue } from '../../parts/copy.tsx';
import { Dotted } from '../../parts/dotted.ts';
import { type Fact, Facts } from '../../parts/facts.tsx';
import { JsonView } from '../../parts/json-view.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import type { Column } from '../../parts/list-table.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { Instant } from '../../parts/time.tsx';
import { actionText, objectText } from './actions.ts';
import { type Entry, listAuditLog } from './calls.ts';
import { auditWords } from './words.ts';

export default function AuditLog() {
  const words = useWords(auditWords);
  const [seen, setSeen] = useState<Entry | null>(null);
  const textOf = useActionText();
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
      <Modal
        opened={seen !== null}
        onClose={() => setSeen(null)}
        title={seen && (textOf(seen) ?? seen.action)}
        size="lg"
      >
        {seen && <EntryDetails of={seen} />}
      </Modal>
    </>
  );
}

function useAuditColumns(see: (entry: Entry) => void): Column<Entry>[] {
  const words = useWords(auditWords);
  const textOf = useActionText();
  return [
    {
      id: 'action',
      title: words.action,
      cell: (entry) => (
        <>
          <Anchor
            component="button"
            type="button"
            fz="sm"
            ta="start"
            aria-label={words.see(textOf(entry) ?? entry.action)}
            onClick={() => see(entry)}
            data-row
          >
            {textOf(entry) ?? <ActionCode of={entry} />}
          </Anchor>
          {textOf(entry) && (
            <Text size="xs" c="dimmed">
              <ActionCode of={entry} />
            </Text>
          )}
        </>
      ),
    },
    { id: 'who', title: words.who, cell: (entry) => <Who of={entry} /> },
    { id: 'when', title: words.when, cell: (entry) => <Instant at={entry.created_at} /> },
    {
      id: 'target',
      title: words.target,
      from: 'md',
      cell: (entry) => <Target of={entry} />,
    },
  ];
}

/** What was done, for who knows no codes. */
function useActionText(): (entry: Entry) => string | undefined {
  const { member_actions } = useWords(auditWords);
  const language = useLanguage();
  return ({ action }) =>
    Object.hasOwn(member_actions, action)
      ? member_actions[action as keyof typeof member_actions]
      : actionText(action, language);
}

/** What the filter takes. */
function ActionCode({ of }: { of: Entry }) {
  return (
    <span style={{ fontFamily: 'var(--mantine-font-family-monospace)', overflowWrap: 'anywhere' }}>
      <Dotted name={of.action} />
    </span>
  );
}

function Target({ of }: { of: Entry }) {
  const language = useLanguage();
  const { object } = of.target;
  return objectText(object, language) ?? <Code>{object}</Code>;
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
  const facts: Fact[] = [
    { name: words.action, value: <ActionCode of={of} /> },
    { name: words.who, value: <Who of={of} /> },
    { name: words.when, value: <Instant at={of.created_at} /> },
    {
      name: words.target,
      value: (
        <>
          <Target of={of} />
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
