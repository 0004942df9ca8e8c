/** What the form of a client or supplier holds, nearly all as text, and what is sent of it. */
import type { Language } from '../../app/words.ts';
import { type AddressValues, addressOf, addressValues } from '../address/address-values.ts';
import { formatNumber } from '../money.ts';
import { addressesIn, byName, numberOrNull, percentOrNull, textOrNull } from '../typed.ts';
import type { Contact, NewContact } from './contact-kind.ts';

const texts = ['commercial_name', 'tax_id', 'email', 'phone', 'contact_person', 'iban', 'notes'] as const;

type AlternativeType = NonNullable<Contact['alternative_id']>['type'];
type Method = NonNullable<Contact['payment_preferences']>['method'];

export type ContactValues = Record<(typeof texts)[number], string> & {
  name: string;
  billing_emails: string;
  address: AddressValues;
  alternative_id: { type: AlternativeType | ''; value: string; country_code: string };
  is_private_person: boolean;
  is_surcharge_subject: boolean;
  default_vat_rate: string;
  default_retention_rate: string;
  payment_preferences: { method: Method | ''; terms_days: string };
};

export function contactValues(contact: Contact | null, language: Language): ContactValues {
  const { alternative_id, payment_preferences } = contact ?? {};
  const shown = (rate: number | null | undefined) =>
    typeof rate === 'number' ? formatNumber(rate, language) : '';
  return {
    ...byName(texts, (name) => contact?.[name] ?? ''),
    name: contact?.name ?? '',
    billing_emails: (contact?.billing_emails ?? []).join(', '),
    address: addressValues(contact?.address ?? null),
    alternative_id: {
      type: alternative_id?.type ?? '',
      value: alternative_id?.value ?? '',
      country_code: alternative_id?.country_code ?? '',
    },
    is_private_person: contact?.is_private_person ?? false,
    is_surcharge_subject: contact?.is_surcharge_subject ?? false,
    default_vat_rate: shown(contact?.default_vat_rate),
    default_retention_rate: shown(contact?.default_retention_rate),
    payment_preferences: {
      method: payment_preferences?.method ?? '',
      terms_days: String(payment_preferences?.terms_days ?? ''),
    },
  };
}

function alternativeOf({ type, value, country_code }: ContactValues['alternative_id']) {
  if (type === '') return null;
  return { type, value: value.trim(), country_code: textOrNull(country_code)?.toUpperCase() ?? null };
}

export function contactBody(values: ContactValues, language: Language): NewContact {
  const { method, terms_days } = values.payment_preferences;
  return {
    ...byName(texts, (name) => textOrNull(values[name])),
    name: values.name.trim(),
    billing_emails: addressesIn(values.billing_emails),
    address: addressOf(values.address),
    alternative_id: alternativeOf(values.alternative_id),
    is_private_person: values.is_private_person,
    is_surcharge_subject: values.is_surcharge_subject,
    default_vat_rate: percentOrNull(values.default_vat_rate, language),
    default_retention_rate: percentOrNull(values.default_retention_rate, language),
    payment_preferences: method === '' ? null : { method, terms_days: numberOrNull(terms_days, language) },
  };
}

/** A list of addresses has one field. */
export const contactPaths = Object.fromEntries(
  Array.from({ length: 20 }, (_, index) => [`billing_emails.${index}`, 'billing_emails']),
);
