import { Button, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { useCan } from '../../app/company.ts';
import { useChange } from '../../app/changing.ts';
import { useWords } from '../../app/words.ts';
import { FormFrame, useApiForm } from '../../parts/api-form.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { Section } from '../../parts/facts.tsx';
import { tell } from '../../parts/tell.ts';
import { Day } from '../../parts/time.tsx';
import { type Config, registerRepresentation, revokeRepresentation } from './calls.ts';
import { verifactuWords } from './words.ts';

export function RepresentationSection({ of }: { of: Config }) {
  const words = useWords(verifactuWords);
  const can = useCan();
  const until = of.active_representation_valid_until;
  const has_one = until !== null;
  return (
    <Section
      title={words.representation}
      actions={has_one && can('revoke_company_representation') && <Revoke until={until} />}
    >
      <Text c="dimmed">{words.representation_text}</Text>
      <Text my="sm">
        {has_one ? (
          <>
            {words.until} <Day on={until} />
          </>
        ) : (
          words.representation_none
        )}
      </Text>
      {!of.social_collaborator_available && <Text>{words.representation_unavailable}</Text>}
      {of.social_collaborator_available && can('register_company_representation') && <Register />}
    </Section>
  );
}

function Register() {
  const words = useWords(verifactuWords);
  const of = useApiForm({
    values: { valid_until: '', reference: '' },
    change: useChange(registerRepresentation),
    input: ({ valid_until, reference }) => ({
      body: { valid_until, reference: reference.trim() === '' ? null : reference.trim() },
    }),
    done: () => {
      of.empty();
      tell(words.registered);
    },
  });
  return (
    <FormFrame of={of} action={words.register}>
      <Stack maw="26rem">
        <TextInput type="date" label={words.until} required {...of.fields('valid_until')} />
        <TextInput label={words.reference} maxLength={120} {...of.fields('reference')} />
      </Stack>
    </FormFrame>
  );
}

function Revoke({ until }: { until: string }) {
  const words = useWords(verifactuWords);
  const [is_open, question] = useDisclosure(false);
  const [reason, setReason] = useState('');
  const { run, is_running, error, clear } = useChange(revokeRepresentation);
  const act = async () => {
    if ((await run({ body: { reason: reason.trim() } })) === null) return;
    question.close();
    tell(words.revoked);
  };
  return (
    <>
      <Button variant="light" color="red" size="compact-sm" onClick={question.open}>
        {words.revoke}
      </Button>
      <Confirm
        is_open={is_open}
        close={question.close}
        title={words.revoke_title}
        text={words.revoke_text}
        facts={[{ name: words.until, value: <Day on={until} /> }]}
        action={words.revoke}
        confirm={() => void act()}
        is_running={is_running}
        error={error}
        begin={() => {
          clear();
          setReason('');
        }}
      >
        <TextInput
          label={words.reason}
          required
          maxLength={500}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </Confirm>
    </>
  );
}
