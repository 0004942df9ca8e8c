import { NativeSelect, SimpleGrid, Stack, Switch, TextInput } from '@mantine/core';
import { useWords } from '../../app/words.ts';
import type { ApiForm } from '../../parts/api-form.tsx';
import { Section } from '../../parts/facts.tsx';
import { validKinds, vatKinds } from '../../printed/documents.ts';
import type { CompanyValues } from './company-values.ts';
import { companyWords } from './words.ts';

const defaultKinds = ['vat', 'igic', 'ipsi'] as const;

type Props = { of: ApiForm<CompanyValues> };

export function BillingFields({ of }: Props) {
  const words = useWords(companyWords);
  const { fields } = of;
  return (
    <>
      <Section title={words.vat}>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
          <NativeSelect
            label={words.default_tax}
            data={defaultKinds.map((kind) => ({ value: kind, label: words.default_taxes[kind] }))}
            {...fields('default_vat.tax_kind')}
          />
          {vatKinds.map((kind) => (
            <TextInput
              key={kind}
              label={words.kinds[kind]}
              inputMode="decimal"
              autoComplete="off"
              rightSection="%"
              rightSectionPointerEvents="none"
              {...fields(`default_vat.${kind}`)}
            />
          ))}
        </SimpleGrid>
      </Section>
      <Section title={words.collecting}>
        <Stack>
          <TextInput
            label="IBAN"
            description={words.iban_hint}
            maxLength={42}
            maw="28rem"
            autoComplete="off"
            {...fields('iban')}
          />
          <Switch
            label={words.reminders}
            description={words.reminders_hint}
            {...fields('reminders.enabled', { type: 'checkbox' })}
          />
          <TextInput
            label={words.reminder_days}
            description={words.reminder_days_hint}
            maw="28rem"
            {...fields('reminders.days_after_due')}
          />
        </Stack>
      </Section>
      <Rules of={of} />
    </>
  );
}

function Rules({ of }: Props) {
  const words = useWords(companyWords);
  const { fields } = of;
  return (
    <Section title={words.rules}>
      <Stack>
        <Switch
          label={words.require_addresses}
          description={words.require_addresses_hint}
          {...fields('require_addresses', { type: 'checkbox' })}
        />
        <Switch
          label={words.simplified}
          description={words.simplified_hint}
          {...fields('simplified_invoices_enabled', { type: 'checkbox' })}
        />
        <Switch
          label={words.acceptance}
          description={words.acceptance_hint}
          {...fields('public_acceptance', { type: 'checkbox' })}
        />
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          {validKinds.map((kind) => (
            <TextInput
              key={kind}
              label={words.valid_days[kind]}
              description={words.valid_days_hint}
              inputMode="numeric"
              {...fields(`default_validity_days.${kind}`)}
            />
          ))}
          <TextInput
            label={words.link_months}
            description={words.link_months_hint}
            inputMode="numeric"
            {...fields('public_link_months')}
          />
        </SimpleGrid>
      </Stack>
    </Section>
  );
}
