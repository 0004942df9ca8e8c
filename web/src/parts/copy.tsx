/** Copying also works over plain http, where browsers offer no clipboard. */
import { ActionIcon, Code, Group, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useEffect, useRef, useState } from 'react';
import { useCommonWords } from '../app/common-words.ts';
import { Icon } from '../app/icons.tsx';
import { useSay } from './live-region.tsx';

const shown_ms = 1500;

async function copyText(text: string, near: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text, near);
  }
}

/** Beside the button, for a dialog keeps the focus to itself. */
function copyBySelection(text: string, near: HTMLElement): boolean {
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.setAttribute('aria-hidden', 'true');
  Object.assign(field.style, { position: 'fixed', opacity: '0', pointerEvents: 'none' });
  near.after(field);
  field.select();
  try {
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
    near.focus();
  }
}

export function CopyButton({ value, name }: { value: string; name: string }) {
  const { actions } = useCommonWords();
  const say = useSay();
  const [is_copied, setCopied] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!is_copied) return;
    const timer = setTimeout(() => setCopied(false), shown_ms);
    return () => clearTimeout(timer);
  }, [is_copied]);
  const copy = async () => {
    if (!button.current) return;
    if (await copyText(value, button.current)) {
      setCopied(true);
      say(actions.copied);
    } else notifications.show({ message: actions.copy_failed, color: 'red' });
  };
  return (
    <Tooltip label={is_copied ? actions.copied : actions.copy}>
      <ActionIcon ref={button} onClick={copy} aria-label={`${actions.copy}: ${name}`}>
        <Icon name={is_copied ? 'check' : 'copy'} />
      </ActionIcon>
    </Tooltip>
  );
}

/** A value to take along: an id, an address. */
export function CopyValue({ value, name }: { value: string; name: string }) {
  return (
    <Group gap={4} wrap="nowrap">
      <Code style={{ overflowWrap: 'anywhere' }}>{value}</Code>
      <CopyButton value={value} name={name} />
    </Group>
  );
}

/** Several lines to take along: a command, a piece of code. */
export function CopyBlock({ name, children }: { name: string; children: string }) {
  return (
    <Group wrap="nowrap" align="flex-start" gap="xs">
      <Code block flex={1} style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {children}
      </Code>
      <CopyButton value={children} name={name} />
    </Group>
  );
}
