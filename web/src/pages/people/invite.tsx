import { Modal, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../app/changing.ts';
import { useIsShown } from '../../app/is-shown.ts';
import type { Role } from '../../app/session.tsx';
import { useWords } from '../../app/words.ts';
import { FormFrame, useApiForm } from '../../parts/api-form.tsx';
import { mendFocus } from '../../parts/lost-focus.ts';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { tell } from '../../parts/tell.ts';
import { inviteMember } from './calls.ts';
import { RoleChoice } from './role-choice.tsx';
import { peopleWords } from './words.ts';

type Props = { is_open: boolean; close(): void };

export function Invite({ is_open, close }: Props) {
  const words = useWords(peopleWords);
  const [link, setLink] = useState<string | null>(null);
  const done = (made: string | null, is_open_still: boolean) => {
    if (is_open_still) close();
    if (made === null) tell(words.invited);
    else setLink(made);
  };
  return (
    <>
      <Modal
        opened={is_open}
        onClose={close}
        title={words.invite_title}
        onExitTransitionEnd={() => mendFocus()}
      >
        {is_open && <InviteForm done={done} cancel={close} />}
      </Modal>
      <SecretOnce secret={link} title={words.link_title} name={words.link_name} close={() => setLink(null)}>
        <Text>{words.link_text}</Text>
      </SecretOnce>
    </>
  );
}

type FormProps = { done(link: string | null, is_open_still: boolean): void; cancel(): void };

function InviteForm({ done, cancel }: FormProps) {
  const words = useWords(peopleWords);
  const change = useChange(inviteMember);
  const isShown = useIsShown();
  const of = useApiForm({
    values: { email: '', role: 'accountant' as Role },
    change,
    input: ({ email, role }) => ({ body: { email: email.trim(), role } }),
    // Who closed it meanwhile may have opened it for another.
    done: ({ data }) => done(data.link, isShown()),
  });
  return (
    <FormFrame of={of} action={words.invite} cancel={cancel} is_in_dialog>
      <Text c="dimmed">{words.invite_text}</Text>
      <TextInput
        label={words.email}
        type="email"
        autoComplete="off"
        required
        data-autofocus
        {...of.fields('email')}
      />
      <RoleChoice
        label={words.role}
        value={of.form.values.role}
        onChange={(role) => of.form.setFieldValue('role', role)}
      />
    </FormFrame>
  );
}
