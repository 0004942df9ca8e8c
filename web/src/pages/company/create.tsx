/** A further company of the person. Its first keys are shown once, then it opens. */
import { Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ApiError } from '../../app/api.ts';
import { useOwnChange } from '../../app/changing.ts';
import { useGo } from '../../app/navigate.tsx';
import type { One } from '../../app/operation.ts';
import { useSession } from '../../app/session.tsx';
import { useWords } from '../../app/words.ts';
import { FormFrame, useApiForm } from '../../parts/api-form.tsx';
import { BackLink } from '../../parts/back-link.tsx';
import { CopyValue } from '../../parts/copy.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { SecretOnce } from '../../parts/secret-once.tsx';
import { companyWords } from './words.ts';

type NewCompany = { name: string; tax_id: string; allow_duplicate: boolean };
type MadeCompany = { id: string; live_key: string; test_key: string };

export default function CreateCompany() {
  const words = useWords(companyWords);
  const go = useGo();
  const navigate = useNavigate();
  const { renew } = useSession();
  const [made, setMade] = useState<MadeCompany | null>(null);
  const of = useApiForm<NewCompany, NewCompany, One<MadeCompany>>({
    values: { name: '', tax_id: '', allow_duplicate: false },
    change: useOwnChange('POST', '/companies'),
    input: ({ name, tax_id, allow_duplicate }) => ({
      name: name.trim(),
      tax_id: tax_id.trim(),
      allow_duplicate,
    }),
    done: ({ data }) => setMade(data),
  });
  const is_duplicate = of.error instanceof ApiError && of.error.problem?.code === 'tax_id_has_company';
  const open = async () => {
    if (made === null) return;
    await renew();
    void navigate({ to: `/${made.id}` } as never);
  };
  return (
    <>
      <PageTitle above={<BackLink to="/company/plan">{words.plan}</BackLink>} text={words.add_about}>
        {words.add_company}
      </PageTitle>
      <FormFrame of={of} action={words.add_company} cancel={() => go('/company/plan')}>
        <Stack maw="44rem">
          <TextInput
            label={words.name}
            required
            maxLength={250}
            autoComplete="organization"
            {...of.fields('name')}
          />
          <TextInput label={words.tax_id} required maxLength={20} maw="20rem" {...of.fields('tax_id')} />
          {(is_duplicate || of.form.values.allow_duplicate) && (
            <Checkbox label={words.allow_duplicate} {...of.fields('allow_duplicate', { type: 'checkbox' })} />
          )}
        </Stack>
      </FormFrame>
      <SecretOnce
        secret={made?.live_key ?? null}
        title={words.added}
        name={words.live_key}
        close={() => void open()}
      >
        <Text size="sm">{words.added_text}</Text>
        <Text size="sm">{words.test_key}:</Text>
        <CopyValue value={made?.test_key ?? ''} name={words.test_key} />
      </SecretOnce>
    </>
  );
}
