import { Box, Button, Text } from '@mantine/core';
import { useChange } from '../../app/changing.ts';
import { useCommonWords } from '../../app/common-words.ts';
import { useRead } from '../../app/reading.ts';
import { useWords } from '../../app/words.ts';
import { Section } from '../../parts/facts.tsx';
import { type Column, ListTable } from '../../parts/list-table.tsx';
import { Ready } from '../../parts/ready.tsx';
import { Failure } from '../../parts/states.tsx';
import { tell } from '../../parts/tell.ts';
import { Instant } from '../../parts/time.tsx';
import { cancelInvitation, listInvitations, type OpenInvitation } from './calls.ts';
import { peopleWords } from './words.ts';

export function Invitations({ is_owner }: { is_owner: boolean }) {
  const words = useWords(peopleWords);
  const { roles, none } = useCommonWords();
  const read = useRead(listInvitations, {});
  const columns: Column<OpenInvitation>[] = [
    {
      id: 'email',
      title: words.email,
      cell: (row) => (
        <>
          {row.email}
          <Box hiddenFrom="sm" fz="sm" fw={400}>
            {roles[row.role]}
          </Box>
        </>
      ),
    },
    { id: 'role', title: words.role, from: 'sm', cell: (row) => roles[row.role] },
    { id: 'by', title: words.invited_by, from: 'md', cell: (row) => row.invited_by_name ?? none },
    { id: 'expires', title: words.expires, from: 'sm', cell: (row) => <Instant at={row.expires_at} /> },
    { id: 'actions', title: '', cell: (row) => is_owner && <Cancel of={row} /> },
  ];
  return (
    <Section title={words.invitations}>
      <Ready read={read}>
        {({ data }) =>
          data.length === 0 ? (
            <Text c="dimmed">{words.no_invitations}</Text>
          ) : (
            <ListTable name={words.invitations} rows={data} columns={columns} idOf={(row) => row.id} />
          )
        }
      </Ready>
    </Section>
  );
}

function Cancel({ of }: { of: OpenInvitation }) {
  const words = useWords(peopleWords);
  const { run, is_running, error } = useChange(cancelInvitation);
  const cancel = async () => {
    if ((await run({ params: { invitation: of.id } })) !== null) tell(words.cancelled);
  };
  return (
    <>
      {error && <Failure error={error} />}
      <Button
        variant="default"
        size="xs"
        loading={is_running}
        onClick={() => void cancel()}
        aria-label={`${words.cancel}: ${of.email}`}
      >
        {words.cancel}
      </Button>
    </>
  );
}
