import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../app/changing.ts';
import { useGo } from '../../app/navigate.tsx';
import { useRead } from '../../app/reading.ts';
import { useLanguage, useWords } from '../../app/words.ts';
import { FormFrame, useApiForm } from '../../parts/api-form.tsx';
import { BackLink } from '../../parts/back-link.tsx';
import { changedOnly } from '../../parts/changed-only.ts';
import { ClientFields } from '../../parts/client/client-fields.tsx';
import { clientBody, clientPaths, clientValues } from '../../parts/client/client-values.ts';
import { PageTitle } from '../../parts/page-title.tsx';
import { Ready } from '../../parts/ready.tsx';
import { tell } from '../../parts/tell.ts';
import { type Client, getClient, updateClient } from './calls.ts';
import { clientPageWords } from './words.ts';

export default function EditClient() {
  const words = useWords(clientPageWords);
  const { client } = useParams({ strict: false }) as { client: string };
  const read = useRead(getClient, { params: { client } });
  return (
    <>
      <PageTitle above={<BackLink to={`/clients/${client}`}>{words.details}</BackLink>}>
        {words.edit}
      </PageTitle>
      <Ready read={read}>{({ data }) => <ClientForm key={data.id} of={data} />}</Ready>
    </>
  );
}

function ClientForm({ of }: { of: Client }) {
  const words = useWords(clientPageWords);
  const language = useLanguage();
  const go = useGo();
  const [before] = useState(() => clientValues(of, language));
  const back = () => go(`/clients/${of.id}`);
  const form = useApiForm({
    values: before,
    change: useChange(updateClient),
    input: (values) => ({
      params: { client: of.id },
      body: changedOnly(clientBody(values, language), clientBody(before, language)),
    }),
    done: () => {
      tell(words.saved);
      back();
    },
    paths: clientPaths,
  });
  return (
    <FormFrame of={form} action={words.save} cancel={back}>
      <ClientFields of={form} />
    </FormFrame>
  );
}
