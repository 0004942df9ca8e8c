/** The form of a new application. The secret of a confidential one is shown once. */
import { Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../app/changing.ts';
import { useGo } from '../../app/navigate.tsx';
import { useWords } from '../../app/words.ts';
import { FormFrame, useApiForm } from '../../parts/api-form.tsx';
import { BackLink } from '../../parts/back-link.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { type ClientInput, createOAuthClient, type SecretClient } from './calls.ts';
import { AddressFields, clientBody, clientPaths, type ClientValues, NameField } from './client-fields.tsx';
import { applicationWords } from './words.ts';

type Values = ClientValues & { type: ClientInput['type'] };

export default function CreateClient() {
  const words = useWords(applicationWords);
  return (
    <>
      <PageTitle above={<BackLink to="/applications">{words.title}</BackLink>}>{words.create}</PageTitle>
      <ClientForm />
    </>
  );
}

function ClientForm() {
  const words = useWords(applicationWords);
  const go = useGo();
  const [made, setMade] = useState<SecretClient | null>(null);
  const values: Values = { name: '', type: 'confidential', redirect_uris: '', website: '' };
  const of = useApiForm({
    values,
    change: useChange(createOAuthClient),
    input: ({ type, ...values }) => ({ body: { ...clientBody(values), type } }),
    done: ({ data }) => (data.secret === undefined ? go(`/applications/${data.id}`) : setMade(data)),
    paths: clientPaths,
  });
  return (
    <FormFrame of={of} action={words.create} cancel={() => go('/applications')}>
      <Stack maw="44rem">
        <NameField of={of} />
        <Radio.Group label={words.type} {...of.fields('type')}>
          <Stack gap="xs" mt={4}>
            <Radio
              value="confidential"
              label={words.types.confidential}
              description={words.confidential_hint}
            />
            <Radio value="public" label={words.types.public} description={words.public_hint} />
          </Stack>
        </Radio.Group>
        <AddressFields of={of} />
      </Stack>
      <SecretOnce
        secret={made?.secret ?? null}
        title={words.made_title}
        name={words.secret}
        close={() => made && go(`/applications/${made.id}`)}
      />
    </FormFrame>
  );
}
