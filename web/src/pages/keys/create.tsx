/** The form of a new key. Its secret is shown once, then the key's page opens. */
import { Alert, Radio, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../app/changing.ts';
import { useCurrentCompany } from '../../app/company.ts';
import { useCompanyZone } from '../../app/company-details.ts';
import { Icon } from '../../app/icons.tsx';
import { useAddress, useGo } from '../../app/navigate.tsx';
import { useSession } from '../../app/session.tsx';
import { useWords } from '../../app/words.ts';
import { FormFrame, useApiForm } from '../../parts/api-form.tsx';
import { BackLink } from '../../parts/back-link.tsx';
import { CopyBlock } from '../../parts/copy.tsx';
import { instantOf, lastMoment } from '../../parts/dates.ts';
import { PageTitle } from '../../parts/page-title.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { createApiKey, type KeyInput, type MadeKey } from './calls.ts';
import { givable, ScopePicker, useRefuse } from './scope-picker.tsx';
import { keyWords } from './words.ts';

type Values = {
  name: string;
  environment: 'live' | 'test';
  scopes: string[];
  expires_at: string;
  allowed_ips: string;
};

function inputOf(values: Values, zone: string): { body: KeyInput } {
  const { name, environment, scopes, expires_at, allowed_ips } = values;
  const ips = allowed_ips.split(/[\s,]+/).filter((text) => text !== '');
  return {
    body: {
      name: name.trim(),
      environment,
      scopes,
      expires_at: expires_at === '' ? null : instantOf(expires_at, zone),
      allowed_ips: ips,
    },
  };
}

export default function CreateKey() {
  const words = useWords(keyWords);
  const { search } = useAddress();
  return (
    <>
      <PageTitle above={<BackLink to="/keys">{words.title}</BackLink>}>{words.create}</PageTitle>
      {search.first !== undefined && (
        <Alert color="green" icon={<Icon name="check" />} title={words.first_title} mb="lg">
          {words.first_text}
        </Alert>
      )}
      <KeyForm />
    </>
  );
}

function KeyForm() {
  const words = useWords(keyWords);
  const go = useGo();
  const zone = useCompanyZone();
  const refuse = useRefuse();
  const [made, setMade] = useState<MadeKey | null>(null);
  const values: Values = { name: '', environment: 'test', scopes: [], expires_at: '', allowed_ips: '' };
  const of = useApiForm({
    values,
    change: useChange(createApiKey),
    input: (filled) =>
      inputOf({ ...filled, scopes: givable(filled.scopes, refuse(filled.environment)) }, zone),
    done: ({ data }) => setMade(data),
  });
  return (
    <FormFrame of={of} action={words.create} cancel={() => go('/keys')}>
      <Stack maw="44rem">
        <TextInput label={words.name} description={words.name_hint} required {...of.fields('name')} />
        <EnvironmentField {...of.fields('environment')} />
        <ScopePicker environment={of.form.values.environment} {...of.fields('scopes')} />
        <TextInput
          type="datetime-local"
          max={lastMoment}
          label={words.expires}
          description={words.expires_hint}
          maw="20rem"
          {...of.fields('expires_at')}
        />
        <Textarea
          label={words.ips}
          description={words.ips_hint}
          autosize
          minRows={2}
          {...of.fields('allowed_ips')}
        />
      </Stack>
      <MadeKeySecret made={made} close={() => made && go(`/keys/${made.id}`)} />
    </FormFrame>
  );
}

/** A test key can be made from the live page; in the sandbox there is no other. */
function EnvironmentField({ value, ...field }: { value?: string; error?: React.ReactNode }) {
  const words = useWords(keyWords);
  const { environment } = useCurrentCompany();
  return (
    <Radio.Group label={words.environment} value={value ?? 'test'} {...field}>
      <Stack gap="xs" mt={4}>
        <Radio value="test" label={words.test} description={words.test_hint} />
        {environment === 'live' && <Radio value="live" label={words.live} description={words.live_hint} />}
      </Stack>
    </Radio.Group>
  );
}

function MadeKeySecret({ made, close }: { made: MadeKey | null; close(): void }) {
  const words = useWords(keyWords);
  const { session } = useSession();
  const command = `curl ${session.public_url}/v1/account -H "Authorization: Bearer ${made?.secret ?? ''}"`;
  return (
    <SecretOnce secret={made?.secret ?? null} title={words.made_title} name={made?.name ?? ''} close={close}>
      <Text size="sm">{words.try_it}</Text>
      <CopyBlock name="curl">{command}</CopyBlock>
    </SecretOnce>
  );
}
