import { Select, TextInput } from '@mantine/core';
import { useOwnChange } from '../../app/changing.ts';
import { useSession } from '../../app/session.tsx';
import { type Language, useWords } from '../../app/words.ts';
import { FormFrame, useApiForm } from '../../parts/api-form.tsx';
import { Section } from '../../parts/facts.tsx';
import { tell } from '../../parts/tell.ts';
import { meWords } from './words.ts';

type Sent = { name: string; language: Language };

export function Profile() {
  const words = useWords(meWords);
  const { session, renew } = useSession();
  const { name, language, email } = session.user;
  const change = useOwnChange<Sent, unknown>('PUT', '/me');
  const of = useApiForm<Sent, Sent, unknown>({
    values: { name, language },
    change,
    input: (values) => values,
    stays: true,
    done: (_, sent) => {
      of.keep(sent);
      tell(words.saved);
      void renew();
    },
  });
  const languages = (['es', 'en'] as const).map((value) => ({ value, label: words.languages[value] }));
  return (
    <Section title={words.profile}>
      <FormFrame of={of} action={words.save}>
        <TextInput label={words.name} autoComplete="name" required maw="28rem" {...of.fields('name')} />
        <TextInput label={words.email} value={email} readOnly maw="28rem" />
        <Select
          label={words.language}
          data={languages}
          allowDeselect={false}
          maw="28rem"
          {...of.fields('language')}
        />
      </FormFrame>
    </Section>
  );
}
