import { Button, Group, Modal, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { useOwnChange } from '../../app/changing.ts';
import { useSession } from '../../app/session.tsx';
import { useWords } from '../../app/words.ts';
import { HeldFields } from '../../parts/held-fields.tsx';
import { type Column, ListTable } from '../../parts/list-table.tsx';
import { mendFocus } from '../../parts/lost-focus.ts';
import { tell } from '../../parts/tell.ts';
import { Instant } from '../../parts/time.tsx';
import type { Changed } from './factors.tsx';
import type { Factors } from './own.ts';
import { OwnFailure } from './own-failure.tsx';
import { meWords } from './words.ts';

type Passkey = Factors['passkeys'][number];

export function Passkeys({ of, changed }: { of: Passkey[]; changed: Changed }) {
  const words = useWords(meWords);
  const { features } = useSession().session;
  const columns: Column<Passkey>[] = [
    { id: 'name', title: words.name, cell: ({ name }) => name },
    {
      id: 'used',
      title: words.used,
      cell: ({ last_used_at }) =>
        last_used_at === null ? words.never : <Instant at={last_used_at} is_distance />,
    },
    { id: 'actions', title: '', cell: (row) => <Remove of={row} changed={changed} /> },
  ];
  return (
    <Stack gap="xs" align="flex-start">
      <Title order={3} fz="md">
        {words.passkeys}
      </Title>
      <Text c="dimmed">{words.passkey_text}</Text>
      {of.length > 0 && <ListTable name={words.passkeys} rows={of} columns={columns} idOf={({ id }) => id} />}
      {of.length === 0 && <Text>{words.passkey_none}</Text>}
      {features.passkeys ? <Add changed={changed} /> : <Text c="dimmed">{words.passkey_localhost}</Text>}
    </Stack>
  );
}

function Add({ changed }: { changed: Changed }) {
  const words = useWords(meWords);
  const [is_open, dialog] = useDisclosure(false);
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        {words.passkey_add}
      </Button>
      <Modal
        opened={is_open}
        onClose={dialog.close}
        title={words.passkey_add}
        onExitTransitionEnd={() => mendFocus()}
      >
        {is_open && (
          <AddForm
            done={(made) => {
              dialog.close();
              changed(made);
            }}
          />
        )}
      </Modal>
    </>
  );
}

type Options = { data: PublicKeyCredentialCreationOptionsJSON };
type Made = { data: { id: string; recovery_codes: string[] | null } };

function AddForm({ done }: { done: Changed }) {
  const words = useWords(meWords);
  const [name, setName] = useState('');
  const [is_failed, setFailed] = useState(false);
  const options = useOwnChange<object, Options>('POST', '/me/passkeys/options');
  const add = useOwnChange<{ name: string; response: unknown }, Made>('POST', '/me/passkeys');
  const send = async (event: FormEvent) => {
    event.preventDefault();
    setFailed(false);
    const asked = await options.run({});
    if (asked === null) return;
    const response = await create(asked.data).catch(() => null);
    if (response === null) return setFailed(true);
    const made = await add.run({ name: name.trim(), response });
    if (made === null) return;
    tell(words.passkey_added);
    done(made.data);
  };
  const error = options.error ?? add.error;
  return (
    <form onSubmit={(event) => void send(event)} noValidate>
      <Stack>
        <HeldFields is_held={options.is_running || add.is_running}>
          <TextInput
            label={words.passkey_name}
            description={words.passkey_name_hint}
            autoComplete="off"
            maxLength={60}
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        </HeldFields>
        {is_failed && <Text role="alert">{words.passkey_failed}</Text>}
        {error && <OwnFailure error={error} />}
        <Group justify="flex-end">
          <Button type="submit" loading={options.is_running || add.is_running} disabled={name.trim() === ''}>
            {words.passkey_add}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

async function create(options: PublicKeyCredentialCreationOptionsJSON): Promise<unknown> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
  const made = await navigator.credentials.create({ publicKey });
  return made === null ? null : (made as PublicKeyCredential).toJSON();
}

function Remove({ of, changed }: { of: Passkey; changed: Changed }) {
  const words = useWords(meWords);
  const { run, is_running, error } = useOwnChange<undefined, unknown>('DELETE', `/me/passkeys/${of.id}`);
  const remove = async () => {
    if ((await run(undefined)) === null) return;
    tell(words.passkey_removed);
    changed(null);
  };
  return (
    <>
      {error && <OwnFailure error={error} />}
      <Button
        variant="default"
        size="xs"
        loading={is_running}
        onClick={() => void remove()}
        aria-label={`${words.passkey_remove}: ${of.name}`}
      >
        {words.passkey_remove}
      </Button>
    </>
  );
}
