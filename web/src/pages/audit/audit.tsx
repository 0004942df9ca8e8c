/** Who did what: nobody changes it. */
import { Code, Text } from '@mantine/core';
import type { AuditEntry } from '../../../../src/modules/audit/audit.schema.ts';
import { useCommonWords } from '../../app/common-words.ts';
import { call, type ListQuery, type Page, type Wire } from '../../app/operation.ts';
import { defineWords, useWords } from '../../app/words.ts';
import { ListPage } from '../../parts/list-page.tsx';
import type { Column } from '../../parts/list-table.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { Instant } from '../../parts/time.tsx';

type Entry = Wire<typeof AuditEntry>;

const listAuditLog = call<{ query: ListQuery & { action?: string }; answer: Page<Entry> }>('list_audit_log');

const auditWords = defineWords(
  {
    title: 'Auditoría',
    about: 'Quién hizo qué con claves, ajustes, personas, certificados y registros. Nadie puede cambiarlo.',
    action: 'Acción',
    created: 'Fecha',
    who: 'Quién',
    what: 'Sobre qué',
    details: 'Detalles',
    system: 'El servicio',
    operator: 'Quien administra el servicio',
    empty_title: 'Todavía no hay nada',
    empty_text: 'Aquí aparecerá lo que se haga con claves, ajustes y personas.',
  },
  {
    title: 'Audit log',
    about: 'Who did what with keys, settings, people, certificates and records. Nobody can change it.',
    action: 'Action',
    created: 'Date',
    who: 'Who',
    what: 'On what',
    details: 'Details',
    system: 'The service',
    operator: 'Whoever runs the service',
    empty_title: 'There is nothing yet',
    empty_text: 'What is done with keys, settings and people will show here.',
  },
);

export default function AuditLog() {
  const words = useWords(auditWords);
  return (
    <>
      <PageTitle text={words.about}>{words.title}</PageTitle>
      <ListPage
        call={listAuditLog}
        name={words.title}
        filters={[
          { kind: 'text', name: 'action', label: words.action },
          { kind: 'days', name: 'created', label: words.created },
        ]}
        columns={useColumns()}
        idOf={(entry) => entry.id}
        empty={<EmptyState icon="audit" title={words.empty_title} text={words.empty_text} />}
      />
    </>
  );
}

function useColumns(): Column<Entry>[] {
  const words = useWords(auditWords);
  const { none } = useCommonWords();
  const whoOf = ({ actor, actor_name, actor_user_name }: Entry) =>
    actor_user_name ??
    actor_name ??
    (actor === 'operator' ? words.operator : actor === 'system' ? words.system : actor);
  return [
    { id: 'action', title: words.action, cell: ({ action }) => <Code>{action}</Code> },
    { id: 'who', title: words.who, cell: whoOf },
    {
      id: 'what',
      title: words.what,
      from: 'md',
      cell: ({ target }) => <Text size="sm">{target.object}</Text>,
    },
    {
      id: 'details',
      title: words.details,
      from: 'lg',
      cell: ({ details }) =>
        Object.keys(details).length === 0 ? (
          none
        ) : (
          <Text size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
            {JSON.stringify(details)}
          </Text>
        ),
    },
    { id: 'created', title: words.created, cell: ({ created_at }) => <Instant at={created_at} /> },
  ];
}
