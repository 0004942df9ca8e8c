import { Button } from '@mantine/core';
import { useCan } from '../../app/company.ts';
import { Icon } from '../../app/icons.tsx';
import { PageLink } from '../../app/navigate.tsx';
import { useWords } from '../../app/words.ts';
import type { Filter } from '../../parts/list-filters.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import type { Column } from '../../parts/list-table.tsx';
import { Money } from '../../parts/money-field.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { Day } from '../../parts/time.tsx';
import type { Invoice } from '../../printed/resources.ts';
import { listInvoices } from './calls.ts';
import { InvoiceState, statuses } from './states.tsx';
import { invoiceWords } from './words.ts';

const sorts = ['-created', 'created', '-total', 'total', '-number', 'number'] as const;

export default function InvoiceList() {
  const words = useWords(invoiceWords);
  const can = useCan();
  const create = can('create_invoice') && (
    <Button component={PageLink} to="/invoices/new" leftSection={<Icon name="plus" size={16} />}>
      {words.create}
    </Button>
  );
  return (
    <>
      <PageTitle text={words.about} actions={create}>
        {words.title}
      </PageTitle>
      <ListPage
        call={listInvoices}
        name={words.title}
        filters={useInvoiceFilters()}
        columns={useInvoiceColumns()}
        idOf={(invoice) => invoice.id}
        open={(invoice) => `/invoices/${invoice.id}`}
        empty={<EmptyState icon="invoice" title={words.empty_title} text={words.empty_text} />}
      />
    </>
  );
}

function useInvoiceFilters(): Filter[] {
  const words = useWords(invoiceWords);
  return [
    { kind: 'search', name: 'q', label: words.search, least: 3 },
    {
      kind: 'choice',
      name: 'status',
      label: words.state,
      options: statuses.map((status) => ({ value: status, label: words.states[status] })),
    },
    { kind: 'days', name: 'issued_on', label: words.issued_on },
    {
      kind: 'sort',
      name: 'sort',
      label: words.sort,
      options: sorts.map((sort) => ({ value: sort, label: words.sorts[sort] })),
    },
  ];
}

function useInvoiceColumns(): Column<Invoice>[] {
  const words = useWords(invoiceWords);
  return [
    { id: 'number', title: words.number, cell: (invoice) => <Named of={invoice} /> },
    { id: 'client', title: words.client, from: 'md', cell: ({ client }) => client?.name ?? words.no_client },
    { id: 'state', title: words.state, cell: ({ status }) => <InvoiceState status={status} /> },
    {
      id: 'issued_on',
      title: words.issued_on,
      from: 'sm',
      cell: ({ issued_on }) => <Day on={issued_on} />,
    },
    { id: 'due_on', title: words.due_on, from: 'lg', cell: ({ due_on }) => <Day on={due_on} /> },
    {
      id: 'pending',
      title: words.pending,
      is_amount: true,
      from: 'md',
      cell: ({ pending_amount, currency, status }) => (
        <Money amount={status === 'draft' ? null : pending_amount} currency={currency} />
      ),
    },
    {
      id: 'total',
      title: words.total,
      is_amount: true,
      cell: ({ total, currency }) => <Money amount={total} currency={currency} />,
    },
  ];
}

/** Characters of a number that may take more than a line. */
const longNumber = 20;

/** A narrow screen has no column of clients. */
function Named({ of: { number, client } }: { of: Invoice }) {
  const words = useWords(invoiceWords);
  return (
    <>
      <span style={{ whiteSpace: (number?.length ?? 0) > longNumber ? 'normal' : 'nowrap' }}>
        {number ?? words.draft}
      </span>
      <small
        className="mantine-hidden-from-md"
        style={{ display: 'block', color: 'var(--mantine-color-dimmed)' }}
      >
        {client?.name ?? words.no_client}
      </small>
    </>
  );
}
