/** The fields of a client or supplier: those that an invoice needs, and, on a page of their own, the rest. */
import { SimpleGrid, Stack, Switch, TextInput, Textarea, NativeSelect } from '@mantine/core';
import { useWords } from '../../app/words.ts';
import { AddressFields } from '../address/address-fields.tsx';
import type { ApiForm } from '../api-form.tsx';
import { Section } from '../facts.tsx';
import type { ContactKind } from './contact-kind.ts';
import type { ContactValues } from './contact-values.ts';
import { contactWords } from './contact-words.ts';

type Props = { of: ApiForm<ContactValues> };

/** In a dialog of another form. */
export function ShortContactFields({ of }: Props) {
  const words = useWords(contactWords);
  return (
    <>
      <NameFields of={of} tax_id_hint={words.tax_id_short} />
      <TextInput label={words.email} type="email" maxLength={254} {...of.fields('email')} />
      <AddressFields fields={(path) => of.fields(path)} />
    </>
  );
}

export function ContactFields({ of, kind }: Props & { kind: ContactKind }) {
  const words = useWords(contactWords);
  const { tax_id_hint } = useWords(kind.words);
  return (
    <>
      <Section title={words.identity}>
        <Stack>
          <NameFields of={of} tax_id_hint={tax_id_hint} />
          <TextInput
            label={words.commercial_name}
            maxLength={250}
            maw="28rem"
            {...of.fields('commercial_name')}
          />
          <AlternativeFields of={of} />
          <Switch label={words.private_person} {...of.fields('is_private_person', { type: 'checkbox' })} />
          {kind.is_billed && (
            <Switch label={words.surcharge} {...of.fields('is_surcharge_subject', { type: 'checkbox' })} />
          )}
        </Stack>
      </Section>
      <Section title={words.address}>
        <Stack>
          <AddressFields fields={(path) => of.fields(path)} />
        </Stack>
      </Section>
      <Section title={words.contact}>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          <TextInput label={words.email} type="email" maxLength={254} {...of.fields('email')} />
          <TextInput label={words.phone} type="tel" maxLength={40} {...of.fields('phone')} />
          {kind.is_billed && (
            <TextInput
              label={words.billing_emails}
              description={words.billing_emails_hint}
              {...of.fields('billing_emails')}
            />
          )}
          <TextInput label={words.contact_person} maxLength={120} {...of.fields('contact_person')} />
        </SimpleGrid>
      </Section>
      <BillingFields of={of} />
    </>
  );
}

function NameFields({ of, tax_id_hint }: Props & { tax_id_hint: string }) {
  const words = useWords(contactWords);
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <TextInput label={words.name} required maxLength={250} data-autofocus {...of.fields('name')} />
      <TextInput label={words.tax_id} description={tax_id_hint} maxLength={30} {...of.fields('tax_id')} />
    </SimpleGrid>
  );
}

function AlternativeFields({ of }: Props) {
  const words = useWords(contactWords);
  const { type } = of.form.values.alternative_id;
  const kinds = Object.entries(words.alternatives).map(([value, label]) => ({
    value: value === 'none' ? '' : value,
    label,
  }));
  return (
    <SimpleGrid cols={{ base: 1, sm: 3 }}>
      <NativeSelect label={words.alternative} data={kinds} {...of.fields('alternative_id.type')} />
      {type !== '' && (
        <>
          <TextInput
            label={words.alternative_value}
            required
            maxLength={20}
            {...of.fields('alternative_id.value')}
          />
          <TextInput
            label={words.alternative_country}
            description={words.alternative_country_hint}
            maxLength={2}
            {...of.fields('alternative_id.country_code')}
          />
        </>
      )}
    </SimpleGrid>
  );
}

function BillingFields({ of }: Props) {
  const words = useWords(contactWords);
  const methods = Object.entries(words.methods).map(([value, label]) => ({
    value: value === 'none' ? '' : value,
    label,
  }));
  const { method } = of.form.values.payment_preferences;
  return (
    <Section title={words.billing}>
      <Stack>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }}>
          <TextInput label={words.vat} rightSection="%" {...of.fields('default_vat_rate')} />
          <TextInput label={words.retention} rightSection="%" {...of.fields('default_retention_rate')} />
          <NativeSelect label={words.method} data={methods} {...of.fields('payment_preferences.method')} />
          {method !== '' && (
            <TextInput
              label={words.terms}
              inputMode="numeric"
              {...of.fields('payment_preferences.terms_days')}
            />
          )}
        </SimpleGrid>
        <TextInput label="IBAN" maxLength={42} maw="28rem" autoComplete="off" {...of.fields('iban')} />
        <Textarea
          label={words.notes}
          description={words.notes_hint}
          autosize
          minRows={2}
          {...of.fields('notes')}
        />
      </Stack>
    </Section>
  );
}
