/** Asks whoever leaves a page with something that would be lost. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useCommonWords } from '../app/common-words.ts';

type LeaveProps = { isUnsaved(): boolean; title: string; text: string };

export function LeaveQuestion({ isUnsaved, title, text }: LeaveProps) {
  const { form } = useCommonWords();
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
    <Modal opened={status === 'blocked'} onClose={() => reset?.()} title={title}>
      <Stack>
        <Text>{text}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={() => reset?.()}>
            {form.stay}
          </Button>
          <Button color="red" onClick={() => blocker.proceed?.()}>
            {form.leave}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
