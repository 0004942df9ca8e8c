/** Keys of both environments; in the sandbox, its own alone. */
import { Button, Code } from '@mantine/core';
import { useCan } from '../../app/company.ts';
import { Icon } from '../../app/icons.tsx';
import { PageLink } from '../../app/navigate.tsx';
import { useWords } from '../../app/words.ts';
import { ListPage } from '../../parts/list-page.tsx';
import type { Column } from '../../parts/list-table.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { Instant } from '../../parts/time.tsx';
import { type ListedKey, listApiKeys } from './calls.ts';
import { KeyEnvironment, KeyState } from './key-state.tsx';
import { keyWords } from './words.ts';

export default function KeyList() {
  const words = useWords(keyWords);
  const can = useCan();
  const create = can('create_api_key') && (
    <Button component={PageLink} to="/keys/new" leftSection={<Icon name="plus" size={16} />}>
      {words.create}
    </Button>
  );
  return (
    <>
      <PageTitle text={words.about} actions={create}>
        {words.title}
      </PageTitle>
      <ListPage
        call={listApiKeys}
        name={words.title}
        columns={useKeyColumns()}
        idOf={(key) => key.id}
        open={(key) => `/keys/${key.id}`}
        empty={<EmptyState icon="key" title={words.empty_title} text={words.empty_text} />}
      />
    </>
  );
}

function useKeyColumns(): Column<ListedKey>[] {
  const words = useWords(keyWords);
  const scopesOf = ({ scopes }: ListedKey) =>
    scopes.includes('*') ? words.all_scopes : words.scope_count(scopes.length);
  return [
    { id: 'name', title: words.name, cell: (key) => key.name },
    { id: 'environment', title: words.environment, cell: (key) => <KeyEnvironment of={key.environment} /> },
    {
      id: 'state',
      title: words.state,
      cell: (key) => <KeyState is_active={key.active} is_revoked={key.revoked} />,
    },
    { id: 'prefix', title: words.prefix, from: 'md', cell: (key) => <Code>{key.prefix}</Code> },
    { id: 'scopes', title: words.scopes, from: 'md', cell: scopesOf },
    {
      id: 'used',
      title: words.last_used,
      from: 'sm',
      cell: (key) =>
        key.last_used_at === null ? words.never : <Instant at={key.last_used_at} is_distance />,
    },
  ];
}
