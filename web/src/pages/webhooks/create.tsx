/** The form of a new endpoint. Its secret is shown once, then its page opens. */
import { NumberInput, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../app/changing.ts';
import { useGo } from '../../app/navigate.tsx';
import { useWords } from '../../app/words.ts';
import { FormFrame, useApiForm } from '../../parts/api-form.tsx';
import { BackLink } from '../../parts/back-link.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { createWebhookEndpoint, type EndpointInput, type SecretEndpoint } from './calls.ts';
import { webhookWords } from './words.ts';

type Values = { url: string; description: string; enabled_events: string; timeout_seconds: number | string };

function inputOf({ url, description, enabled_events, timeout_seconds }: Values): { body: EndpointInput } {
  const said = description.trim();
  return {
    body: {
      url: url.trim(),
      description: said === '' ? null : said,
      enabled_events: [...new Set(enabled_events.split(/[\s,]+/).filter((name) => name !== ''))],
      ...(timeout_seconds === '' ? {} : { timeout_seconds: Number(timeout_seconds) }),
    },
  };
}

export default function CreateEndpoint() {
  const words = useWords(webhookWords);
  return (
    <>
      <PageTitle above={<BackLink to="/webhooks">{words.title}</BackLink>}>{words.create}</PageTitle>
      <EndpointForm />
    </>
  );
}

function EndpointForm() {
  const words = useWords(webhookWords);
  const go = useGo();
  const [made, setMade] = useState<SecretEndpoint | null>(null);
  const values: Values = { url: '', description: '', enabled_events: '*', timeout_seconds: 10 };
  const of = useApiForm({
    values,
    change: useChange(createWebhookEndpoint),
    input: inputOf,
    done: ({ data }) => setMade(data),
    paths: { 'enabled_events.0': 'enabled_events' },
  });
  return (
    <FormFrame of={of} action={words.create} cancel={() => go('/webhooks')}>
      <Stack maw="44rem">
        <TextInput type="url" label={words.url} description={words.url_hint} required {...of.fields('url')} />
        <TextInput label={words.description} {...of.fields('description')} />
        <Textarea
          label={words.events}
          description={words.events_hint}
          required
          autosize
          minRows={2}
          {...of.fields('enabled_events')}
        />
        <NumberInput label={words.timeout} min={1} max={30} maw="12rem" {...of.fields('timeout_seconds')} />
      </Stack>
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
