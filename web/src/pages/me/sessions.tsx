import { Button, Text } from '@mantine/core';
import { useOwnChange } from '../../app/changing.ts';
import { useCommonWords } from '../../app/common-words.ts';
import { useCompanyZone } from '../../app/company-details.ts';
import { useLanguage, useWords } from '../../app/words.ts';
import { formatInstant } from '../../parts/dates.ts';
import { Section } from '../../parts/facts.tsx';
import { type Column, ListTable } from '../../parts/list-table.tsx';
import { Ready } from '../../parts/ready.tsx';
import { tell } from '../../parts/tell.ts';
import { Instant } from '../../parts/time.tsx';
import { browserName } from './browser-name.ts';
import { type OwnSession, useForgetOwn, useOwn } from './own.ts';
import { OwnFailure } from './own-failure.tsx';
import { meWords } from './words.ts';
import { State } from '../../parts/state.tsx';

export function Sessions() {
  const words = useWords(meWords);
  const { none } = useCommonWords();
  const read = useOwn<OwnSession[]>('/me/sessions');
  const columns: Column<OwnSession>[] = [
    {
      id: 'browser',
      title: words.browser,
      cell: ({ user_agent }) => (
        <Text size="sm" lineClamp={2}>
          {user_agent === null ? none : browserName(user_agent, words.on_system)}
        </Text>
      ),
    },
    { id: 'ip', title: words.from, from: 'sm', cell: ({ ip }) => ip },
    { id: 'seen', title: words.seen, cell: ({ last_seen_at }) => <Instant at={last_seen_at} is_distance /> },
    {
      id: 'actions',
      title: '',
      cell: (row) => (row.is_this ? <State>{words.this_session}</State> : <End of={row} />),
    },
  ];
  return (
    <Section title={words.sessions} actions={<EndOthers />}>
      <Ready read={read}>
        {(rows) => <ListTable name={words.sessions} rows={rows} columns={columns} idOf={({ id }) => id} />}
      </Ready>
    </Section>
  );
}

function End({ of }: { of: OwnSession }) {
  const words = useWords(meWords);
  const language = useLanguage();
  const zone = useCompanyZone();
  // One browser may have several sessions: the moment tells them apart.
  const browser = of.user_agent === null ? null : browserName(of.user_agent, words.on_system);
  const which = [browser, of.ip, formatInstant(of.last_seen_at, language, zone)].filter(Boolean);
  const forget = useForgetOwn();
  const { run, is_running, error } = useOwnChange<undefined, unknown>('DELETE', `/me/sessions/${of.id}`);
  const end = async () => {
    if ((await run(undefined)) === null) return;
    tell(words.ended);
    await forget();
  };
  return (
    <>
      {error && <OwnFailure error={error} />}
      <Button
        variant="default"
        size="xs"
        loading={is_running}
        onClick={() => void end()}
        aria-label={`${words.end}: ${which.join(', ')}`}
      >
        {words.end}
      </Button>
    </>
  );
}

function EndOthers() {
  const words = useWords(meWords);
  const forget = useForgetOwn();
  const { run, is_running, error } = useOwnChange<object, unknown>('POST', '/me/sessions/end-others');
  const end = async () => {
    if ((await run({})) === null) return;
    tell(words.ended_others);
    await forget();
  };
  return (
    <>
      {error && <OwnFailure error={error} />}
      <Button variant="default" size="xs" loading={is_running} onClick={() => void end()}>
        {words.end_others}
      </Button>
    </>
  );
}
