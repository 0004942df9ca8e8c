/** Who gave which application access to the company. */
import { useWords } from '../../app/words.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import type { Column } from '../../parts/list-table.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { Instant } from '../../parts/time.tsx';
import { type Grant, listOAuthGrants } from './calls.ts';
import { applicationWords } from './words.ts';
import { State } from '../../parts/state.tsx';

export default function Connected() {
  const words = useWords(applicationWords);
  return (
    <>
      <PageTitle above={<BackLink to="/applications">{words.title}</BackLink>} text={words.connected_about}>
        {words.connected}
      </PageTitle>
      <ListPage
        call={listOAuthGrants}
        filters={[{ kind: 'text', name: 'client_id', label: 'client_id' }]}
        name={words.connected}
        columns={useGrantColumns()}
        idOf={(grant) => grant.id}
        open={(grant) => `/applications/connected/${grant.id}`}
        empty={<EmptyState icon="apps" title={words.nobody_title} text={words.nobody_text} />}
      />
    </>
  );
}

export function GrantState({ of }: { of: Grant }) {
  const words = useWords(applicationWords);
  const is_on = of.revoked_at === null;
  return <State color={is_on ? 'green' : 'gray'}>{is_on ? words.in_force : words.ended}</State>;
}

function useGrantColumns(): Column<Grant>[] {
  const words = useWords(applicationWords);
  return [
    { id: 'client', title: words.application, cell: (grant) => grant.client.name },
    { id: 'user', title: words.person, cell: (grant) => grant.user.name ?? '—' },
    { id: 'state', title: words.state, cell: (grant) => <GrantState of={grant} /> },
    { id: 'scopes', title: words.scopes, from: 'md', cell: (grant) => grant.scopes.length },
    {
      id: 'used',
      title: words.last_used,
      from: 'sm',
      cell: (grant) => <Instant at={grant.last_used_at} is_distance />,
    },
  ];
}
