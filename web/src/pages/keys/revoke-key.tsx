import { Button, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useChange } from '../../app/changing.ts';
import { useWords } from '../../app/words.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { tell } from '../../parts/tell.ts';
import { type Key, revokeApiKey } from './calls.ts';
import { KeyEnvironment } from './key-state.tsx';
import { keyWords } from './words.ts';

export function RevokeKey({ of }: { of: Key }) {
  const words = useWords(keyWords);
  const [is_open, question] = useDisclosure(false);
  const [reason, setReason] = useState('');
  const { run, is_running, error, clear } = useChange(revokeApiKey);
  const revoke = async () => {
    const said = reason.trim();
    const answer = await run({ params: { api_key: of.id }, body: { reason: said === '' ? null : said } });
    if (answer === null) return;
    question.close();
    tell(words.revoked_told);
  };
  return (
    <>
      <Button
        variant="light"
        color="red"
        onClick={() => {
          clear();
          question.open();
        }}
      >
        {words.revoke}
      </Button>
      <Confirm
        is_open={is_open}
        close={question.close}
        title={words.revoke_title}
        text={words.revoke_text}
        facts={[
          { name: words.name, value: of.name },
          { name: words.environment, value: <KeyEnvironment of={of.environment} /> },
        ]}
        action={words.revoke}
        confirm={() => void revoke()}
        is_running={is_running}
        error={error}
        type_name={of.name}
        begin={() => setReason('')}
      >
        <TextInput
          label={words.reason}
          description={words.reason_hint}
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </Confirm>
    </>
  );
}
