/** What numbers the documents. */
import { Button, Group } from '@mantine/core';
import { useCan } from '../../app/company.ts';
import { Icon } from '../../app/icons.tsx';
import { PageLink } from '../../app/navigate.tsx';
import { useWords } from '../../app/words.ts';
import type { Choice } from '../../parts/list-filters.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import type { Column } from '../../parts/list-table.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { seriesKinds } from '../../printed/documents.ts';
import { listSeries, type Series } from './calls.ts';
import { CompanyNav } from './company-nav.tsx';
import { companyWords } from './words.ts';
import { State } from '../../parts/state.tsx';

export function useKindChoices(): Choice[] {
  const { kinds } = useWords(companyWords);
  return seriesKinds.map((value) => ({ value, label: kinds[value] }));
}

export default function SeriesList() {
  const words = useWords(companyWords);
  const can = useCan();
  const create = can('create_series') && (
    <Button component={PageLink} to="/company/series/new" leftSection={<Icon name="plus" size={16} />}>
      {words.series_create}
    </Button>
  );
  return (
    <>
      <PageTitle text={words.series_about} actions={create}>
        {words.series}
      </PageTitle>
      <CompanyNav />
      <ListPage
        call={listSeries}
        name={words.series}
        filters={[
          { kind: 'choice', name: 'document_type', label: words.numbers, options: useKindChoices() },
          {
            kind: 'choice',
            name: 'is_archived',
            label: words.archived_filter,
            options: [
              { value: 'false', label: words.in_use },
              { value: 'true', label: words.is_archived },
            ],
          },
        ]}
        columns={useSeriesColumns()}
        idOf={(series) => series.id}
        open={(series) => `/company/series/${series.id}`}
        empty={<EmptyState icon="company" title={words.series_empty} text="" />}
      />
    </>
  );
}

function useSeriesColumns(): Column<Series>[] {
  const words = useWords(companyWords);
  return [
    { id: 'code', title: words.code, cell: ({ code }) => code },
    { id: 'name', title: words.series_name, from: 'md', cell: ({ name }) => name },
    { id: 'kind', title: words.numbers, cell: (series) => <Kind of={series} /> },
    { id: 'format', title: words.format, from: 'md', cell: ({ format }) => format },
    {
      id: 'next',
      title: words.next_number,
      is_amount: true,
      from: 'xs',
      cell: ({ next_number }) => next_number,
    },
    { id: 'state', title: words.state, cell: (series) => <SeriesState of={series} /> },
  ];
}

/** Beside a long code its words stay whole. */
function Kind({ of }: { of: Series }) {
  const { kinds } = useWords(companyWords);
  return <span style={{ overflowWrap: 'break-word' }}>{kinds[of.document_type]}</span>;
}

export function SeriesState({ of }: { of: Series }) {
  const words = useWords(companyWords);
  const [color, text] = of.is_archived ? ['gray', words.is_archived] : ['green', words.in_use];
  return (
    <Group gap={4}>
      {of.is_default && <State color="indigo">{words.is_default}</State>}
      {!of.is_default && <State color={color}>{text}</State>}
    </Group>
  );
}
