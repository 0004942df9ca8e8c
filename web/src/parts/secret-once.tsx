/** A secret, the one time that it is there. It lives in the state of whoever shows this, and goes with it. */
import { Alert, Button, Code, Group, Modal, Stack, Text } from '@mantine/core';
import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
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
  const keep = useKept(secret, close);
  return (
    <Modal
      opened={secret !== null}
      onClose={keep}
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
          <Button onClick={keep}>{words.secret.stored}</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** No way back or on takes the secret along before somebody says that they have it. */
function useKept(secret: string | null, close: () => void): () => void {
  const is_shown = useRef(false);
  useEffect(() => {
    is_shown.current = secret !== null;
  }, [secret]);
  const isShown = () => is_shown.current;
  useBlocker({ shouldBlockFn: isShown, enableBeforeUnload: isShown });
  return () => {
    is_shown.current = false;
    close();
  };
}
