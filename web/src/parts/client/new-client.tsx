/** A client made on the way, in a dialog. It stands beside the form that needs it, not within: forms do not nest. */
import { Modal, Stack } from '@mantine/core';
import { useChange } from '../../app/changing.ts';
import { useLanguage, useWords } from '../../app/words.ts';
import type { Client } from '../../printed/resources.ts';
import { FormFrame, useApiForm } from '../api-form.tsx';
import { mendFocus } from '../lost-focus.ts';
import { ShortClientFields } from './client-fields.tsx';
import { clientBody, clientPaths, clientValues, createClient } from './client-values.ts';
import { clientWords } from './client-words.ts';

type Props = { is_open: boolean; close(): void; title: string; done(client: Client): void };

export function NewClientDialog({ is_open, close, title, done }: Props) {
  return (
    <Modal
      opened={is_open}
      onClose={close}
      title={title}
      size="lg"
      closeOnClickOutside={false}
      onExitTransitionEnd={() => mendFocus()}
    >
      {is_open && <NewClientForm done={done} cancel={close} />}
    </Modal>
  );
}

function NewClientForm({ done, cancel }: { done(client: Client): void; cancel(): void }) {
  const words = useWords(clientWords);
  const language = useLanguage();
  const of = useApiForm({
    values: clientValues(null, language),
    change: useChange(createClient),
    input: (values) => ({ body: clientBody(values, language) }),
    done: ({ data }) => done(data),
    paths: clientPaths,
  });
  return (
    <FormFrame of={of} action={words.create} cancel={cancel} is_in_dialog>
      <Stack>
        <ShortClientFields of={of} />
      </Stack>
    </FormFrame>
  );
}
