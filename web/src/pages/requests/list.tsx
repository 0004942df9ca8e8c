/** Calls of programs, newest first. People's own, made from these pages, are not among them. */
import { Anchor, Group, Text } from '@mantine/core';
import { useAddress } from '../../app/navigate.tsx';
import { useSession } from '../../app/session.tsx';
import { useLanguage, useWords } from '../../app/words.ts';
import { formatMilliseconds } from '../../parts/dates.ts';
import { Dotted } from '../../parts/dotted.ts';
import type { Filter } from '../../parts/list-filters.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import type { Column } from '../../parts/list-table.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { Instant } from '../../parts/time.tsx';
import { listRequestLogs, type RequestLog } from './calls.ts';
import { requestWords } from './words.ts';
import { State } from '../../parts/state.tsx';

const statuses = [200, 201, 202, 204, 400, 401, 403, 404, 409, 413, 422, 429, 500, 503].map(String);
const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const choices = (values: readonly string[]) => values.map((value) => ({ value, label: value }));

export default function RequestList() {
  const words = useWords(requestWords);
  return (
    <>
      <PageTitle text={words.about}>{words.title}</PageTitle>
      <ListPage
        call={listRequestLogs}
        filters={useRequestFilters()}
        name={words.title}
        columns={useRequestColumns()}
        idOf={(request) => request.id}
        empty={<EmptyState icon="requests" title={words.empty_title} text={words.empty_text} />}
      />
    </>
  );
}

function useRequestFilters(): Filter[] {
  const words = useWords(requestWords);
  return [
    { kind: 'text', name: 'operation', label: words.operation },
    { kind: 'choice', name: 'status', label: words.status, options: choices(statuses) },
    { kind: 'choice', name: 'method', label: words.method, options: choices(methods) },
    { kind: 'text', name: 'error_code', label: words.code },
    { kind: 'text', name: 'request_id', label: words.request },
    { kind: 'text', name: 'actor_id', label: words.who_id },
    { kind: 'days', name: 'created', label: words.when },
  ];
}

function useRequestColumns(): Column<RequestLog>[] {
  const words = useWords(requestWords);
  const language = useLanguage();
  return [
    { id: 'operation', title: words.operation, cell: (request) => <What of={request} /> },
    { id: 'status', title: words.status, cell: (request) => <Status of={request} /> },
    { id: 'who', title: words.who, from: 'sm', cell: (request) => <Who of={request} /> },
    {
      id: 'duration',
      title: words.duration,
      from: 'md',
      cell: (request) => formatMilliseconds(request.duration_ms, language),
    },
    {
      id: 'when',
      title: words.when,
      from: 'sm',
      cell: (request) => <Instant at={request.created_at} />,
    },
  ];
}

function What({ of }: { of: RequestLog }) {
  return (
    <>
      {of.operation === null ? of.method : <Only of="operation" value={of.operation} name={of.operation} />}
      <Text size="sm" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {of.method} {of.path}
      </Text>
      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
        {of.request_id}
      </Text>
    </>
  );
}

function Who({ of }: { of: RequestLog }) {
  const name = of.actor_name ?? of.actor;
  return of.actor_id === null ? name : <Only of="actor_id" value={of.actor_id} name={name} />;
}

type OnlyProps = { of: 'operation' | 'actor_id'; value: string; name: string };

/** Narrows the list by what the row says. */
function Only({ of, value, name }: OnlyProps) {
  const words = useWords(requestWords);
  const { change } = useAddress();
  return (
    <Anchor
      component="button"
      type="button"
      ta="start"
      style={{ overflowWrap: 'anywhere' }}
      title={words.only(name)}
      onClick={() => void change({ [of]: value, after: null, before: null })}
    >
      {of === 'operation' ? <Dotted name={name} /> : name}
    </Anchor>
  );
}

/** An error's code leads to the page that explains it. */
function Status({ of }: { of: RequestLog }) {
  const { session } = useSession();
  const color = of.status < 400 ? 'green' : of.status < 500 ? 'orange' : 'red';
  return (
    <Group gap="xs">
      <State color={color}>{of.status}</State>
      {of.error_code !== null && (
        <Anchor
          size="sm"
          href={`${session.docs_url}/docs/errors/${of.error_code}`}
          target="_blank"
          rel="noopener"
          style={{ overflowWrap: 'anywhere' }}
        >
          <Dotted name={of.error_code} />
        </Anchor>
      )}
    </Group>
  );
}
