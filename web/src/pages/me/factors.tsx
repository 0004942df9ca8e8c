/** The second proofs: an application of codes, passkeys, and codes for when both are lost. */
import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useOwnChange } from '../../app/changing.ts';
import { useWords } from '../../app/words.ts';
import { Section } from '../../parts/facts.tsx';
import { Ready } from '../../parts/ready.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { tell } from '../../parts/tell.ts';
import { type Factors, useForgetOwn, useOwn } from './own.ts';
import { OwnFailure } from './own-failure.tsx';
import { Passkeys } from './passkeys.tsx';
import { AddTotp } from './totp.tsx';
import { meWords } from './words.ts';
import { State } from '../../parts/state.tsx';

type Answer<T> = { data: T };
type Codes = { recovery_codes: string[] | null };

export function FactorSection() {
  const words = useWords(meWords);
  const read = useOwn<Factors>('/me/factors');
  const forget = useForgetOwn();
  const [codes, setCodes] = useState<string[] | null>(null);
  const changed = (made: Codes | null) => {
    if (made?.recovery_codes) setCodes(made.recovery_codes);
    void forget();
  };
  return (
    <Section title={words.factors}>
      <Text c="dimmed" mb="md">
        {words.factors_text}
      </Text>
      <Ready read={read}>
        {(factors) => (
          <Stack gap="xl">
            <Totp is_on={factors.totp} changed={changed} />
            <Passkeys of={factors.passkeys} changed={changed} />
            {factors.recovery_codes_left > 0 || factors.totp || factors.passkeys.length > 0 ? (
              <RecoveryCodes left={factors.recovery_codes_left} changed={changed} />
            ) : null}
          </Stack>
        )}
      </Ready>
      <SecretOnce
        secret={codes === null ? null : codes.join('\n')}
        title={words.codes_title}
        name={words.codes}
        close={() => setCodes(null)}
      >
        <Text>{words.codes_text}</Text>
      </SecretOnce>
    </Section>
  );
}

export type Changed = (made: Codes | null) => void;

function Totp({ is_on, changed }: { is_on: boolean; changed: Changed }) {
  const words = useWords(meWords);
  const { run, is_running, error } = useOwnChange<undefined, unknown>('DELETE', '/me/totp');
  const remove = async () => {
    if ((await run(undefined)) === null) return;
    tell(words.totp_removed);
    changed(null);
  };
  return (
    <Stack gap="xs" align="flex-start">
      <Group gap="xs">
        <Title order={3} fz="md">
          {words.totp}
        </Title>
        <State color={is_on ? 'green' : 'gray'}>{is_on ? words.totp_on : words.totp_off}</State>
      </Group>
      {error && <OwnFailure error={error} />}
      {is_on ? (
        <Button variant="default" loading={is_running} onClick={() => void remove()}>
          {words.totp_remove}
        </Button>
      ) : (
        <AddTotp changed={changed} />
      )}
    </Stack>
  );
}

function RecoveryCodes({ left, changed }: { left: number; changed: Changed }) {
  const words = useWords(meWords);
  const { run, is_running, error } = useOwnChange<object, Answer<Codes>>('POST', '/me/recovery-codes');
  const make = async () => {
    const made = await run({});
    if (made !== null) changed(made.data);
  };
  return (
    <Stack gap="xs" align="flex-start">
      <Title order={3} fz="md">
        {words.codes}
      </Title>
      <Text>{words.codes_left(left)}</Text>
      {error && <OwnFailure error={error} />}
      <Button variant="default" loading={is_running} onClick={() => void make()}>
        {words.codes_new}
      </Button>
    </Stack>
  );
}
