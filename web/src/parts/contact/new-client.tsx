/** A client made on the way, in a dialog. It stands beside the form that needs it, not within: forms do not nest. */
import { Modal, Stack } from '@mantine/core';
import { useChange } from '../../app/changing.ts';
import { useIsShown } from '../../app/is-shown.ts';
import { call, type One } from '../../app/operation.ts';
import { useLanguage } from '../../app/words.ts';
import type { Client, NewClient } from '../../printed/resources.ts';
import { FormFrame, useApiForm } from '../api-form.tsx';
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
  return (
    <Modal
      opened={is_open}
      onClose={close}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      onExitTransitionEnd={() => mendFocus()}
    >
      {is_open && <NewClientForm {...form} cancel={close} />}
    </Modal>
  );
}

function NewClientForm({ action, done, madeLate, cancel }: FormProps & { cancel(): void }) {
  const language = useLanguage();
  const isShown = useIsShown();
  const of = useApiForm({
    values: contactValues(null, language),
    change: useChange(createClient),
    input: (values) => ({ body: contactBody(values, language) }),
    done: ({ data }) => (isShown() ? done(data) : madeLate()),
    paths: contactPaths,
  });
  return (
    <FormFrame of={of} action={action} cancel={cancel} is_in_dialog>
      <Stack>
        <ShortContactFields of={of} />
      </Stack>
    </FormFrame>
  );
}
