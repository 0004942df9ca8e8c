import { Alert } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useChange } from '../../app/changing.ts';
import { useGo } from '../../app/navigate.tsx';
import { useRead } from '../../app/reading.ts';
import { useLanguage, useWords } from '../../app/words.ts';
import { useApiForm } from '../../parts/api-form.tsx';
import { BackLink } from '../../parts/back-link.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { Ready } from '../../parts/ready.tsx';
import { tell } from '../../parts/tell.ts';
import type { One } from '../../app/operation.ts';
import type { Invoice } from '../../printed/resources.ts';
import { getInvoice, updateInvoice } from './calls.ts';
import { DraftForm } from './draft-form.tsx';
import { changedInvoiceOf, draftOf, draftPaths } from './draft-values.ts';
import { useUsualTax } from './use-usual-tax.ts';
import { invoiceWords } from './words.ts';

export default function EditInvoice() {
  const { invoice } = useParams({ strict: false }) as { invoice: string };
  const read = useRead(getInvoice, { params: { invoice } });
  const [turn, setTurn] = useState(1);
  const again = async () => {
    const { isSuccess } = await read.refetch();
    if (isSuccess) setTurn(turn + 1);
  };
  return (
    <Ready read={read} is_page has_form>
      {(answer) => <EditDraft key={`${invoice} ${turn}`} read={answer} again={() => void again()} />}
    </Ready>
  );
}

/** What was read when the form was opened is what it edits, whatever is read later. */
function EditDraft({ read, again }: { read: One<Invoice>; again(): void }) {
  const [{ data: invoice, etag }] = useState(read);
  const words = useWords(invoiceWords);
  const language = useLanguage();
  const go = useGo();
  const usual = useUsualTax(invoice.client?.id);
  const back = `/invoices/${invoice.id}`;
  const of = useApiForm({
    values: draftOf(invoice, language, words),
    paths: draftPaths,
    change: useChange(updateInvoice),
    input: (values) => ({
      params: { invoice: invoice.id },
      body: changedInvoiceOf(values, invoice, { language, usual_tax: usual.tax }),
      if_match: etag,
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
          again={again}
          client_name={invoice.client?.name}
          currency={invoice.currency}
          series={invoice.series}
          usual={usual}
          has_type={invoice.type === 'F1' || invoice.type === 'F2'}
        />
      ) : (
        <Alert color="orange">{words.only_drafts}</Alert>
      )}
    </>
  );
}
