/** The form of a company that the person makes. Its first keys are shown once, then it opens. */
import { Checkbox, Stack, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { ApiError } from '../app/api.ts';
import { useOwnChange } from '../app/changing.ts';
import type { One } from '../app/operation.ts';
import { useSession } from '../app/session.tsx';
import { useWords } from '../app/words.ts';
import { FormFrame, useApiForm } from './api-form.tsx';
import { CopyValue } from './copy.tsx';
import { PageTitle } from './page-title.tsx';
import { Failure } from './states.tsx';
import { SecretOnce } from './secret-once.tsx';
import { newCompanyWords } from './new-company-words.ts';

type Typed = { name: string; tax_id: string; allow_duplicate: boolean };
type MadeCompany = { id: string; live_key: string; test_key: string };

type Props = {
  /** The way back. */
  above: ReactNode;
  cancel(): void;
};

export function NewCompany({ above, cancel }: Props) {
  const words = useWords(newCompanyWords);
  const navigate = useNavigate();
  const { renew } = useSession();
  const [made, setMade] = useState<MadeCompany | null>(null);
  const of = useApiForm<Typed, Typed, One<MadeCompany>>({
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
  const [not_opened, setNotOpened] = useState<Error | null>(null);
  const open = async () => {
    if (made === null) return;
    setNotOpened(null);
    try {
      await renew();
    } catch (thrown) {
      // It is not among theirs yet: the page would say that it is nobody's.
      return setNotOpened(thrown instanceof Error ? thrown : new Error(String(thrown)));
    }
    void navigate({ to: `/${made.id}` } as never);
  };
  return (
    <>
      <PageTitle above={above} text={words.add_about}>
        {words.add_company}
      </PageTitle>
      <FormFrame of={of} action={words.add_company} cancel={cancel}>
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
        {not_opened && <Failure error={not_opened} />}
      </SecretOnce>
    </>
  );
}
