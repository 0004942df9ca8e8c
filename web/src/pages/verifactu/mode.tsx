import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useChange } from '../../app/changing.ts';
import { useWords } from '../../app/words.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { tell } from '../../parts/tell.ts';
import { type Config, updateSettings } from './calls.ts';
import { verifactuWords } from './words.ts';

export function ChangeMode({ of }: { of: Config }) {
  const words = useWords(verifactuWords);
  const [is_open, question] = useDisclosure(false);
  const now = of.next_remission_mode ?? of.remission_mode ?? 'verifactu';
  const planned_on = of.next_remission_mode_on ?? '';
  const [mode, setMode] = useState<string>(now);
  const [from, setFrom] = useState(planned_on);
  const { run, is_running, error, clear } = useChange(updateSettings);
  const act = async () => {
    const to =
      mode === 'verifactu' || mode === 'no_verifactu'
        ? { enabled: true, remission_mode: mode as 'verifactu' | 'no_verifactu' }
        : { enabled: false };
    const body = from === '' ? to : { ...to, effective_on: from };
    if ((await run({ body })) === null) return;
    question.close();
    tell(from === '' ? words.mode_told : words.mode_planned);
  };
  return (
    <>
      <Button
        variant="default"
        onClick={() => {
          clear();
          question.open();
        }}
      >
        {words.mode_change}
      </Button>
      <Confirm
        is_open={is_open}
        close={question.close}
        title={words.mode_title}
        text={words.mode_text}
        action={words.mode_change}
        confirm={() => void act()}
        is_running={is_running}
        error={error}
        begin={() => {
          setMode(now);
          setFrom(planned_on);
        }}
      >
        <NativeSelect
          label={words.mode}
          description={words.mode_hint}
          data={Object.entries(words.modes).map(([value, label]) => ({ value, label }))}
          value={mode}
          onChange={(event) => setMode(event.currentTarget.value)}
        />
        <TextInput
          type="date"
          label={words.mode_from}
          description={words.mode_from_hint}
          value={from}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
      </Confirm>
    </>
  );
}
