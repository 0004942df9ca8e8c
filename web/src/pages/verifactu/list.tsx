/** State and counts, then the records: those blocked or rejected are one filter away. */
import { Alert, Anchor, Button, Code, Group, SimpleGrid, Text } from '@mantine/core';
import { useCan, useCurrentCompany } from '../../app/company.ts';
import { useChange } from '../../app/changing.ts';
import { Icon } from '../../app/icons.tsx';
import { PageLink } from '../../app/navigate.tsx';
import { useRead } from '../../app/reading.ts';
import { useWords } from '../../app/words.ts';
import { Section } from '../../parts/facts.tsx';
import type { Filter } from '../../parts/list-filters.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import type { Column } from '../../parts/list-table.tsx';
import { Money } from '../../parts/money-field.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { Ready } from '../../parts/ready.tsx';
import { EmptyState, Failure } from '../../parts/states.tsx';
import { tell } from '../../parts/tell.ts';
import { Instant } from '../../parts/time.tsx';
import type { VerifactuStats } from '../../printed/resources.ts';
import { getStats, listRecords, retryBlocked, type VfRecord } from './calls.ts';
import { RecordState, useBlockRemedy } from './record-state.tsx';
import { verifactuWords } from './words.ts';

export default function RecordList() {
  const words = useWords(verifactuWords);
  const can = useCan();
  const read = useRead(getStats, {}, { every_ms: 30_000 });
  const settings = can('get_verifactu_config') && (
    <Button component={PageLink} to="/verifactu/settings" variant="default">
      {words.settings}
    </Button>
  );
  return (
    <>
      <PageTitle text={words.about} actions={settings}>
        {words.title}
      </PageTitle>
      <Ready read={read} rows={2}>
        {({ data }) => <Counts of={data} />}
      </Ready>
      <ListPage
        call={listRecords}
        name={words.records}
        filters={useRecordFilters()}
        columns={useRecordColumns()}
        idOf={(record) => record.id}
        open={(record) => `/verifactu/${record.id}`}
        empty={<EmptyState icon="seal" title={words.empty_title} text={words.empty_text} />}
        every_ms={30_000}
      />
    </>
  );
}

function Counts({ of }: { of: VerifactuStats }) {
  const words = useWords(verifactuWords);
  const { environment } = useCurrentCompany();
  const blockRemedy = useBlockRemedy();
  const counts: [string, number, Record<string, string>][] = [
    [words.states.pending, of.by_status.pending + of.by_status.sending, { status: 'pending' }],
    [words.blocked, of.blocked_incident_count, { is_blocked: 'true' }],
    [words.states.rejected, of.by_status.rejected, { status: 'rejected' }],
    [
      words.states.accepted_with_errors,
      of.by_status.accepted_with_errors,
      { status: 'accepted_with_errors' },
    ],
    [words.states.accepted, of.by_status.accepted, { status: 'accepted' }],
  ];
  return (
    <Section title={words.state} actions={of.blocked_incident_count > 0 && <RetryBlocked />}>
      {of.block_reason !== null && (
        <Alert color="orange" icon={<Icon name="warning" />} title={words.company_blocked} mb="md">
          {blockRemedy(of.block_reason)} <Code>{of.block_reason}</Code>
        </Alert>
      )}
      <SimpleGrid cols={{ base: 2, sm: 5 }}>
        {counts.map(([name, count, search]) => (
          <Anchor component={PageLink} key={name} to="/verifactu" search={search}>
            <Text component="span" display="block" fz="h3" fw={700}>
              {count}
            </Text>
            <Text component="span" size="sm">
              {name}
            </Text>
          </Anchor>
        ))}
      </SimpleGrid>
      {of.oldest_pending_at !== null && (
        <Text c="dimmed" size="sm" mt="md">
          {/* A sandbox's clock is not the browser's. */}
          {words.oldest} <Instant at={of.oldest_pending_at} is_distance={environment === 'live'} />
        </Text>
      )}
    </Section>
  );
}

function RetryBlocked() {
  const words = useWords(verifactuWords);
  const can = useCan();
  const { run, is_running, error } = useChange(retryBlocked);
  if (!can('retry_blocked_verifactu_records')) return null;
  const retry = async () => {
    const answer = await run({});
    if (answer !== null) tell(words.reactivated(answer.data.reactivated));
  };
  return (
    <Group>
      {error && <Failure error={error} />}
      <Button
        loading={is_running}
        onClick={() => void retry()}
        leftSection={<Icon name="refresh" size={16} />}
      >
        {words.retry_blocked}
      </Button>
    </Group>
  );
}

function useRecordFilters(): Filter[] {
  const words = useWords(verifactuWords);
  const options = Object.entries(words.states).map(([value, label]) => ({ value, label }));
  return [
    { kind: 'text', name: 'number', label: words.number },
    { kind: 'choice', name: 'status', label: words.status, options },
    {
      kind: 'choice',
      name: 'is_blocked',
      label: words.blocked,
      options: [
        { value: 'true', label: words.only_blocked },
        { value: 'false', label: words.not_blocked },
      ],
    },
    { kind: 'days', name: 'issued_on', label: words.issued_on },
    {
      kind: 'sort',
      name: 'sort',
      label: words.sort,
      options: [
        { value: '-created', label: words.newest },
        { value: 'created', label: words.oldest_first },
      ],
    },
  ];
}

function useRecordColumns(): Column<VfRecord>[] {
  const words = useWords(verifactuWords);
  return [
    { id: 'number', title: words.number, cell: ({ invoice }) => invoice.number },
    { id: 'kind', title: words.kind, from: 'sm', cell: ({ kind }) => words.kinds[kind] },
    { id: 'status', title: words.status, cell: (record) => <RecordState {...record} /> },
    {
      id: 'code',
      title: words.code,
      from: 'md',
      cell: ({ block_reason, aeat_error_code }) => {
        const code = aeat_error_code ?? block_reason;
        return code === null ? '—' : <Code>{code}</Code>;
      },
    },
    {
      id: 'recorded',
      title: words.recorded,
      from: 'sm',
      cell: ({ recorded_at }) => <Instant at={recorded_at} />,
    },
    {
      id: 'total',
      title: words.total,
      is_amount: true,
      from: 'xs',
      cell: ({ total }) => <Money amount={total} />,
    },
  ];
}
