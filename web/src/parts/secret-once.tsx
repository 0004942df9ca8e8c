/** A secret, the one time that it is there. It lives in the state of whoever shows this, and goes with it. */
import { Alert, Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { useCommonWords } from '../app/common-words.ts';
import { Icon } from '../app/icons.tsx';
import { CopyButton } from './copy.tsx';

type Props = { secret: string | null; title: string; name: string; close(): void; children?: ReactNode };

export function SecretOnce({ secret, title, name, close, children }: Props) {
  const words = useCommonWords();
  return (
    <Modal
      opened={secret !== null}
      onClose={close}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
    >
      <Stack>
        <Alert color="yellow" icon={<Icon name="warning" />}>
          <Text>{words.secret.once}</Text>
        </Alert>
        <Group wrap="nowrap" gap="xs">
          <Code block flex={1} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }} data-secret>
            {secret}
          </Code>
          <CopyButton value={secret ?? ''} name={name} />
        </Group>
        {children}
        <Group justify="flex-end">
          <Button onClick={close}>{words.secret.stored}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}
