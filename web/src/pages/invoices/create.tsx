import { useChange } from '../../app/changing.ts';
import { useGo } from '../../app/navigate.tsx';
import { useLanguage, useWords } from '../../app/words.ts';
import { useApiForm } from '../../parts/api-form.tsx';
import { BackLink } from '../../parts/back-link.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { tell } from '../../parts/tell.ts';
import { createInvoice } from './calls.ts';
import { DraftForm } from './draft-form.tsx';
import { draftPaths, newDraft, newInvoiceOf } from './draft-values.ts';
import { invoiceWords } from './words.ts';

export default function CreateInvoice() {
  const words = useWords(invoiceWords);
  const language = useLanguage();
  const go = useGo();
  const of = useApiForm({
    values: newDraft(),
    paths: draftPaths,
    change: useChange(createInvoice),
    input: (values) => ({ body: newInvoiceOf(values, language) }),
    done: ({ data }) => {
      tell(words.saved_told);
      go(`/invoices/${data.id}`);
    },
  });
  return (
    <>
      <PageTitle text={words.create_about} above={<BackLink to="/invoices">{words.title}</BackLink>}>
        {words.create}
      </PageTitle>
      <DraftForm of={of} action={words.save_draft} cancel={() => go('/invoices')} has_type />
    </>
  );
}
