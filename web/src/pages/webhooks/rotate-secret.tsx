import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { useChange } from '../../app/changing.ts';
import { Icon } from '../../app/icons.tsx';
import { useWords } from '../../app/words.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { type Endpoint, rotateWebhookSecret } from './calls.ts';
import { Breaking } from './states.tsx';
import { webhookWords } from './words.ts';

export function RotateSecret({ of }: { of: Endpoint }) {
  const words = useWords(webhookWords);
  const opener = useRef<HTMLButtonElement>(null);
  const [is_open, question] = useDisclosure(false);
  const [secret, setSecret] = useState<string | null>(null);
  const { run, is_running, error, clear } = useChange(rotateWebhookSecret);
  const rotate = async () => {
    const answer = await run({ params: { webhook_endpoint: of.id } });
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
        facts={[{ name: words.url, value: <Breaking>{of.url}</Breaking> }]}
        action={words.rotate}
        confirm={() => void rotate()}
        is_running={is_running}
        error={error}
      />
      <SecretOnce
        opener={opener}
        secret={secret}
        title={words.rotated_title}
        name={words.secret}
        close={() => setSecret(null)}
      >
        <Text size="sm">{words.rotated_text}</Text>
      </SecretOnce>
    </>
  );
}
