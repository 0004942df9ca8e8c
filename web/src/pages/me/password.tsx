import { Button, PasswordInput, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { ApiError } from '../../app/api.ts';
import { useOwnChange } from '../../app/changing.ts';
import { useSession } from '../../app/session.tsx';
import { useWords } from '../../app/words.ts';
import { Section } from '../../parts/facts.tsx';
import { HeldFields } from '../../parts/held-fields.tsx';
import { useFocusAfterRefusal } from '../../parts/lost-focus.ts';
import { ServiceText } from '../../parts/service-text.tsx';
import { tell } from '../../parts/tell.ts';
import { useForgetOwn } from './own.ts';
import { OwnFailure } from './own-failure.tsx';
import { meWords } from './words.ts';

export function Password() {
  const words = useWords(meWords);
  const { session, renew } = useSession();
  const forget = useForgetOwn();
  const [password, setPassword] = useState('');
  const { run, is_running, error } = useOwnChange<{ password: string }, unknown>('POST', '/me/password');
  const form = useFocusAfterRefusal(error);
  const send = async (event: FormEvent) => {
    event.preventDefault();
    if ((await run({ password })) === null) return;
    setPassword('');
    tell(words.password_changed);
    await Promise.all([renew(), forget()]);
  };
  const fault = error instanceof ApiError && error.problem?.param === 'password' ? error.problem : null;
  return (
    <Section title={words.password}>
      <form ref={form} onSubmit={(event) => void send(event)} noValidate>
        <Stack align="flex-start">
          <input
            type="text"
            name="username"
            autoComplete="username"
            value={session.user.email}
            readOnly
            hidden
          />
          <HeldFields is_held={is_running}>
            <PasswordInput
              label={words.new_password}
              description={words.password_hint}
              autoComplete="new-password"
              w="100%"
              maw="28rem"
              value={password}
              onChange={(event) => setPassword(event.currentTarget.value)}
              // The part says it to the eye alone.
              aria-invalid={fault !== null}
              error={fault && <ServiceText>{fault.errors?.[0]?.message ?? fault.message}</ServiceText>}
            />
          </HeldFields>
          {error && !fault && <OwnFailure error={error} />}
          <Button type="submit" variant="default" loading={is_running} disabled={password === ''}>
            {words.change_password}
          </Button>
        </Stack>
      </form>
    </Section>
  );
}
