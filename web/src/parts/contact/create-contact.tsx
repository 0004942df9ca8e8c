import { useChange } from '../../app/changing.ts';
import { useGo } from '../../app/navigate.tsx';
import { useLanguage, useWords } from '../../app/words.ts';
import { FormFrame, useApiForm } from '../api-form.tsx';
import { BackLink } from '../back-link.tsx';
import { PageTitle } from '../page-title.tsx';
import { tell } from '../tell.ts';
import { ContactFields } from './contact-fields.tsx';
import type { ContactKind } from './contact-kind.ts';
import { contactBody, contactPaths, contactValues } from './contact-values.ts';

export function CreateContact({ kind }: { kind: ContactKind }) {
  const words = useWords(kind.words);
  const language = useLanguage();
  const go = useGo();
  const of = useApiForm({
    values: contactValues(null, language),
    change: useChange(kind.create),
    input: (values) => ({ body: contactBody(values, language) }),
    done: ({ data }) => {
      tell(words.created);
      go(`${kind.path}/${data.id}`);
    },
    paths: contactPaths,
  });
  return (
    <>
      <PageTitle above={<BackLink to={kind.path}>{words.title}</BackLink>}>{words.create}</PageTitle>
      <FormFrame of={of} action={words.create_action} cancel={() => go(kind.path)}>
        <ContactFields of={of} kind={kind} />
      </FormFrame>
    </>
  );
}
