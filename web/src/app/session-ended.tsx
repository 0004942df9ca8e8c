/** A session may end in the middle of a form. The page stays as it is, and goes on after a new sign-in. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { Failure } from '../parts/states.tsx';
import { useCommonWords } from './common-words.ts';

/** A question below hears Escape too, and would close with what was typed in it. */
const keepsEscape = { 'data-mantine-stop-propagation': 'true' };

type Props = { resume(): Promise<boolean>; address: string };

export default function SessionEnded({ resume, address }: Props) {
  const { session } = useCommonWords();
  const [is_checking, setChecking] = useState(false);
  const [is_none, setNone] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const check = async () => {
    setChecking(true);
    setError(null);
    try {
      setNone(!(await resume()));
    } catch (thrown) {
      setNone(false);
      setError(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
    setChecking(false);
  };
  return (
    <Modal
      opened
      onClose={() => undefined}
      title={session.ended_title}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      zIndex={1000}
      overlayProps={{ zIndex: 1000 }}
    >
      <Stack>
        <Text>{session.ended_text}</Text>
        {is_none && (
          <Text role="alert" c="red.9" fw={600}>
            {session.still_none}
          </Text>
        )}
        {error && <Failure error={error} />}
        <Group>
          <Button component="a" href={address} target="_blank" rel="noopener" {...keepsEscape}>
            {session.sign_in}
          </Button>
          <Button variant="default" onClick={check} loading={is_checking} {...keepsEscape}>
            {session.check}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
