/** The form of a new endpoint. Its secret is shown once, then its page opens. */
import { Text } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../app/changing.ts';
import { useGo } from '../../app/navigate.tsx';
import { useWords } from '../../app/words.ts';
import { FormFrame, useApiForm } from '../../parts/api-form.tsx';
import { BackLink } from '../../parts/back-link.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { createWebhookEndpoint, type SecretEndpoint } from './calls.ts';
import { endpointBody, EndpointFields, endpointPaths, type EndpointValues } from './endpoint-fields.tsx';
import { SandboxNote } from './sandbox-note.tsx';
import { webhookWords } from './words.ts';

export default function CreateEndpoint() {
  const words = useWords(webhookWords);
  return (
    <>
      <PageTitle above={<BackLink to="/webhooks">{words.title}</BackLink>}>{words.create}</PageTitle>
      <SandboxNote />
      <EndpointForm />
    </>
  );
}

function EndpointForm() {
  const words = useWords(webhookWords);
  const go = useGo();
  const [made, setMade] = useState<SecretEndpoint | null>(null);
  const values: EndpointValues = { url: '', description: '', enabled_events: '*', timeout_seconds: 10 };
  const of = useApiForm({
    values,
    change: useChange(createWebhookEndpoint),
    input: (filled) => ({ body: endpointBody(filled) }),
    done: ({ data }) => setMade(data),
    paths: endpointPaths,
  });
  return (
    <FormFrame of={of} action={words.create} cancel={() => go('/webhooks')}>
      <EndpointFields of={of} />
      <SecretOnce
        secret={made?.secret ?? null}
        title={words.made_title}
        name={words.secret}
        close={() => made && go(`/webhooks/${made.id}`)}
      >
        <Text size="sm">{words.made_text}</Text>
      </SecretOnce>
    </FormFrame>
  );
}
