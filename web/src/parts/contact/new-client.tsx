/** A client made on the way, in a dialog. It stands beside the form that needs it, not within: forms do not nest. */
import { Modal, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type RefObject, useEffect, useRef } from 'react';
import { useCommonWords } from '../../app/common-words.ts';
import { useChange } from '../../app/changing.ts';
import { useIsShown } from '../../app/is-shown.ts';
import { call, type One } from '../../app/operation.ts';
import { useLanguage } from '../../app/words.ts';
import type { Client, NewClient } from '../../printed/resources.ts';
import { FormFrame, useApiForm } from '../api-form.tsx';
import { LeaveModal } from '../leave-question.tsx';
import { mendFocus } from '../lost-focus.ts';
import { ShortContactFields } from './contact-fields.tsx';
import { contactBody, contactPaths, contactValues } from './contact-values.ts';

export const createClient = call<{ body: NewClient; answer: One<Client> }>('create_client');

type FormProps = {
  action: string;
  done(client: Client): void;
  /** It was made after somebody had closed the dialog. */
  madeLate(): void;
};
type Props = FormProps & { is_open: boolean; close(): void; title: string };

export function NewClientDialog({ is_open, close, title, ...form }: Props) {
  const words = useCommonWords();
  const isUnsaved = useRef(() => false);
  const [is_asked, question] = useDisclosure(false);
  return (
    <>
      <Modal
        opened={is_open}
        // Escape and the cross are pressed by mistake, and the form has a dozen fields.
        onClose={() => (isUnsaved.current() ? question.open() : close())}
        title={title}
        size="lg"
        closeOnClickOutside={false}
        closeOnEscape={!is_asked}
        onExitTransitionEnd={() => mendFocus()}
      >
        {is_open && <NewClientForm {...form} cancel={close} is_unsaved={isUnsaved} />}
      </Modal>
      {/* Not there before: it would hear the Escape that it is asked for. */}
      {is_asked && (
        <LeaveModal
          is_open
          title={words.form.leave_title}
          text={words.form.leave_text}
          stay={question.close}
          leave={() => {
            question.close();
            close();
          }}
        />
      )}
    </>
  );
}

type InnerProps = FormProps & { cancel(): void; is_unsaved: RefObject<() => boolean> };

function NewClientForm({ action, done, madeLate, cancel, is_unsaved }: InnerProps) {
  const language = useLanguage();
  const isShown = useIsShown();
  const of = useApiForm({
    values: contactValues(null, language),
    change: useChange(createClient),
    input: (values) => ({ body: contactBody(values, language) }),
    done: ({ data }) => (isShown() ? done(data) : madeLate()),
    paths: contactPaths,
  });
  useEffect(() => {
    is_unsaved.current = () => of.isUnsaved() && !of.is_running;
    return () => {
      is_unsaved.current = () => false;
    };
  });
  return (
    <FormFrame of={of} action={action} cancel={cancel} is_in_dialog>
      <Stack>
        <ShortContactFields of={of} />
      </Stack>
    </FormFrame>
  );
}
