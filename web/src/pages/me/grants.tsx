/** Which applications may act for the person, in any company: to look at after a new password, and to end in one move. */
import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useOwnChange } from '../../app/changing.ts';
import { useSession } from '../../app/session.tsx';
import { useWords } from '../../app/words.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { Section } from '../../parts/facts.tsx';
import { type Column, ListTable } from '../../parts/list-table.tsx';
import { Ready } from '../../parts/ready.tsx';
import { tell } from '../../parts/tell.ts';
import { Instant } from '../../parts/time.tsx';
import { type OwnGrant, useForgetOwn, useOwn } from './own.ts';
import { meWords } from './words.ts';

/** The service sends no more. */
const shownMax = 200;

export function Grants() {
  const words = useWords(meWords);
  const { companies } = useSession().session;
  const read = useOwn<OwnGrant[]>('/me/grants');
  const companyOf = ({ company_id, environment }: OwnGrant) => {
    const found = companies.find(({ id }) => id === company_id);
    const name = found?.name ?? found?.tax_id ?? company_id;
    return environment === 'test' ? `${name} (${words.sandbox})` : name;
  };
  const columns: Column<OwnGrant>[] = [
    { id: 'client', title: words.application, cell: ({ client }) => client.name },
    { id: 'company', title: words.company, cell: companyOf },
    {
      id: 'used',
      title: words.used,
      from: 'sm',
      cell: ({ last_used_at }) =>
        last_used_at === null ? words.never : <Instant at={last_used_at} is_distance />,
    },
  ];
  return (
    <Section title={words.grants} actions={(read.data?.length ?? 0) > 0 && <EndAll />}>
      <Text c="dimmed" mb="md">
        {words.grants_text}
      </Text>
      <Ready read={read}>
        {(rows) =>
          rows.length === 0 ? (
            <Text>{words.grants_none}</Text>
          ) : (
            <>
              <ListTable name={words.grants} rows={rows} columns={columns} idOf={({ id }) => id} />
              {rows.length >= shownMax && <Text mt="md">{words.grants_more}</Text>}
            </>
          )
        }
      </Ready>
    </Section>
  );
}

function EndAll() {
  const words = useWords(meWords);
  const forget = useForgetOwn();
  const [is_open, question] = useDisclosure(false);
  const { run, is_running, error, clear } = useOwnChange<object, unknown>('POST', '/me/grants/end-all');
  const end = async () => {
    if ((await run({})) === null) return;
    question.close();
    tell(words.grants_ended);
    await forget();
  };
  return (
    <>
      <Button variant="default" size="xs" onClick={question.open}>
        {words.grants_end}
      </Button>
      <Confirm
        is_open={is_open}
        close={question.close}
        title={words.grants_end_title}
        text={words.grants_end_text}
        action={words.grants_end}
        confirm={() => void end()}
        is_running={is_running}
        error={error}
        begin={clear}
      />
    </>
  );
}
