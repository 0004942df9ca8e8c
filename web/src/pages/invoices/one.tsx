/** One invoice, with its PDF beside it. */
import { Box, Button, Flex } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useCan, useCurrentCompany } from '../../app/company.ts';
import { addressOf } from '../../app/api.ts';
import { Icon } from '../../app/icons.tsx';
import { PageLink } from '../../app/navigate.tsx';
import { pathOf } from '../../app/operation.ts';
import { useRead } from '../../app/reading.ts';
import { useWords } from '../../app/words.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { identityOf } from '../../parts/contact/identity.ts';
import { CopyValue } from '../../parts/copy.tsx';
import { type Fact, Facts, Section } from '../../parts/facts.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { Ready } from '../../parts/ready.tsx';
import { Day } from '../../parts/time.tsx';
import type { Invoice } from '../../printed/resources.ts';
import { getInvoice } from './calls.ts';
import { CorrectedBy } from './correctives.tsx';
import { InvoiceEvents } from './events.tsx';
import { IssueInvoice } from './issue.tsx';
import { InvoiceLines } from './lines.tsx';
import { Others } from './others.tsx';
import { Payments } from './payments.tsx';
import { PdfFrame } from './pdf-frame.tsx';
import { InvoiceRecords } from './records.tsx';
import { SendInvoice } from './send.tsx';
import { useClientOf } from './use-client.ts';
import { canBeDuplicated, InvoiceState, isStanding } from './states.tsx';
import { DeleteDraft, DuplicateInvoice } from './withdraw.tsx';
import { Withdrawal } from './withdrawal.tsx';
import { invoiceWords } from './words.ts';

export default function OneInvoice() {
  const { invoice } = useParams({ strict: false }) as { invoice: string };
  const read = useRead(getInvoice, { params: { invoice } });
  return (
    <Ready read={read} is_page>
      {({ data, etag }) => <InvoicePage key={data.id} of={data} etag={etag} />}
    </Ready>
  );
}

type PageProps = { of: Invoice; etag: string | undefined };

function InvoicePage({ of, etag }: PageProps) {
  const words = useWords(invoiceWords);
  const can = useCan();
  return (
    <>
      <PageTitle
        above={<BackLink to="/invoices">{words.title}</BackLink>}
        actions={<Actions of={of} etag={etag} />}
        text={<InvoiceState status={of.status} />}
      >
        {of.number === null ? words.draft_title : words.invoice_title(of.number)}
      </PageTitle>
      <Flex gap="lg" direction={{ base: 'column', lg: 'row' }} align="stretch">
        <Box flex="3 1 0" miw={0}>
          <Section title={words.details}>
            <Facts facts={useInvoiceFacts(of)} />
          </Section>
          <InvoiceLines of={of} />
          {of.status !== 'draft' && <Payments of={of} />}
          {of.status !== 'draft' && can('list_verifactu_records') && <InvoiceRecords of={of} />}
          {can('list_events') && <InvoiceEvents of={of} />}
          {isStanding(of) && <Withdrawal of={of} etag={etag} />}
        </Box>
        {can('get_invoice_pdf') && <PdfBeside of={of} />}
      </Flex>
    </>
  );
}

function Actions({ of, etag }: PageProps) {
  const words = useWords(invoiceWords);
  const can = useCan();
  const is_draft = of.status === 'draft';
  return (
    <>
      {is_draft && can('delete_invoice') && <DeleteDraft of={of} />}
      {canBeDuplicated(of) && can('duplicate_invoice') && <DuplicateInvoice of={of} />}
      {is_draft && can('update_invoice') && (
        <Button
          component={PageLink}
          to={`/invoices/${of.id}/edit`}
          variant="default"
          leftSection={<Icon name="edit" size={16} />}
        >
          {words.edit}
        </Button>
      )}
      {isStanding(of) && can('send_invoice') && <SendInvoice of={of} />}
      {is_draft && can('issue_invoice') && <IssueInvoice of={of} etag={etag} />}
    </>
  );
}

function PdfBeside({ of }: { of: Invoice }) {
  const words = useWords(invoiceWords);
  const { id } = useCurrentCompany();
  const path = pathOf(id, 'get_invoice_pdf', { invoice: of.id });
  const name = words.pdf_name(of.number ?? words.draft);
  return (
    <Box flex="2 1 0" miw={0}>
      <Section
        title={words.pdf}
        actions={
          <Button
            component="a"
            href={addressOf(path)}
            target="_blank"
            rel="noopener"
            variant="default"
            size="compact-sm"
            leftSection={<Icon name="external" size={14} />}
          >
            {words.pdf_open}
          </Button>
        }
      >
        {/* After a change it is another picture of the same address, also where a sandbox's clock stands still. */}
        <PdfFrame key={`${of.status} ${of.updated_at}`} path={path} name={name} />
      </Section>
    </Box>
  );
}

function useInvoiceFacts(of: Invoice): Fact[] {
  const words = useWords(invoiceWords);
  const { client } = useClientOf(of);
  const links = of.corrected_invoices.concat(of.substituted_invoices);
  const more: Fact[] = [];
  if (of.correction) {
    const { type, reason } = of.correction;
    more.push({ name: words.correct_type, value: words[type] });
    if (reason !== null) more.push({ name: words.reason, value: reason });
  }
  if (links.length > 0) more.push({ name: words.corrects, value: <Others of={links} /> });
  if (of.corrective_ids.length > 0)
    more.push({
      name: words.corrected_by,
      value: <CorrectedBy ids={of.corrective_ids} />,
    });
  if (of.description) more.push({ name: words.subject, value: of.description });
  return [
    { name: words.client, value: of.client?.name ?? words.no_client },
    { name: words.client_tax_id, value: of.client?.tax_id ?? (client && identityOf(client)) ?? '—' },
    { name: words.type, value: words.types[of.type] },
    { name: words.series, value: of.series?.code ?? words.series_default },
    { name: words.issued_on, value: <Day on={of.issued_on} /> },
    { name: words.due_on, value: <Day on={of.due_on} /> },
    ...more,
    { name: 'Id', value: <CopyValue value={of.id} name="id" /> },
  ];
}
