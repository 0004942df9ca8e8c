import { Button } from '@mantine/core';
import { useChange } from '../../app/changing.ts';
import { useCommonWords } from '../../app/common-words.ts';
import { useCan } from '../../app/company.ts';
import { PageLink } from '../../app/navigate.tsx';
import { useRead } from '../../app/reading.ts';
import { useLanguage, useWords } from '../../app/words.ts';
import { addressText } from '../address/address-values.ts';
import { BackLink } from '../back-link.tsx';
import { CopyValue } from '../copy.tsx';
import { type Fact, Facts, Section } from '../facts.tsx';
import { formatPercent } from '../money.ts';
import { PageTitle } from '../page-title.tsx';
import { Ready } from '../ready.tsx';
import { Failure } from '../states.tsx';
import { tell } from '../tell.ts';
import type { Contact, ContactKind } from './contact-kind.ts';
import { ContactState } from './contact-list.tsx';
import { contactWords } from './contact-words.ts';

export function OneContact({ kind, id }: { kind: ContactKind; id: string }) {
  const read = useRead(kind.get, { params: { [kind.object]: id } });
  return (
    <Ready read={read} is_page>
      {({ data }) => <ContactPage of={data} kind={kind} />}
    </Ready>
  );
}

type Props = { of: Contact; kind: ContactKind };

function ContactPage({ of, kind }: Props) {
  const words = useWords(kind.words);
  const { actions } = useCommonWords();
  const can = useCan();
  const { main } = kind;
  return (
    <>
      <PageTitle
        above={<BackLink to={kind.path}>{words.title}</BackLink>}
        actions={
          <>
            {can(kind.archive.name) && <Archive of={of} kind={kind} />}
            {can(kind.update.name) && (
              <Button
                component={PageLink}
                to={`${kind.path}/${of.id}/edit`}
                variant={main ? 'default' : 'filled'}
              >
                {actions.edit}
              </Button>
            )}
            {main && can(main.asks) && of.is_active && main.button(of)}
          </>
        }
      >
        {of.name}
      </PageTitle>
      <Section title={words.details}>
        <Facts facts={useContactFacts(of, kind)} />
      </Section>
    </>
  );
}

function useContactFacts(of: Contact, { is_billed, other, words: own }: ContactKind): Fact[] {
  const words = useWords(contactWords);
  const { other: other_name } = useWords(own);
  const { none } = useCommonWords();
  const can = useCan();
  const shown = (text: string | null | undefined) => (text ? text : none);
  const is_both = of.roles.includes(other.object) && can(other.asks);
  const others = <PageLink to={`${other.path}/${of.id}`}>{other_name}</PageLink>;
  return [
    ...useIdentityFacts(of),
    { name: words.state, value: <ContactState of={of} /> },
    ...(of.commercial_name ? [{ name: words.commercial_name, value: of.commercial_name }] : []),
    { name: words.address, value: shown(addressText(of.address)) },
    { name: words.email, value: shown(of.email) },
    ...(is_billed ? [{ name: words.billing_emails, value: shown(of.billing_emails.join(', ')) }] : []),
    { name: words.phone, value: shown(of.phone) },
    { name: words.contact_person, value: shown(of.contact_person) },
    { name: words.payment, value: shown(usePaymentText(of)) },
    ...useTaxFacts(of),
    { name: 'IBAN', value: shown(of.iban) },
    { name: 'Id', value: <CopyValue value={of.id} name="id" /> },
    ...(is_both ? [{ name: words.other_role, value: others }] : []),
    ...(of.notes === null ? [] : [{ name: words.notes, value: of.notes }]),
  ];
}

/** A company of another state may have its VAT number alone. */
function useIdentityFacts({ tax_id, vat_id, alternative_id }: Contact): Fact[] {
  const words = useWords(contactWords);
  const { none } = useCommonWords();
  const own = tax_id ?? alternative_id?.value;
  return [
    ...(own || !vat_id ? [{ name: words.tax_id, value: own || none }] : []),
    ...(vat_id ? [{ name: words.alternatives.vat_id, value: vat_id }] : []),
  ];
}

/** What lines take from it by themselves, where it has any. */
function useTaxFacts(of: Contact): Fact[] {
  const { default_vat_rate, default_retention_rate, is_surcharge_subject } = of;
  const { preferred_operation_regime: regime } = of;
  const words = useWords(contactWords);
  const { yes } = useCommonWords();
  const language = useLanguage();
  const rates = [
    { name: words.vat, rate: default_vat_rate },
    { name: words.retention, rate: default_retention_rate },
  ];
  return [
    ...rates.flatMap(({ name, rate }) =>
      typeof rate === 'number' ? [{ name, value: formatPercent(rate, language) }] : [],
    ),
    ...(is_surcharge_subject ? [{ name: words.surcharge, value: yes }] : []),
    ...(regime && regime !== 'general' ? [{ name: words.regime, value: words.regimes[regime] }] : []),
  ];
}

function usePaymentText({ payment_preferences: agreed }: Contact): string | null {
  const { methods, payment_days } = useWords(contactWords);
  if (agreed === null) return null;
  const { method, terms_days } = agreed;
  return typeof terms_days === 'number' ? payment_days(methods[method], terms_days) : methods[method];
}

function Archive({ of, kind }: Props) {
  const own = useWords(kind.words);
  const words = useWords(contactWords);
  const { run, is_running, error } = useChange(of.is_active ? kind.archive : kind.unarchive);
  const change = async () => {
    if ((await run({ params: { [kind.object]: of.id } })) !== null)
      tell(of.is_active ? own.archived_told : own.unarchived_told);
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
