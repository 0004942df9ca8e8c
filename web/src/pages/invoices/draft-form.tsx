/** The fields of a draft. The sums are the service's: they are shown once it is saved. */
import { Button, NativeSelect, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { useCan } from '../../app/company.ts';
import { Icon } from '../../app/icons.tsx';
import { useRead } from '../../app/reading.ts';
import { useLanguage, useWords } from '../../app/words.ts';
import { type ApiForm, FormFrame } from '../../parts/api-form.tsx';
import { NewClientDialog } from '../../parts/contact/new-client.tsx';
import { Section } from '../../parts/facts.tsx';
import { formatPercent } from '../../parts/money.ts';
import { withOwn } from '../../parts/own-choice.ts';
import { tell } from '../../parts/tell.ts';
import type { Client, Invoice } from '../../printed/resources.ts';
import { activeTaxes, listProducts, listSeries, listTaxes } from './calls.ts';
import { ClientField } from './client-field.tsx';
import { LineFields } from './line-fields.tsx';
import { type DraftValues, isPlainVat, newLine, vatRates } from './draft-values.ts';
import type { useUsualTax } from './use-usual-tax.ts';
import { invoiceWords } from './words.ts';

type Props = {
  of: ApiForm<DraftValues>;
  action: string;
  cancel(): void;
  again?: () => void;
  /** Of the draft before; shown until the list of clients is asked. */
  client_name?: string | undefined;
  has_type: boolean;
  /** Of the draft before. */
  currency?: string;
  /** Of the draft before. */
  series?: Invoice['series'];
  usual: ReturnType<typeof useUsualTax>;
};

export function DraftForm({
  of,
  action,
  cancel,
  again,
  client_name,
  has_type,
  currency = 'EUR',
  series = null,
  usual,
}: Props) {
  const words = useWords(invoiceWords);
  const [made, setMade] = useState<Client | null>(null);
  const [is_making, dialog] = useDisclosure(false);
  const { values } = of.form;
  const before = of.form.getInitialValues();
  return (
    <>
      <FormFrame of={of} action={action} cancel={cancel} again={again}>
        <Section title={words.heading}>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <ClientField
              made={made}
              known_name={client_name}
              create={dialog.open}
              chosen={usual.setClient}
              {...of.fields('client_id')}
            />
            {has_type && (
              <NativeSelect
                label={words.type}
                data={[
                  { value: 'F1', label: words.types.F1 },
                  { value: 'F2', label: words.types.F2 },
                ]}
                {...of.fields('type')}
                onChange={(event) => {
                  of.fields('type').onChange(event);
                  of.form.setFieldValue(
                    'series_id',
                    event.currentTarget.value === before.type ? before.series_id : '',
                  );
                }}
              />
            )}
            <TextInput
              type="date"
              label={words.issued_on}
              description={words.issued_hint}
              {...of.fields('issued_on')}
            />
            <TextInput
              type="date"
              label={words.due_on}
              description={words.due_hint}
              {...of.fields('due_on')}
            />
            {has_type && (
              <SeriesField
                type={values.type}
                own={values.type === before.type ? series : null}
                {...of.fields('series_id')}
              />
            )}
            <TextInput label={words.subject} maxLength={500} {...of.fields('description')} />
          </SimpleGrid>
        </Section>
        <Lines of={of} usual_tax={usual.tax} currency={currency} />
        <Section title={words.notes}>
          <Textarea
            label={words.notes}
            description={words.notes_hint}
            autosize
            minRows={2}
            maxLength={5000}
            {...of.fields('notes')}
          />
        </Section>
      </FormFrame>
      <NewClientDialog
        is_open={is_making}
        close={dialog.close}
        title={words.client_new}
        action={words.client_create}
        done={(client) => {
          setMade(client);
          usual.setClient(client);
          of.form.setFieldValue('client_id', client.id);
          of.form.clearFieldError('client_id');
          dialog.close();
          tell(words.client_made);
        }}
        madeLate={() => tell(words.client_made_late)}
      />
    </>
  );
}

type LinesProps = { of: ApiForm<DraftValues>; usual_tax: string; currency: string };

function Lines({ of, usual_tax, currency }: LinesProps) {
  const words = useWords(invoiceWords);
  const language = useLanguage();
  const read = useRead(listTaxes, activeTaxes);
  const can = useCan();
  const products = useRead(
    listProducts,
    { query: { is_active: true, limit: 20 } },
    { is_enabled: can('list_products') },
  );
  const rates = vatRates.map((rate) => ({
    value: `rate:${rate}`,
    label: words.vat(formatPercent(rate, language)),
  }));
  const { lines } = of.form.values;
  // A retention is no tax of a line, and plain VAT is in the list already; what a line has stays.
  const others = (read.data?.data ?? []).filter(
    (tax) =>
      lines.some(({ taxes_id }) => taxes_id === tax.id) || (tax.kind !== 'retention' && !isPlainVat(tax)),
  );
  const taxes = [...rates, ...others.map(({ id, name }) => ({ value: id, label: name }))];
  const { box, focusNext } = useFocusedLine(lines.length);
  return (
    <Section title={words.lines}>
      <Stack gap="lg" ref={box}>
        {lines.map((line, index) => (
          <LineFields
            // biome-ignore lint/suspicious/noArrayIndexKey: new lines have no id, and their order is theirs
            key={`${index} ${line.id}`}
            of={of}
            index={index}
            taxes={taxes}
            currency={currency}
            usual_tax={usual_tax}
            has_products={(products.data?.data.length ?? 0) > 0}
            remove={
              lines.length > 1
                ? () => {
                    focusNext(Math.min(index, of.form.getValues().lines.length - 2));
                    of.form.removeListItem('lines', index);
                  }
                : undefined
            }
          />
        ))}
        <div>
          <Button
            variant="default"
            leftSection={<Icon name="plus" size={16} />}
            onClick={() => {
              focusNext(lines.length);
              of.form.insertListItem('lines', newLine());
            }}
          >
            {words.add_line}
          </Button>
        </div>
      </Stack>
    </Section>
  );
}

/** The focus goes to a line that was added, or to the one in the place of what was removed. */
function useFocusedLine(count: number) {
  const box = useRef<HTMLDivElement>(null);
  const next = useRef<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each line more or less
  useEffect(() => {
    if (next.current === null) return;
    box.current?.querySelectorAll('[role="group"]')[next.current]?.querySelector('input')?.focus();
    next.current = null;
  }, [count]);
  const focusNext = (index: number) => {
    next.current = index;
  };
  return { box, focusNext };
}

type SeriesProps = {
  type: DraftValues['type'];
  /** That of the draft before, which may be archived by now. */
  own: Invoice['series'];
  value?: string;
  onChange?: (event: never) => void;
  error?: React.ReactNode;
};

/** A series numbers one kind of document. */
const seriesKindOf = { F1: 'invoice', F2: 'simplified_invoice' } as const;

function SeriesField({ type, own, ...field }: SeriesProps) {
  const words = useWords(invoiceWords);
  const query = { document_type: seriesKindOf[type], is_archived: false, limit: 100 };
  const series = useRead(listSeries, { query }).data?.data ?? [];
  const offered = series.map(({ id, code, name }) => ({
    value: id,
    label: name ? `${code} · ${name}` : code,
  }));
  const data = own === null ? offered : withOwn(offered, { value: own.id, label: own.code });
  return (
    <NativeSelect
      label={words.series}
      data={[{ value: '', label: words.series_default }, ...data]}
      {...(field as object)}
    />
  );
}
