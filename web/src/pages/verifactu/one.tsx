/** One record: its state, what to do about it, and its XML. */
import { Alert, Anchor, Button, Code, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { addressOf } from '../../app/api.ts';
import { useCan, useCurrentCompany } from '../../app/company.ts';
import { useChange } from '../../app/changing.ts';
import { Icon } from '../../app/icons.tsx';
import { PageLink, useGo } from '../../app/navigate.tsx';
import { pathOf } from '../../app/operation.ts';
import { useRead } from '../../app/reading.ts';
import { useWords } from '../../app/words.ts';
import { BackLink } from '../../parts/back-link.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { CopyValue } from '../../parts/copy.tsx';
import { type Fact, Facts, Section } from '../../parts/facts.tsx';
import { Money } from '../../parts/money-field.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { Ready } from '../../parts/ready.tsx';
import { Failure, Loading } from '../../parts/states.tsx';
import { tell } from '../../parts/tell.ts';
import { Day, Instant } from '../../parts/time.tsx';
import { getRecord, listRecords, retryRecord, subsanarRecord, type VfRecord } from './calls.ts';
import { RecordState, useRemedy } from './record-state.tsx';
import { verifactuWords } from './words.ts';

export default function OneRecord() {
  const { record } = useParams({ strict: false }) as { record: string };
  const read = useRead(getRecord, { params: { record } });
  return (
    <Ready read={read} is_page>
      {({ data }) => <RecordPage key={data.id} of={data} />}
    </Ready>
  );
}

function RecordPage({ of }: { of: VfRecord }) {
  const words = useWords(verifactuWords);
  const can = useCan();
  const { id } = useCurrentCompany();
  const retry = useChange(retryRecord);
  const remedy = useRemedy()(of);
  const tryAgain = async () => {
    if ((await retry.run({ params: { record: of.id } })) !== null) tell(words.retried);
  };
  const actions = (
    <>
      <Button
        component="a"
        href={addressOf(pathOf(id, 'get_verifactu_record_xml', { record: of.id }))}
        download
        variant="default"
        leftSection={<Icon name="download" size={16} />}
      >
        XML
      </Button>
      {of.can_subsanar && can('subsanar_verifactu_record') && <Subsanar of={of} />}
      {of.is_blocked && can('retry_verifactu_record') && (
        <Button loading={retry.is_running} onClick={() => void tryAgain()}>
          {words.retry}
        </Button>
      )}
    </>
  );
  return (
    <>
      <PageTitle
        above={<BackLink to="/verifactu">{words.title}</BackLink>}
        actions={actions}
        text={<RecordState {...of} />}
      >
        {words.record_title(words.kinds[of.kind], of.invoice.number)}
      </PageTitle>
      {retry.error && <Failure error={retry.error} />}
      {remedy !== null && <Remedy of={of} text={remedy} />}
      <Section title={words.details}>
        <Facts facts={useRecordFacts(of)} />
      </Section>
    </>
  );
}

/** One that cannot be amended may have a later one in its place already. */
function Remedy({ of, text }: { of: VfRecord; text: string }) {
  const words = useWords(verifactuWords);
  const may_be_done = of.status === 'rejected' && !of.can_subsanar;
  const query = { invoice_id: of.invoice.id, limit: 1 };
  const read = useRead(listRecords, { query }, { is_enabled: may_be_done });
  const last = read.data?.data[0];
  if (read.error)
    return (
      <>
        <Failure error={read.error} />
        <AnswerOf of={of} />
      </>
    );
  if (may_be_done && read.isPending) return <Loading rows={1} />;
  if (last && last.position > of.position)
    return (
      <Alert title={words.answer} mb="lg">
        <AnswerOf of={of} />
        <Text>
          {words.remedies.followed}{' '}
          <Anchor component={PageLink} to={`/verifactu/${last.id}`}>
            {words.last_record}
          </Anchor>
        </Text>
      </Alert>
    );
  return (
    <Alert color="orange" icon={<Icon name="warning" />} title={words.what_to_do} mb="lg">
      <Text>{text}</Text>
      <AnswerOf of={of} />
    </Alert>
  );
}

function AnswerOf({ of }: { of: VfRecord }) {
  return (
    <>
      {of.aeat_error_message !== null && <Text lang="es">{of.aeat_error_message}</Text>}
      <Code>{of.aeat_error_code ?? of.block_reason ?? of.status}</Code>
    </>
  );
}

function Subsanar({ of }: { of: VfRecord }) {
  const words = useWords(verifactuWords);
  const go = useGo();
  const [is_open, question] = useDisclosure(false);
  const [description, setDescription] = useState('');
  const { run, is_running, error, clear } = useChange(subsanarRecord);
  const act = async () => {
    const said = description.trim();
    const answer = await run({ params: { record: of.id }, body: said === '' ? {} : { description: said } });
    if (answer === null) return;
    question.close();
    tell(words.subsanado);
    go(`/verifactu/${answer.data.id}`);
  };
  return (
    <>
      <Button
        onClick={() => {
          clear();
          question.open();
        }}
      >
        {words.subsanar}
      </Button>
      <Confirm
        is_open={is_open}
        close={question.close}
        title={words.subsanar_title}
        text={words.subsanar_text}
        facts={[
          { name: words.number, value: of.invoice.number },
          { name: words.total, value: <Money amount={of.total} /> },
        ]}
        action={words.subsanar}
        confirm={() => void act()}
        is_running={is_running}
        error={error}
        begin={() => setDescription('')}
      >
        <TextInput
          label={words.description}
          description={words.description_hint}
          value={description}
          maxLength={500}
          onChange={(event) => setDescription(event.currentTarget.value)}
        />
      </Confirm>
    </>
  );
}

function useRecordFacts(of: VfRecord): Fact[] {
  const words = useWords(verifactuWords);
  return [
    {
      name: words.invoice,
      value: (
        <Anchor component={PageLink} to={`/invoices/${of.invoice.id}`}>
          {of.invoice.number}
        </Anchor>
      ),
    },
    { name: words.issued_on, value: <Day on={of.invoice.issued_on} /> },
    { name: words.total, value: <Money amount={of.total} /> },
    { name: words.position, value: of.position },
    { name: words.recorded, value: <Instant at={of.recorded_at} /> },
    { name: words.sent, value: <Instant at={of.sent_at} /> },
    { name: words.answered, value: <Instant at={of.answered_at} /> },
    { name: words.attempts, value: of.attempts },
    { name: 'CSV', value: of.csv === null ? '—' : <CopyValue value={of.csv} name="CSV" /> },
    { name: words.huella, value: <CopyValue value={of.huella} name={words.huella} /> },
  ];
}
