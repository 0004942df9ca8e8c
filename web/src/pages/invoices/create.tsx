import { useChange } from '../../app/changing.ts';
import { useAddress, useGo } from '../../app/navigate.tsx';
import { useRead } from '../../app/reading.ts';
import { useLanguage, useWords } from '../../app/words.ts';
import { useApiForm } from '../../parts/api-form.tsx';
import { BackLink } from '../../parts/back-link.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { Ready } from '../../parts/ready.tsx';
import { tell } from '../../parts/tell.ts';
import type { Client } from '../../printed/resources.ts';
import { createInvoice, getClient } from './calls.ts';
import { DraftForm } from './draft-form.tsx';
import { draftPaths, newDraft, newInvoiceOf } from './draft-values.ts';
import { useUsualTax } from './use-usual-tax.ts';
import { invoiceWords } from './words.ts';

export default function CreateInvoice() {
  const words = useWords(invoiceWords);
  const { client } = useAddress().search;
  return (
    <>
      <PageTitle text={words.create_about} above={<BackLink to="/invoices">{words.title}</BackLink>}>
        {words.create}
      </PageTitle>
      {client === undefined ? <NewDraft client={null} /> : <DraftForClient client={client} />}
    </>
  );
}

function DraftForClient({ client }: { client: string }) {
  const read = useRead(getClient, { params: { client } });
  return <Ready read={read}>{({ data }) => <NewDraft key={data.id} client={data} />}</Ready>;
}

function NewDraft({ client }: { client: Client | null }) {
  const words = useWords(invoiceWords);
  const language = useLanguage();
  const go = useGo();
  const usual = useUsualTax(client?.id);
  const of = useApiForm({
    values: { ...newDraft(), client_id: client?.id ?? '' },
    paths: draftPaths,
    change: useChange(createInvoice),
    input: (values) => ({ body: newInvoiceOf(values, { language, usual_tax: usual.tax }) }),
    done: ({ data }) => {
      tell(words.saved_told);
      go(`/invoices/${data.id}`);
    },
  });
  return (
    <DraftForm
      of={of}
      action={words.save_draft}
      cancel={() => go('/invoices')}
      client_name={client?.name}
      usual={usual}
      has_type
    />
  );
}
