/** What the plan allows, and the person's other companies. */
import { Anchor, Button, Group, List, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useCommonWords } from '../../app/common-words.ts';
import { useCurrentCompany } from '../../app/company.ts';
import { useCompanyDetails } from '../../app/company-details.ts';
import { Icon } from '../../app/icons.tsx';
import { PageLink } from '../../app/navigate.tsx';
import { usePlanName } from '../../app/plan-name.ts';
import { useSession } from '../../app/session.tsx';
import { useLanguage, useWords } from '../../app/words.ts';
import { type Fact, Facts, Section } from '../../parts/facts.tsx';
import { formatNumber } from '../../parts/money.ts';
import { newCompanyWords } from '../../parts/new-company-words.ts';
import { PageTitle } from '../../parts/page-title.tsx';
import { Ready } from '../../parts/ready.tsx';
import { planModules } from '../../printed/operations.ts';
import { planLimits } from '../../printed/plans.ts';
import type { Company } from './calls.ts';
import { CompanyNav } from './company-nav.tsx';
import { companyWords } from './words.ts';
import { State } from '../../parts/state.tsx';

export default function Plan() {
  const words = useWords(companyWords);
  const read = useCompanyDetails();
  return (
    <>
      <PageTitle text={words.plan_about}>{words.plan}</PageTitle>
      <CompanyNav />
      <Ready read={read}>{({ data }) => <PlanSections of={data} />}</Ready>
      <Companies />
    </>
  );
}

function PlanSections({ of }: { of: Company }) {
  const words = useWords(companyWords);
  const language = useLanguage();
  const nameOf = usePlanName();
  const limits = planLimits[of.tier];
  const number = (value: number) => formatNumber(value, language);
  const known: Fact[] = limits
    ? [
        { name: words.reads, value: number(limits.reads_per_minute) },
        { name: words.writes, value: number(limits.writes_per_minute) },
        { name: words.recipients, value: number(limits.email_recipients_per_day) },
      ]
    : [];
  return (
    <>
      <Section title={words.plan_title}>
        {of.tier !== of.plan && <Text mb="md">{words.tier_hint(nameOf(of.tier))}</Text>}
        <Facts
          columns={3}
          facts={[
            { name: words.plan_name, value: nameOf(of.plan) },
            { name: words.tier, value: nameOf(of.tier) },
            ...known,
          ]}
        />
        <Text size="sm" c="dimmed" mt="md">
          {words.limits_hint}
        </Text>
      </Section>
      <Modules plan={of.plan} />
    </>
  );
}

/** A boost lifts the tier, never the modules. */
function Modules({ plan }: { plan: string }) {
  const words = useWords(companyWords);
  const held = planModules[plan] ?? [];
  return (
    <Section title={words.modules}>
      {held.length === 0 && <Text mb="md">{words.modules_none}</Text>}
      <Facts
        columns={4}
        facts={Object.entries(words.module_names).map(([name, title]) => ({
          name: title,
          value: (
            <State color={held.includes(name) ? 'green' : 'gray'}>
              {held.includes(name) ? words.included : words.not_included}
            </State>
          ),
        }))}
      />
    </Section>
  );
}

function Companies() {
  const words = useWords(companyWords);
  const more = useWords(newCompanyWords);
  const { roles, company: common } = useCommonWords();
  const { session } = useSession();
  const { live_id } = useCurrentCompany();
  const add = (
    <Button
      component={PageLink}
      to="/company/new"
      variant="default"
      leftSection={<Icon name="plus" size={16} />}
    >
      {more.add_company}
    </Button>
  );
  return (
    <Section title={words.companies} actions={add}>
      <List listStyleType="none" spacing="sm">
        {session.companies.map(({ id, name, tax_id, role }) => (
          <List.Item key={id}>
            <Group gap="xs">
              <Anchor component={Link} to={`/${id}` as never}>
                {name ?? common.no_tax_name}
              </Anchor>
              <Text c="dimmed">{tax_id}</Text>
              <State>{roles[role]}</State>
              {id === live_id && <State color="green">{words.companies_here}</State>}
            </Group>
          </List.Item>
        ))}
      </List>
    </Section>
  );
}
