/** The fields of an endpoint, new or changed. */
import { NumberInput, Stack, Textarea, TextInput } from '@mantine/core';
import { useWords } from '../../app/words.ts';
import type { ApiForm } from '../../parts/api-form.tsx';
import { webhookWords } from './words.ts';

export type EndpointValues = {
  url: string;
  description: string;
  enabled_events: string;
  timeout_seconds: number | string;
};

/** A list of events has one field. */
export const endpointPaths = Object.fromEntries(
  Array.from({ length: 200 }, (_, index) => [`enabled_events.${index}`, 'enabled_events']),
);

/** A wait that was emptied is sent as nothing, which the service refuses: left out, it would stay as it was. */
export function endpointBody({ url, description, enabled_events, timeout_seconds }: EndpointValues) {
  const said = description.trim();
  return {
    url: url.trim(),
    description: said === '' ? null : said,
    enabled_events: [...new Set(enabled_events.split(/[\s,]+/).filter((name) => name !== ''))],
    timeout_seconds: (timeout_seconds === '' ? null : Number(timeout_seconds)) as number,
  };
}

export function EndpointFields({ of }: { of: ApiForm<EndpointValues> }) {
  const words = useWords(webhookWords);
  return (
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
      {/* What is too much is told, and not changed unseen into what is allowed. */}
      <NumberInput
        label={words.timeout}
        clampBehavior="none"
        min={1}
        max={30}
        maw="12rem"
        {...of.fields('timeout_seconds')}
      />
    </Stack>
  );
}
