import { SimpleGrid, Stack, TextInput } from '@mantine/core';
import { useWords } from '../../app/words.ts';
import { AddressFields } from '../../parts/address/address-fields.tsx';
import type { ApiForm } from '../../parts/api-form.tsx';
import { Section } from '../../parts/facts.tsx';
import type { CompanyValues } from './company-values.ts';
import { companyWords } from './words.ts';

export function IdentityFields({ of }: { of: ApiForm<CompanyValues> }) {
  const words = useWords(companyWords);
  const { fields } = of;
  return (
    <>
      <Section title={words.identity}>
        <Stack>
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <TextInput
              label={words.name}
              description={words.name_hint}
              maxLength={250}
              autoComplete="organization"
              {...fields('name')}
            />
            <TextInput
              label={words.tax_id}
              description={words.tax_id_hint}
              maxLength={20}
              required
              {...fields('tax_id')}
            />
            <TextInput
              label={words.commercial_name}
              description={words.commercial_name_hint}
              maxLength={250}
              {...fields('commercial_name')}
            />
            <TextInput
              label={words.registry}
              description={words.registry_hint}
              maxLength={300}
              {...fields('registry_data')}
            />
          </SimpleGrid>
        </Stack>
      </Section>
      <Section title={words.address}>
        <Stack>
          <AddressFields fields={(path) => fields(path)} />
        </Stack>
      </Section>
      <Section title={words.contact}>
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <TextInput
            label={words.email}
            description={words.email_hint}
            type="email"
            maxLength={254}
            {...fields('email')}
          />
          <TextInput
            label={words.phone}
            description={words.printed_hint}
            type="tel"
            maxLength={40}
            {...fields('phone')}
          />
          <TextInput
            label={words.website}
            description={words.printed_hint}
            maxLength={500}
            {...fields('website')}
          />
        </SimpleGrid>
      </Section>
    </>
  );
}
