/** Address, events and wait of an endpoint. Its state and its secret are changed on its page. */
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
import { type Endpoint, getWebhookEndpoint, updateWebhookEndpoint } from './calls.ts';
import { endpointBody, EndpointFields, endpointPaths } from './endpoint-fields.tsx';
import { webhookWords } from './words.ts';

export default function EditEndpoint() {
  const words = useWords(webhookWords);
  const { webhook_endpoint } = useParams({ strict: false }) as { webhook_endpoint: string };
  const read = useRead(getWebhookEndpoint, { params: { webhook_endpoint } });
  return (
    <>
      <PageTitle above={<BackLink to={`/webhooks/${webhook_endpoint}`}>{words.one}</BackLink>}>
        {words.edit}
      </PageTitle>
      <Ready read={read}>{({ data }) => <EndpointForm key={data.id} of={data} />}</Ready>
    </>
  );
}

function EndpointForm({ of: { id, url, description, enabled_events, timeout_seconds } }: { of: Endpoint }) {
  const words = useWords(webhookWords);
  const go = useGo();
  const back = () => go(`/webhooks/${id}`);
  const [before] = useState({
    url,
    description: description ?? '',
    enabled_events: enabled_events.join('\n'),
    timeout_seconds: timeout_seconds as number | string,
  });
  const of = useApiForm({
    values: before,
    change: useChange(updateWebhookEndpoint),
    input: (filled) => ({
      params: { webhook_endpoint: id },
      body: changedOnly(endpointBody(filled), endpointBody(before)),
    }),
    done: () => {
      tell(words.edited_told);
      back();
    },
    paths: endpointPaths,
  });
  return (
    <FormFrame of={of} action={words.save} cancel={back}>
      <EndpointFields of={of} />
    </FormFrame>
  );
}
