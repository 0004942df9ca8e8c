import { Textarea, TextInput } from '@mantine/core';
import { useWords } from '../../app/words.ts';
import type { ApiForm } from '../../parts/api-form.tsx';
import { applicationWords } from './words.ts';

export type ClientValues = { name: string; redirect_uris: string; website: string };

/** A list of addresses has one field. */
export const clientPaths = Object.fromEntries(
  Array.from({ length: 10 }, (_, index) => [`redirect_uris.${index}`, 'redirect_uris']),
);

export function clientBody({ name, redirect_uris, website }: ClientValues) {
  const uris = [...new Set(redirect_uris.split(/\s+/).filter((text) => text !== ''))];
  const page = website.trim();
  return { name: name.trim(), redirect_uris: uris, website: page === '' ? null : page };
}

export function NameField<V extends ClientValues>({ of }: { of: ApiForm<V> }) {
  const words = useWords(applicationWords);
  return <TextInput label={words.name} description={words.name_hint} required {...of.fields('name')} />;
}

export function AddressFields<V extends ClientValues>({ of }: { of: ApiForm<V> }) {
  const words = useWords(applicationWords);
  return (
    <>
      <Textarea
        label={words.redirects}
        description={words.redirects_hint}
        required
        autosize
        minRows={2}
        {...of.fields('redirect_uris')}
      />
      <TextInput type="url" label={words.website} {...of.fields('website')} />
    </>
  );
}
