import { Button, Center, Modal, Stack, Text, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../app/api.ts';
import { useOwnChange } from '../../app/changing.ts';
import { useWords } from '../../app/words.ts';
import { CopyValue } from '../../parts/copy.tsx';
import { HeldFields } from '../../parts/held-fields.tsx';
import { mendFocus, useFocusAfterRefusal } from '../../parts/lost-focus.ts';
import { ServiceText } from '../../parts/service-text.tsx';
import { tell } from '../../parts/tell.ts';
import type { Changed } from './factors.tsx';
import { OwnFailure } from './own-failure.tsx';
import { meWords } from './words.ts';

type Begun = { secret: string; address: string; qr_svg: string };

export function AddTotp({ changed }: { changed: Changed }) {
  const words = useWords(meWords);
  const [begun, setBegun] = useState<Begun | null>(null);
  const { run, is_running, error } = useOwnChange<object, { data: Begun }>('POST', '/me/totp');
  const begin = async () => {
    const answer = await run({});
    if (answer !== null) setBegun(answer.data);
  };
  return (
    <>
      {error && <OwnFailure error={error} />}
      <Button variant="default" loading={is_running} onClick={() => void begin()}>
        {words.totp_add}
      </Button>
      <Modal
        opened={begun !== null}
        onClose={() => setBegun(null)}
        title={words.totp_title}
        onExitTransitionEnd={() => mendFocus()}
      >
        {begun && (
          <ConfirmTotp
            begun={begun}
            done={(made) => {
              setBegun(null);
              changed(made);
            }}
          />
        )}
      </Modal>
    </>
  );
}

function ConfirmTotp({ begun, done }: { begun: Begun; done: Changed }) {
  const words = useWords(meWords);
  const [code, setCode] = useState('');
  const { run, is_running, error } = useOwnChange<
    { code: string },
    { data: { recovery_codes: string[] | null } }
  >('POST', '/me/totp/confirm');
  const form = useFocusAfterRefusal(error);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const answer = await run({ code });
    if (answer === null) return;
    tell(words.totp_added);
    done(answer.data);
  };
  const fault = error instanceof ApiError && error.problem?.param === 'code' ? error.problem : null;
  return (
    <form ref={form} onSubmit={(event) => void send(event)} noValidate>
      <Stack>
        <Text>{words.totp_scan}</Text>
        <Center>
          <img
            src={`data:image/svg+xml,${encodeURIComponent(begun.qr_svg)}`}
            alt="QR"
            width={208}
            height={208}
          />
        </Center>
        <CopyValue value={begun.secret} name={words.totp_secret} />
        <HeldFields is_held={is_running}>
          <TextInput
            label={words.totp_code}
            inputMode="numeric"
            autoComplete="one-time-code"
            data-autofocus
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            error={fault && <ServiceText>{fault.errors?.[0]?.message ?? fault.message}</ServiceText>}
          />
        </HeldFields>
        {error && !fault && <OwnFailure error={error} />}
        <Button type="submit" loading={is_running} disabled={code.trim() === ''}>
          {words.totp_confirm}
        </Button>
      </Stack>
    </form>
  );
}
