import { useChange } from '../../app/changing.ts';
import { useGo } from '../../app/navigate.tsx';
import { useLanguage, useWords } from '../../app/words.ts';
import { FormFrame, useApiForm } from '../../parts/api-form.tsx';
import { BackLink } from '../../parts/back-link.tsx';
import { ClientFields } from '../../parts/client/client-fields.tsx';
import { clientBody, clientPaths, clientValues, createClient } from '../../parts/client/client-values.ts';
import { clientWords } from '../../parts/client/client-words.ts';
import { PageTitle } from '../../parts/page-title.tsx';
import { tell } from '../../parts/tell.ts';
import { clientPageWords } from './words.ts';

export default function CreateClient() {
  const words = useWords(clientPageWords);
  const { create } = useWords(clientWords);
  const language = useLanguage();
  const go = useGo();
  const of = useApiForm({
    values: clientValues(null, language),
    change: useChange(createClient),
    input: (values) => ({ body: clientBody(values, language) }),
    done: ({ data }) => {
      tell(words.created);
      go(`/clients/${data.id}`);
    },
    paths: clientPaths,
  });
  return (
    <>
      <PageTitle above={<BackLink to="/clients">{words.title}</BackLink>}>{words.create}</PageTitle>
      <FormFrame of={of} action={create} cancel={() => go('/clients')}>
        <ClientFields of={of} />
      </FormFrame>
    </>
  );
}
