/** Asks before what cannot be taken back. It names the thing, with number and amount, in `facts`. */
import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { isConflict } from '../app/api.ts';
import { useCommonWords } from '../app/common-words.ts';
import { Icon } from '../app/icons.tsx';
import { useForget } from '../app/reading.ts';
import { Facts, type Fact } from './facts.tsx';
import { HeldFields } from './held-fields.tsx';
import { issuesOf } from './issues-of.ts';
import { mendFocus, useFocusAfterRefusal, useFocusMended } from './lost-focus.ts';
import { warnOfFailure } from './late-failure.tsx';
import { Failure } from './states.tsx';
import { isNameTyped } from './typed.ts';

export type ConfirmProps = {
  is_open: boolean;
  close(): void;
  title: string;
  text?: ReactNode;
  facts?: readonly Fact[];
  /** What the button says: the act, never "OK". */
  action: string;
  confirm(): void;
  is_running: boolean;
  error: Error | null;
  /** It has to be typed first. */
  type_name?: string;
  is_reversible?: boolean;
  /** As it opens: what was typed, chosen or refused when it was open before is of another time. */
  begin?: (() => void) | undefined;
  /** Of what is sent, those whose faults its fields tell. */
  fields?: readonly string[] | undefined;
  children?: ReactNode;
};

export function Confirm(given: ConfirmProps) {
  const forget = useForget();
  // Not before: what is read may take the question away, and with it the reason.
  const close = () => {
    given.close();
    if (isConflict(given.error)) void forget();
  };
  const props = { ...given, close };
  useFocusMended();
  useToldLater(props);
  return (
    <Modal
      opened={props.is_open}
      onClose={props.close}
      title={props.title}
      onExitTransitionEnd={() => mendFocus()}
    >
      {props.is_open && <Question {...props} />}
    </Modal>
  );
}

/** Who closes the question while its act runs learns all the same that it was refused. */
function useToldLater({ is_open, is_running, error }: ConfirmProps): void {
  const was_left = useRef(false);
  useEffect(() => {
    if (is_open) was_left.current = false;
    else if (is_running) was_left.current = true;
    else if (was_left.current) {
      was_left.current = false;
      if (error) warnOfFailure(error);
    }
  }, [is_open, is_running, error]);
}

function Question(props: ConfirmProps) {
  const { text, facts, action, confirm, close, is_running, error, type_name, is_reversible = false } = props;
  const words = useCommonWords();
  const [typed, setTyped] = useState('');
  const is_ready = type_name === undefined || isNameTyped(typed, type_name);
  // Before it is drawn, so nobody sees what was there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time that it opens
  useLayoutEffect(() => props.begin?.(), []);
  useEffect(() => () => mendFocus(), []);
  const form = useFocusAfterRefusal(error);
  const [is_sent, setSent] = useState(false);
  useEffect(() => {
    if (!is_running) setSent(false);
  }, [is_running]);
  const untold = error === null ? [] : issuesOf(error).filter(({ param }) => !props.fields?.includes(param));
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        if (!is_ready) return;
        setSent(true);
        confirm();
      }}
    >
      <Stack>
        {text && <Text>{text}</Text>}
        {facts && <Facts facts={facts} />}
        {/* What it waits for by itself holds nobody up. */}
        <HeldFields is_held={is_running && is_sent}>{props.children}</HeldFields>
        {!is_reversible && (
          <Alert color="red" icon={<Icon name="warning" />} p="xs">
            {words.confirm.cannot_undo}
          </Alert>
        )}
        {type_name !== undefined && (
          <TextInput
            label={words.confirm.type_name(type_name)}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoComplete="off"
            data-autofocus
          />
        )}
        {error && <Failure error={error} issues={untold} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {words.actions.cancel}
          </Button>
          <Button
            type="submit"
            color={is_reversible ? 'indigo' : 'red'}
            loading={is_running}
            disabled={!is_ready}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
