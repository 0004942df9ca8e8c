import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { useChange } from '../../app/changing.ts';
import { Icon } from '../../app/icons.tsx';
import { useWords } from '../../app/words.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { type Key, rotateApiKeySecret } from './calls.ts';
import { KeyEnvironment } from './key-state.tsx';
import { keyWords } from './words.ts';

export function RotateSecret({ of }: { of: Key }) {
  const words = useWords(keyWords);
  const opener = useRef<HTMLButtonElement>(null);
  const [is_open, question] = useDisclosure(false);
  const [secret, setSecret] = useState<string | null>(null);
  const { run, is_running, error, clear } = useChange(rotateApiKeySecret);
  const rotate = async () => {
    const answer = await run({ params: { api_key: of.id } });
    if (answer === null) return;
    question.close();
    setSecret(answer.data.secret);
  };
  return (
    <>
      <Button
        ref={opener}
        variant="default"
        leftSection={<Icon name="refresh" size={16} />}
        onClick={() => {
          clear();
          question.open();
        }}
      >
        {words.rotate}
      </Button>
      <Confirm
        is_open={is_open}
        close={question.close}
        title={words.rotate_title}
        text={words.rotate_text}
        facts={[
          { name: words.name, value: of.name },
          { name: words.environment, value: <KeyEnvironment of={of.environment} /> },
        ]}
        action={words.rotate}
        confirm={() => void rotate()}
        is_running={is_running}
        error={error}
      />
      <SecretOnce
        opener={opener}
        secret={secret}
        title={words.rotated_title}
        name={of.name}
        close={() => setSecret(null)}
      >
        <Text size="sm">{words.rotated_text}</Text>
      </SecretOnce>
    </>
  );
}
