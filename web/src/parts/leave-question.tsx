/** Asks whoever leaves a page with something that would be lost. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useCommonWords } from '../app/common-words.ts';

type LeaveProps = { isUnsaved(): boolean; title: string; text: string };

export function LeaveQuestion({ isUnsaved, title, text }: LeaveProps) {
  const blocker = useBlocker({
    shouldBlockFn: isUnsaved,
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  });
  const { status, reset } = blocker;
  // It was saved while it was asked: there is nothing to ask any more.
  useEffect(() => {
    if (status === 'blocked' && !isUnsaved()) reset();
  });
  return (
    <LeaveModal
      is_open={status === 'blocked'}
      title={title}
      text={text}
      stay={() => reset?.()}
      leave={() => blocker.proceed?.()}
    />
  );
}

type ModalProps = { is_open: boolean; title: string; text: string; stay(): void; leave(): void };

/** For a dialog that would be closed with what was typed in it, too. */
export function LeaveModal({ is_open, title, text, stay, leave }: ModalProps) {
  const { form } = useCommonWords();
  return (
    // A dialog may be open below it.
    <Modal opened={is_open} onClose={stay} title={title} zIndex={300} overlayProps={{ zIndex: 300 }}>
      <Stack>
        <Text>{text}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={stay}>
            {form.stay}
          </Button>
          <Button color="red" onClick={leave}>
            {form.leave}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
