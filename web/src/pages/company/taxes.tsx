import { Text } from '@mantine/core';
import { useCompanyDetails } from '../../app/company-details.ts';
import { useCommonWords } from '../../app/common-words.ts';
import { useLanguage, useWords } from '../../app/words.ts';
import { Facts, Section } from '../../parts/facts.tsx';
import { ListPage } from '../../parts/list-page.tsx';
import type { Column } from '../../parts/list-table.tsx';
import { formatPercent } from '../../parts/money.ts';
import { PageTitle } from '../../parts/page-title.tsx';
import { Ready } from '../../parts/ready.tsx';
import { EmptyState } from '../../parts/states.tsx';
import { listTaxes, type Tax } from './calls.ts';
import { CompanyNav } from './company-nav.tsx';
import { vatKinds } from '../../printed/documents.ts';
import { companyWords } from './words.ts';
import { State } from '../../parts/state.tsx';

export default function Taxes() {
  const words = useWords(companyWords);
  return (
    <>
      <PageTitle text={words.taxes_about}>{words.taxes}</PageTitle>
      <CompanyNav />
      <DefaultVat />
      <Section title={words.taxes_list}>
        <ListPage
          call={listTaxes}
          name={words.taxes}
          columns={useTaxColumns()}
          idOf={(tax) => tax.id}
          empty={<EmptyState icon="money" title={words.taxes_empty_title} text={words.taxes_empty_text} />}
        />
      </Section>
    </>
  );
}

function DefaultVat() {
  const words = useWords(companyWords);
  const language = useLanguage();
  const read = useCompanyDetails();
  return (
    <Section title={words.taxes_default}>
      <Text c="dimmed" mb="md">
        {words.taxes_default_text}
      </Text>
      <Ready read={read} rows={2}>
        {({ data }) => {
          const { tax_kind, ...rates } = data.default_vat;
          const of_kind: Record<string, unknown> = rates;
          const textOf = (rate: unknown) =>
            typeof rate === 'number'
              ? `${words.tax_kinds[tax_kind]} ${formatPercent(rate, language)}`
              : words.no_vat;
          return (
            <Facts
              columns={3}
              facts={vatKinds.map((kind) => ({ name: words.kinds[kind], value: textOf(of_kind[kind]) }))}
            />
          );
        }}
      </Ready>
    </Section>
  );
}

function useTaxColumns(): Column<Tax>[] {
  const words = useWords(companyWords);
  const { none } = useCommonWords();
  const language = useLanguage();
  const rateOf = ({ rate, exemption_reason, qualification }: Tax) => {
    if (rate !== null) return formatPercent(rate, language);
    return exemption_reason === null ? (qualification ?? none) : words.exempt(exemption_reason);
  };
  return [
    { id: 'name', title: words.tax_name, cell: ({ name }) => name },
    { id: 'kind', title: words.tax_kind, from: 'xs', cell: ({ kind }) => words.tax_kinds[kind] },
    { id: 'rate', title: words.rate, is_amount: true, cell: rateOf },
    { id: 'regime', title: words.regime, from: 'md', cell: ({ regime_key }) => regime_key ?? none },
    {
      id: 'state',
      title: words.state,
      from: 'xs',
      cell: ({ is_active }) => (
        <State color={is_active ? 'green' : 'gray'}>{is_active ? words.active : words.inactive}</State>
      ),
    },
  ];
}
