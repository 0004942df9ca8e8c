/** Asks before a secret is changed for another, and shows the new one once. */
import { Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useRef, useState } from 'react';
import { useCommonWords } from '../app/common-words.ts';
import { Icon } from '../app/icons.tsx';
import { Confirm } from './confirm.tsx';
import type { Fact } from './facts.tsx';
import { LeaveQuestion } from './leave-question.tsx';
import { SecretOnce } from './secret-once.tsx';

type RotateSecretProps = {
  words: Record<'rotate' | 'rotate_title' | 'rotate_text' | 'rotated_title' | 'rotated_text', string>;
  /** Whose secret it is. */
  facts: readonly Fact[];
  /** What the new secret is called where it is copied. */
  name: string;
  /** The new secret; null when it was refused. */
  rotate(): Promise<string | null>;
  change: { is_running: boolean; error: Error | null; clear(): void };
};

export function RotateSecret({ words, facts, name, rotate, change }: RotateSecretProps) {
  const opener = useRef<HTMLButtonElement>(null);
  const [is_open, question] = useDisclosure(false);
  const [secret, setSecret] = useState<string | null>(null);
  const { secret: secretWords } = useCommonWords();
  const is_coming = useRef(false);
  const confirm = async () => {
    is_coming.current = true;
    const made = await rotate();
    is_coming.current = false;
    if (made === null) return;
    question.close();
    setSecret(made);
  };
  return (
    <>
      <Button
        ref={opener}
        variant="default"
        leftSection={<Icon name="refresh" size={16} />}
        onClick={() => {
          change.clear();
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
        facts={facts}
        action={words.rotate}
        confirm={() => void confirm()}
        is_running={change.is_running}
        error={change.error}
      />
      <SecretOnce
        opener={opener}
        secret={secret}
        title={words.rotated_title}
        name={name}
        close={() => setSecret(null)}
      >
        <Text size="sm">{words.rotated_text}</Text>
      </SecretOnce>
      <LeaveQuestion
        isUnsaved={() => is_coming.current}
        title={secretWords.leave_title}
        text={secretWords.leave_text}
      />
    </>
  );
}
