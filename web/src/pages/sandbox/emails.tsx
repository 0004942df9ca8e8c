/** What the sandbox would have sent. */
import { useWords } from '../../app/words.ts';
import { Section } from '../../parts/facts.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import type { Column } from '../../parts/list-table.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { Instant } from '../../parts/time.tsx';
import { type ListedEmail, listEmails } from './calls.ts';
import { sandboxWords } from './words.ts';
import { State } from '../../parts/state.tsx';

const statuses = ['not_sent', 'queued', 'sent', 'failed'] as const;
const colors = { not_sent: 'gray', queued: 'indigo', sent: 'green', failed: 'red' } as const;

export function EmailState({ of }: { of: ListedEmail['status'] }) {
  const words = useWords(sandboxWords);
  return <State color={colors[of]}>{words.statuses[of]}</State>;
}

export function Emails() {
  const words = useWords(sandboxWords);
  return (
    <Section title={words.emails}>
      <ListPage
        call={listEmails}
        name={words.emails}
        filters={[
          {
            kind: 'choice',
            name: 'status',
            label: words.state,
            options: statuses.map((value) => ({ value, label: words.statuses[value] })),
          },
        ]}
        columns={useEmailColumns()}
        idOf={(email) => email.id}
        open={(email) => `/sandbox/emails/${email.id}`}
        empty={<EmptyState icon="mail" title={words.emails_empty} text={words.emails_empty_text} />}
      />
    </Section>
  );
}

function useEmailColumns(): Column<ListedEmail>[] {
  const words = useWords(sandboxWords);
  return [
    { id: 'subject', title: words.subject, cell: ({ subject }) => subject },
    { id: 'to', title: words.recipients, from: 'md', cell: ({ to }) => to.join(', ') },
    { id: 'state', title: words.state, cell: ({ status }) => <EmailState of={status} /> },
    {
      id: 'created',
      title: words.created,
      from: 'sm',
      cell: ({ created_at }) => <Instant at={created_at} />,
    },
  ];
}
