/** What an owner may do with a person, and each with themselves. */
import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useChange } from '../../app/changing.ts';
import { useCommonWords } from '../../app/common-words.ts';
import { useIsShown } from '../../app/is-shown.ts';
import { useSession } from '../../app/session.tsx';
import { useWords } from '../../app/words.ts';
import { Confirm } from '../../parts/confirm.tsx';
import { HeldFields } from '../../parts/held-fields.tsx';
import { mendFocus } from '../../parts/lost-focus.ts';
import { Failure } from '../../parts/states.tsx';
import { tell } from '../../parts/tell.ts';
import { type PersonOfCompany, removeMember, updateMemberRole } from './calls.ts';
import { RoleChoice } from './role-choice.tsx';
import { peopleWords } from './words.ts';

type Props = { of: PersonOfCompany; is_me: boolean; is_owner: boolean };

export function MemberActions({ of, is_me, is_owner }: Props) {
  return (
    <Group gap="xs" justify="flex-end">
      {is_owner && <ChangeRole of={of} />}
      <Remove of={of} is_me={is_me} />
    </Group>
  );
}

function ChangeRole({ of }: { of: PersonOfCompany }) {
  const words = useWords(peopleWords);
  const [is_open, dialog] = useDisclosure(false);
  return (
    <>
      <Button variant="default" size="xs" onClick={dialog.open} aria-label={`${words.change}: ${of.name}`}>
        {words.change}
      </Button>
      <Modal
        opened={is_open}
        onClose={dialog.close}
        title={words.change_of(of.name)}
        onExitTransitionEnd={() => mendFocus()}
      >
        {is_open && <RoleForm of={of} close={dialog.close} />}
      </Modal>
    </>
  );
}

function RoleForm({ of, close }: { of: PersonOfCompany; close(): void }) {
  const words = useWords(peopleWords);
  const { actions } = useCommonWords();
  const { renew } = useSession();
  const [role, setRole] = useState(of.role);
  const isShown = useIsShown();
  const { run, is_running, error } = useChange(updateMemberRole);
  const save = async () => {
    if ((await run({ params: { member: of.user_id }, body: { role } })) === null) return;
    if (isShown()) close();
    tell(words.changed);
    await renew();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Stack>
        <Text c="dimmed">{words.change_text}</Text>
        <HeldFields is_held={is_running}>
          <RoleChoice label={words.role} value={role} onChange={setRole} />
        </HeldFields>
        {error && <Failure error={error} />}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {actions.cancel}
          </Button>
          <Button type="submit" loading={is_running}>
            {words.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Remove({ of, is_me }: { of: PersonOfCompany; is_me: boolean }) {
  const words = useWords(peopleWords);
  const { roles } = useCommonWords();
  const { renew } = useSession();
  const [is_open, question] = useDisclosure(false);
  const { run, is_running, error, clear } = useChange(removeMember);
  const remove = async () => {
    if ((await run({ params: { member: of.user_id } })) === null) return;
    question.close();
    tell(words.removed);
    await renew();
  };
  const action = is_me ? words.leave : words.remove;
  return (
    <>
      <Button
        variant="light"
        color="red"
        size="xs"
        aria-label={`${action}: ${of.name}`}
        onClick={() => {
          clear();
          question.open();
        }}
      >
        {action}
      </Button>
      <Confirm
        is_open={is_open}
        close={question.close}
        title={is_me ? words.leave_title : words.remove_title}
        text={words.remove_text}
        facts={[
          { name: words.name, value: of.name },
          { name: words.role, value: roles[of.role] },
        ]}
        action={action}
        confirm={() => void remove()}
        is_running={is_running}
        error={error}
        is_reversible
      />
    </>
  );
}
