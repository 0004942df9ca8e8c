/** Identifiers keep the spelling of the input. */
import { type DecimalInput, numberText } from '../../../kernel/json.ts';
import {
  addressKeys,
  type BankAccount,
  type ContactAddress,
  type ContactFields,
} from '../contacts.fields.ts';
import type { ContactInput } from '../contacts.schema.ts';

export const blankContact: Omit<ContactFields, 'name'> = {
  business_name: null,
  commercial_name: null,
  tax_id: null,
  vat_id: null,
  email: null,
  phone: null,
  fax: null,
  mobile: null,
  website: null,
  contact_person: null,
  billing_emails: [],
  address: null,
  coordinates: null,
  iban: null,
  bank_accounts: [],
  default_taxes_id: null,
  default_discount: null,
  default_vat_rate: null,
  default_retention_rate: null,
  is_private_person: false,
  is_surcharge_subject: false,
  preferred_operation_regime: null,
  accumulate_347: true,
  alternative_id: null,
  payment_preferences: null,
  external_id: null,
  price_list_id: null,
  notes: null,
  metadata: {},
  is_active: true,
};

const toNumber = (value: DecimalInput): number => Number(numberText(value));
const toPercent = (value: DecimalInput | null): number | null => (value === null ? null : toNumber(value));

function fullAddress(address: NonNullable<ContactInput['address']>): ContactAddress | null {
  const full = Object.fromEntries(addressKeys.map((key) => [key, address[key] ?? null])) as ContactAddress;
  return Object.values(full).some((part) => part !== null) ? full : null;
}

/**
 * Absent keys stay, null clears (to the default, if the field has one). Objects and lists are replaced as a
 * whole.
 */
export function mergeContact(current: ContactFields, input: ContactInput): ContactFields {
  const { address, coordinates, bank_accounts, alternative_id, payment_preferences, ...simple } = input;
  const { default_discount, default_vat_rate, default_retention_rate, ...plain } = simple;
  const next = { ...current } as ContactFields;
  for (const [name, value] of Object.entries(plain)) {
    const cleared = name === 'name' ? current.name : blankContact[name as keyof typeof blankContact];
    Object.assign(next, { [name]: value ?? cleared });
  }
  if (default_discount !== undefined) next.default_discount = toPercent(default_discount);
  if (default_vat_rate !== undefined) next.default_vat_rate = toPercent(default_vat_rate);
  if (default_retention_rate !== undefined) next.default_retention_rate = toPercent(default_retention_rate);
  if (address !== undefined) next.address = address === null ? null : fullAddress(address);
  if (coordinates !== undefined) {
    next.coordinates = coordinates && {
      latitude: toNumber(coordinates.latitude),
      longitude: toNumber(coordinates.longitude),
    };
  }
  if (bank_accounts !== undefined) {
    next.bank_accounts = (bank_accounts ?? []).map(
      ({ iban, bic, is_default }): BankAccount => ({
        object: 'bank_account',
        iban,
        bic: bic ?? null,
        is_default: is_default ?? false,
      }),
    );
  }
  if (alternative_id !== undefined) {
    next.alternative_id = alternative_id && {
      object: 'alternative_id',
      type: alternative_id.type,
      value: alternative_id.value,
      country_code: alternative_id.country_code ?? null,
    };
  }
  if (payment_preferences !== undefined) {
    next.payment_preferences = payment_preferences && {
      object: 'payment_preferences',
      method: payment_preferences.method,
      terms_days: payment_preferences.terms_days ?? null,
    };
  }
  return next;
}
