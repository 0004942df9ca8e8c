import { Alert, Button, List, Text } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../app/changing.ts';
import { useWords } from '../../app/words.ts';
import { Section } from '../../parts/facts.tsx';
import { Failure } from '../../parts/states.tsx';
import { type Check, checkIntegrity } from './calls.ts';
import { verifactuWords } from './words.ts';

export function Integrity() {
  const words = useWords(verifactuWords);
  const [check, setCheck] = useState<Check | null>(null);
  const { run, is_running, error } = useChange(checkIntegrity);
  const act = async () => {
    const answer = await run({ body: {} });
    if (answer !== null) setCheck(answer.data);
  };
  return (
    <Section
      title={words.integrity}
      actions={
        <Button variant="default" loading={is_running} onClick={() => void act()}>
          {words.check}
        </Button>
      }
    >
      <Text c="dimmed" mb="md">
        {words.integrity_text}
      </Text>
      {error && <Failure error={error} />}
      {check && <Found of={check} />}
    </Section>
  );
}

function Found({ of }: { of: Check }) {
  const words = useWords(verifactuWords);
  return (
    <Alert
      role="status"
      color={of.is_intact ? 'green' : 'red'}
      title={of.is_intact ? words.intact(of.checked.records) : words.faults(of.fault_count)}
    >
      <List lang="es">
        {of.faults.map(({ kind, position, message, record_id, event_id }) => (
          <List.Item key={`${kind} ${position ?? ''} ${record_id ?? event_id ?? ''}`}>{message}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
