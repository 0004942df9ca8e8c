import { useState } from 'react';
import { useChange } from '../../app/changing.ts';
import { useGo } from '../../app/navigate.tsx';
import { useRead } from '../../app/reading.ts';
import { useLanguage, useWords } from '../../app/words.ts';
import { FormFrame, useApiForm } from '../api-form.tsx';
import { BackLink } from '../back-link.tsx';
import { changedOnly } from '../changed-only.ts';
import { PageTitle } from '../page-title.tsx';
import { Ready } from '../ready.tsx';
import { tell } from '../tell.ts';
import { ContactFields } from './contact-fields.tsx';
import type { Contact, ContactKind } from './contact-kind.ts';
import { contactBody, contactPaths, contactValues } from './contact-values.ts';
import { contactWords } from './contact-words.ts';

export function EditContact({ kind, id }: { kind: ContactKind; id: string }) {
  const words = useWords(kind.words);
  const read = useRead(kind.get, { params: { [kind.object]: id } });
  return (
    <>
      <PageTitle above={<BackLink to={`${kind.path}/${id}`}>{words.details}</BackLink>}>
        {words.edit}
      </PageTitle>
      <Ready read={read}>{({ data }) => <ContactForm key={data.id} of={data} kind={kind} />}</Ready>
    </>
  );
}

function ContactForm({ of, kind }: { of: Contact; kind: ContactKind }) {
  const own = useWords(kind.words);
  const words = useWords(contactWords);
  const language = useLanguage();
  const go = useGo();
  const [before] = useState(() => contactValues(of, language));
  const back = () => go(`${kind.path}/${of.id}`);
  const form = useApiForm({
    values: before,
    change: useChange(kind.update),
    input: (values) => ({
      params: { [kind.object]: of.id },
      body: changedOnly(contactBody(values, language), contactBody(before, language)),
    }),
    done: () => {
      tell(own.saved);
      back();
    },
    paths: contactPaths,
  });
  return (
    <FormFrame of={form} action={words.save} cancel={back}>
      <ContactFields of={form} kind={kind} />
    </FormFrame>
  );
}
