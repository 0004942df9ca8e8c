import { NativeSelect, SimpleGrid, Stack } from '@mantine/core';
import { useWords } from '../../app/words.ts';
import type { ApiForm } from '../../parts/api-form.tsx';
import { Section } from '../../parts/facts.tsx';
import { ColourField } from './colour-field.tsx';
import type { CompanyValues } from './company-values.ts';
import { LogoField } from './logo-field.tsx';
import { companyWords } from './words.ts';

const languages = ['es', 'ca', 'eu', 'gl', 'en'] as const;
const zones = ['Europe/Madrid', 'Atlantic/Canary'] as const;

export function DocumentFields({ of }: { of: ApiForm<CompanyValues> }) {
  const words = useWords(companyWords);
  const { fields, form } = of;
  return (
    <Section title={words.documents}>
      <Stack>
        <LogoField
          value={form.values.logo}
          error={form.errors.logo}
          choose={(logo) => {
            form.setFieldValue('logo', logo);
            form.clearFieldError('logo');
          }}
          refuse={(reason) => form.setFieldError('logo', reason)}
        />
        <SimpleGrid cols={{ base: 1, sm: 3 }}>
          <ColourField
            {...(fields('colour') as { value: string })}
            choose={(colour) => form.setFieldValue('colour', colour)}
          />
          <NativeSelect
            label={words.language}
            description={words.language_hint}
            data={languages.map((value) => ({ value, label: words.languages[value] }))}
            {...fields('language')}
          />
          <NativeSelect
            label={words.zone}
            description={words.zone_hint}
            data={zones.map((value) => ({ value, label: words.zones[value] }))}
            {...fields('time_zone')}
          />
        </SimpleGrid>
      </Stack>
    </Section>
  );
}
