/** The sandbox's clock: stopped or running, and moved forward. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useId, useState } from 'react';
import { useCan } from '../../app/company.ts';
import { useCompanyZone } from '../../app/company-details.ts';
import { useChange } from '../../app/changing.ts';
import { useRead } from '../../app/reading.ts';
import { useLanguage, useWords } from '../../app/words.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { formatExactly, instantOf, lastMoment } from '../../parts/dates.ts';
import { Section } from '../../parts/facts.tsx';
import { Ready } from '../../parts/ready.tsx';
import { Failure } from '../../parts/states.tsx';
import { tell } from '../../parts/tell.ts';
import { type Clock, getSandboxClock, updateSandboxClock } from './calls.ts';
import { dayLater, monthLater } from './clock-moves.ts';
import { sandboxWords } from './words.ts';
import { State } from '../../parts/state.tsx';

const every_ms = 30_000;

export function ClockSection() {
  const words = useWords(sandboxWords);
  const can = useCan();
  const read = useRead(getSandboxClock, {}, { every_ms });
  return (
    <Section title={words.clock}>
      <Ready read={read} rows={2}>
        {({ data }) => (
          <Stack>
            <ClockFace of={data} />
            {can('update_sandbox_clock') && <ClockMoves of={data} />}
          </Stack>
        )}
      </Ready>
    </Section>
  );
}

function useMoment(): (at: string) => string {
  const language = useLanguage();
  const zone = useCompanyZone();
  return (at) => formatExactly(at, language, zone);
}

function ClockFace({ of }: { of: Clock }) {
  const words = useWords(sandboxWords);
  const momentOf = useMoment();
  return (
    <Group gap="sm">
      <Text component="time" dateTime={of.now} fz="lg" fw={600}>
        {momentOf(of.now)}
      </Text>
      <State color={of.frozen ? 'orange' : 'green'}>{of.frozen ? words.frozen : words.running}</State>
    </Group>
  );
}

function ClockMoves({ of }: { of: Clock }) {
  const words = useWords(sandboxWords);
  const momentOf = useMoment();
  const zone = useCompanyZone();
  const [target, setTarget] = useState<string | null>(null);
  const [typed, setTyped] = useState('');
  const hint = useId();
  const hold = useChange(updateSandboxClock);
  const move = useChange(updateSandboxClock);
  const ask = (to: string) => {
    move.clear();
    setTarget(to);
  };
  const go = async () => {
    if (target === null || (await move.run({ body: { now: target } })) === null) return;
    setTarget(null);
    setTyped('');
    tell(words.moved);
  };
  const switchOver = async () => {
    const answer = await hold.run({ body: { frozen: !of.frozen } });
    if (answer !== null) tell(answer.data.frozen ? words.frozen_told : words.running_told);
  };
  return (
    <>
      <Text c="dimmed">{words.clock_text}</Text>
      <Group align="flex-end" gap="sm">
        <Button variant="default" loading={hold.is_running} onClick={() => void switchOver()}>
          {of.frozen ? words.run : words.freeze}
        </Button>
        <Button variant="default" onClick={() => ask(dayLater(of.now))}>
          {words.day}
        </Button>
        <Button variant="default" onClick={() => ask(monthLater(of.now, zone))}>
          {words.month}
        </Button>
      </Group>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (typed !== '') ask(instantOf(typed, zone));
        }}
      >
        <Group align="flex-end" gap="sm">
          <TextInput
            type="datetime-local"
            max={lastMoment}
            label={words.date}
            aria-describedby={hint}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
          <Button type="submit" variant="default" disabled={typed === ''}>
            {words.go}
          </Button>
        </Group>
        <Text id={hint} size="xs" c="dimmed" mt={5}>
          {words.date_hint}
        </Text>
      </form>
      {hold.error && <Failure error={hold.error} />}
      <Confirm
        is_open={target !== null}
        close={() => setTarget(null)}
        title={words.move_title}
        text={words.move_text}
        facts={[
          { name: words.from, value: momentOf(of.now) },
          { name: words.to, value: target === null ? '' : momentOf(target) },
        ]}
        action={words.move}
        confirm={() => void go()}
        is_running={move.is_running}
        error={move.error}
      />
    </>
  );
}
