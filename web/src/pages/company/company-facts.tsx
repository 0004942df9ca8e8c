/** The data, for whoever may not edit it. */
import { Image } from '@mantine/core';
import { useCommonWords } from '../../app/common-words.ts';
import { useWords } from '../../app/words.ts';
import { addressText } from '../../parts/address/address-values.ts';
import { Facts, Section } from '../../parts/facts.tsx';
import type { Company } from './calls.ts';
import { companyWords } from './words.ts';

export function CompanyFacts({ of }: { of: Company }) {
  const words = useWords(companyWords);
  const { none, yes, no } = useCommonWords();
  const shown = (text: string | null) => (text === null || text === '' ? none : text);
  return (
    <>
      <Section title={words.identity}>
        <Facts
          facts={[
            { name: words.name, value: shown(of.name) },
            { name: words.tax_id, value: of.tax_id },
            { name: words.commercial_name, value: shown(of.commercial_name) },
            { name: words.registry, value: shown(of.registry_data) },
            { name: words.address, value: shown(addressText(of.address)) },
            { name: words.email, value: shown(of.email) },
            { name: words.phone, value: shown(of.phone) },
            { name: words.website, value: shown(of.website) },
          ]}
        />
      </Section>
      <Section title={words.documents}>
        <Facts
          facts={[
            {
              name: words.logo,
              value:
                of.logo === null ? (
                  words.logo_none
                ) : (
                  <Image src={of.logo} alt={words.logo_alt} h={60} w="auto" fit="contain" bg="white" />
                ),
            },
            { name: words.language, value: words.languages[of.language] },
            { name: words.zone, value: words.zones[of.time_zone] },
            { name: words.colour, value: shown(of.colour) },
          ]}
        />
      </Section>
      <Section title={words.collecting}>
        <Facts
          facts={[
            { name: 'IBAN', value: shown(of.iban) },
            {
              name: words.reminders,
              value: of.reminders?.enabled ? words.reminders_on(of.reminders.days_after_due) : no,
            },
            { name: words.require_addresses, value: of.require_addresses ? yes : no },
            { name: words.simplified, value: of.simplified_invoices_enabled ? yes : no },
          ]}
        />
      </Section>
    </>
  );
}
