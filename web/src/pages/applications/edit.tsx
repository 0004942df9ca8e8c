/** How an application presents itself. Its type does not change. */
import { Stack } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../app/changing.ts';
import { useGo } from '../../app/navigate.tsx';
import { useRead } from '../../app/reading.ts';
import { useWords } from '../../app/words.ts';
import { changedOnly } from '../../parts/changed-only.ts';
import { FormFrame, useApiForm } from '../../parts/api-form.tsx';
import { BackLink } from '../../parts/back-link.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { Ready } from '../../parts/ready.tsx';
import { tell } from '../../parts/tell.ts';
import { type Client, getOAuthClient, updateOAuthClient } from './calls.ts';
import { AddressFields, clientBody, clientPaths, NameField } from './client-fields.tsx';
import { applicationWords } from './words.ts';

export default function EditClient() {
  const words = useWords(applicationWords);
  const { oauth_client } = useParams({ strict: false }) as { oauth_client: string };
  const read = useRead(getOAuthClient, { params: { oauth_client } });
  return (
    <>
      <PageTitle above={<BackLink to={`/applications/${oauth_client}`}>{words.one}</BackLink>}>
        {words.edit}
      </PageTitle>
      <Ready read={read}>{({ data }) => <ClientForm key={data.id} of={data} />}</Ready>
    </>
  );
}

function ClientForm({ of: { id, name, redirect_uris, website } }: { of: Client }) {
  const words = useWords(applicationWords);
  const go = useGo();
  const back = () => go(`/applications/${id}`);
  const [before] = useState({ name, redirect_uris: redirect_uris.join('\n'), website: website ?? '' });
  const of = useApiForm({
    values: before,
    change: useChange(updateOAuthClient),
    input: (values) => ({
      params: { oauth_client: id },
      body: changedOnly(clientBody(values), clientBody(before)),
    }),
    done: () => {
      tell(words.edited_told);
      back();
    },
    paths: clientPaths,
  });
  return (
    <FormFrame of={of} action={words.save} cancel={back}>
      <Stack maw="44rem">
        <NameField of={of} />
        <AddressFields of={of} />
      </Stack>
    </FormFrame>
  );
}
