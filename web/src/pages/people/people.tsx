/** Who belongs to the company. Only its owners change that. */
import { Box, Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useCommonWords } from '../../app/common-words.ts';
import { useCurrentCompany } from '../../app/company.ts';
import { Icon } from '../../app/icons.tsx';
import { useRead } from '../../app/reading.ts';
import { useSession } from '../../app/session.tsx';
import { useWords } from '../../app/words.ts';
import { Section } from '../../parts/facts.tsx';
import { type Column, ListTable } from '../../parts/list-table.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { Ready } from '../../parts/ready.tsx';
import { Instant } from '../../parts/time.tsx';
import { listMembers, type PersonOfCompany } from './calls.ts';
import { Invitations } from './invitations.tsx';
import { Invite } from './invite.tsx';
import { MemberActions } from './member-actions.tsx';
import { peopleWords } from './words.ts';
import { State } from '../../parts/state.tsx';

export default function People() {
  const words = useWords(peopleWords);
  const is_owner = useCurrentCompany().role === 'owner';
  const [is_inviting, dialog] = useDisclosure(false);
  const members = useRead(listMembers, {});
  const columns = useColumns(is_owner);
  return (
    <>
      <PageTitle
        text={words.about}
        actions={
          is_owner && (
            <Button onClick={dialog.open} leftSection={<Icon name="plus" size={16} />}>
              {words.invite}
            </Button>
          )
        }
      >
        {words.title}
      </PageTitle>
      <Section title={words.members}>
        <Ready read={members}>
          {({ data }) => (
            <ListTable name={words.members} rows={data} columns={columns} idOf={(row) => row.user_id} />
          )}
        </Ready>
      </Section>
      <Invitations is_owner={is_owner} />
      <Invite is_open={is_inviting} close={dialog.close} />
    </>
  );
}

function useColumns(is_owner: boolean): Column<PersonOfCompany>[] {
  const words = useWords(peopleWords);
  const { roles } = useCommonWords();
  const { user } = useSession().session;
  const is_me = (row: PersonOfCompany) => row.user_id === user.id;
  return [
    {
      id: 'name',
      title: words.name,
      cell: (row) => (
        <>
          {is_me(row) ? `${row.name} (${words.you})` : row.name}
          {/* Names are alike, and a telephone has no room for more columns beside the actions. */}
          <Box hiddenFrom="sm" fz="sm" fw={400}>
            {row.email}
            <Box mt={4}>
              <State>{roles[row.role]}</State>
            </Box>
          </Box>
        </>
      ),
    },
    { id: 'email', title: words.email, from: 'sm', cell: (row) => row.email },
    { id: 'role', title: words.role, from: 'sm', cell: (row) => <State>{roles[row.role]}</State> },
    {
      id: 'factor',
      title: words.second_factor,
      from: 'md',
      cell: (row) => (row.has_second_factor ? words.has_factor : words.no_factor),
    },
    {
      id: 'since',
      title: words.since,
      from: 'md',
      cell: (row) => <Instant at={row.created_at} is_distance />,
    },
    {
      id: 'actions',
      title: '',
      cell: (row) =>
        (is_owner || is_me(row)) && <MemberActions of={row} is_me={is_me(row)} is_owner={is_owner} />,
    },
  ];
}
