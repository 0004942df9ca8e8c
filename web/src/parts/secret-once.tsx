/** A secret, the one time that it is there. It lives in the state of whoever shows this, and goes with it. */
import { Alert, Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import type { ReactNode, RefObject } from 'react';
import { useCommonWords } from '../app/common-words.ts';
import { Icon } from '../app/icons.tsx';
import { CopyButton } from './copy.tsx';
import { mendFocus } from './lost-focus.ts';

type Props = {
  secret: string | null;
  title: string;
  name: string;
  close(): void;
  children?: ReactNode;
  /** What the focus goes back to, where another dialog opened this one. */
  opener?: RefObject<HTMLElement | null>;
};

export function SecretOnce({ secret, title, name, close, children, opener }: Props) {
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
      onExitTransitionEnd={() => mendFocus(opener?.current)}
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
