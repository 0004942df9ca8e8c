/** What the form of the company holds, nearly all as text, and what is sent of it: the fields that changed. */
import type { Language } from '../../app/words.ts';
import { type AddressValues, addressOf, addressValues } from '../../parts/address/address-values.ts';
import { changedOnly } from '../../parts/changed-only.ts';
import { formatNumber } from '../../parts/money.ts';
import { byName, numberOrNull, percentOrNull, textOrNull } from '../../parts/typed.ts';
import { validKinds, vatKinds } from '../../printed/documents.ts';
import type { Company } from './calls.ts';

const texts = [
  'name',
  'commercial_name',
  'registry_data',
  'email',
  'phone',
  'website',
  'logo',
  'colour',
  'iban',
] as const;

export type CompanyValues = Record<(typeof texts)[number], string> & {
  tax_id: string;
  language: Company['language'];
  time_zone: Company['time_zone'];
  address: AddressValues;
  default_vat: Record<(typeof vatKinds)[number], string> & Pick<Company['default_vat'], 'tax_kind'>;
  default_validity_days: Record<(typeof validKinds)[number], string>;
  reminders: { enabled: boolean; days_after_due: string };
  require_addresses: boolean;
  simplified_invoices_enabled: boolean;
  public_acceptance: boolean;
  public_link_months: string;
};

export function companyValues(company: Company, language: Language): CompanyValues {
  const { reminders, public_link_months } = company;
  const rates: Record<string, unknown> = company.default_vat;
  const days = company.default_validity_days as Record<string, number>;
  return {
    ...byName(texts, (name) => company[name] ?? ''),
    tax_id: company.tax_id,
    language: company.language,
    time_zone: company.time_zone,
    address: addressValues(company.address),
    default_vat: {
      ...byName(vatKinds, (kind) =>
        typeof rates[kind] === 'number' ? formatNumber(rates[kind], language) : '',
      ),
      tax_kind: company.default_vat.tax_kind,
    },
    default_validity_days: byName(validKinds, (kind) => String(days[kind] ?? '')),
    reminders: {
      enabled: reminders?.enabled ?? false,
      days_after_due: (reminders?.days_after_due ?? []).join(', '),
    },
    require_addresses: company.require_addresses,
    simplified_invoices_enabled: company.simplified_invoices_enabled,
    public_acceptance: company.public_acceptance,
    public_link_months: String(public_link_months ?? ''),
  };
}

function remindersOf({ enabled, days_after_due }: CompanyValues['reminders'], language: Language) {
  const days = days_after_due.split(/[\s,;]+/).filter((text) => text !== '');
  if (!enabled && days.length === 0) return null;
  return { enabled, days_after_due: days.map((text) => numberOrNull(text, language) ?? 0) };
}

function bodyOf(values: CompanyValues, language: Language): Partial<Company> {
  const days = values.default_validity_days;
  return {
    ...byName(texts, (name) => textOrNull(values[name])),
    tax_id: values.tax_id.trim(),
    language: values.language,
    time_zone: values.time_zone,
    address: addressOf(values.address),
    default_vat: {
      ...byName(vatKinds, (kind) => percentOrNull(values.default_vat[kind], language)),
      tax_kind: values.default_vat.tax_kind,
    },
    // What was emptied is sent as nothing, which the service refuses: left out, it would stay as it was.
    default_validity_days: Object.fromEntries(
      validKinds.map((kind) => [kind, numberOrNull(days[kind], language)]),
    ) as Company['default_validity_days'],
    reminders: remindersOf(values.reminders, language),
    require_addresses: values.require_addresses,
    simplified_invoices_enabled: values.simplified_invoices_enabled,
    public_acceptance: values.public_acceptance,
    public_link_months: numberOrNull(values.public_link_months, language),
  };
}

/** An address is sent whole; what nobody touched is not sent at all. */
export const companyChange = (
  values: CompanyValues,
  before: CompanyValues,
  language: Language,
): Partial<Company> => changedOnly(bodyOf(values, language), bodyOf(before, language));

/** A list of days has one field. */
export const companyPaths = Object.fromEntries(
  Array.from({ length: 10 }, (_, index) => [`reminders.days_after_due.${index}`, 'reminders.days_after_due']),
);
