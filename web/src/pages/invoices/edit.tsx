import { Alert } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useChange } from '../../app/changing.ts';
import { useGo } from '../../app/navigate.tsx';
import { useRead } from '../../app/reading.ts';
import { useLanguage, useWords } from '../../app/words.ts';
import { useApiForm } from '../../parts/api-form.tsx';
import { BackLink } from '../../parts/back-link.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { Ready } from '../../parts/ready.tsx';
import { tell } from '../../parts/tell.ts';
import type { Invoice } from '../../printed/resources.ts';
import { getInvoice, updateInvoice } from './calls.ts';
import { DraftForm } from './draft-form.tsx';
import { changedInvoiceOf, draftOf, draftPaths } from './draft-values.ts';
import { invoiceWords } from './words.ts';

export default function EditInvoice() {
  const { invoice } = useParams({ strict: false }) as { invoice: string };
  const read = useRead(getInvoice, { params: { invoice } });
  return (
    <Ready read={read} is_page>
      {({ data }) => <EditDraft of={data} />}
    </Ready>
  );
}

function EditDraft({ of: invoice }: { of: Invoice }) {
  const words = useWords(invoiceWords);
  const language = useLanguage();
  const go = useGo();
  const back = `/invoices/${invoice.id}`;
  const of = useApiForm({
    values: draftOf(invoice, language),
    paths: draftPaths,
    change: useChange(updateInvoice),
    input: (values) => ({
      params: { invoice: invoice.id },
      body: changedInvoiceOf(values, invoice, language),
    }),
    done: () => {
      tell(words.saved_told);
      go(back);
    },
  });
  return (
    <>
      <PageTitle above={<BackLink to={back}>{invoice.number ?? words.draft}</BackLink>}>
        {words.edit_title}
      </PageTitle>
      {invoice.status === 'draft' ? (
        <DraftForm
          of={of}
          action={words.save_draft}
          cancel={() => go(back)}
          client_name={invoice.client?.name}
          has_type={invoice.type === 'F1' || invoice.type === 'F2'}
        />
      ) : (
        <Alert color="orange">{words.only_drafts}</Alert>
      )}
    </>
  );
}
