import { Button } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { useChange } from '../../app/changing.ts';
import { useCommonWords } from '../../app/common-words.ts';
import { useCan } from '../../app/company.ts';
import { PageLink } from '../../app/navigate.tsx';
import { useRead } from '../../app/reading.ts';
import { useWords } from '../../app/words.ts';
import { addressText } from '../../parts/address/address-values.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { CopyValue } from '../../parts/copy.tsx';
import { type Fact, Facts, Section } from '../../parts/facts.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { Ready } from '../../parts/ready.tsx';
import { Failure } from '../../parts/states.tsx';
import { tell } from '../../parts/tell.ts';
import { archiveClient, type Client, getClient, unarchiveClient } from './calls.ts';
import { ClientState } from './list.tsx';
import { clientPageWords } from './words.ts';

export default function OneClient() {
  const { client } = useParams({ strict: false }) as { client: string };
  const read = useRead(getClient, { params: { client } });
  return (
    <Ready read={read} is_page>
      {({ data }) => <ClientPage of={data} />}
    </Ready>
  );
}

function ClientPage({ of }: { of: Client }) {
  const words = useWords(clientPageWords);
  const { actions } = useCommonWords();
  const can = useCan();
  return (
    <>
      <PageTitle
        above={<BackLink to="/clients">{words.title}</BackLink>}
        actions={
          <>
            {can('archive_client') && <Archive of={of} />}
            {can('update_client') && (
              <Button component={PageLink} to={`/clients/${of.id}/edit`} variant="default">
                {actions.edit}
              </Button>
            )}
            {can('create_invoice') && of.is_active && (
              <Button component={PageLink} to="/invoices/new" search={{ client: of.id }}>
                {words.invoice}
              </Button>
            )}
          </>
        }
      >
        {of.name}
      </PageTitle>
      <Section title={words.details}>
        <Facts facts={useClientFacts(of)} />
      </Section>
    </>
  );
}

function useClientFacts(of: Client): Fact[] {
  const words = useWords(clientPageWords);
  const { none } = useCommonWords();
  const shown = (text: string | null | undefined) => (text ? text : none);
  return [
    { name: words.tax_id, value: shown(of.tax_id ?? of.alternative_id?.value) },
    { name: words.state, value: <ClientState of={of} /> },
    { name: words.address, value: shown(addressText(of.address)) },
    { name: words.email, value: shown(of.email) },
    { name: words.billing_emails, value: shown(of.billing_emails.join(', ')) },
    { name: words.phone, value: shown(of.phone) },
    { name: words.contact_person, value: shown(of.contact_person) },
    { name: 'IBAN', value: shown(of.iban) },
    { name: 'Id', value: <CopyValue value={of.id} name="id" /> },
    ...(of.notes === null ? [] : [{ name: words.notes, value: of.notes }]),
  ];
}

function Archive({ of }: { of: Client }) {
  const words = useWords(clientPageWords);
  const { run, is_running, error } = useChange(of.is_active ? archiveClient : unarchiveClient);
  const change = async () => {
    if ((await run({ params: { client: of.id } })) !== null)
      tell(of.is_active ? words.archived_told : words.unarchived_told);
  };
  return (
    <>
      <Button variant="default" loading={is_running} onClick={() => void change()}>
        {of.is_active ? words.archive : words.unarchive}
      </Button>
      {error && <Failure error={error} />}
    </>
  );
}
