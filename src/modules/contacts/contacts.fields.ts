/** Contacts as stored: identifiers in one spelling, percentages as numbers. */
import type { OperationRegime } from '../../domain/sales/line-client.ts';
import type { ContactRole, RoleStates } from './rules/role-states.ts';

export { operationRegimes } from '../../domain/sales/line-client.ts';

export const alternativeIdTypes = [
  'tax_id_foreign',
  'passport',
  'official_id',
  'residence_certificate',
  'other',
  'vat_id',
] as const;

export const paymentMethods = [
  'bank_transfer',
  'direct_debit',
  'card',
  'cash',
  'check',
  'promissory_note',
  'other',
] as const;

export const addressKeys = [
  'line1',
  'line2',
  'number',
  'floor',
  'door',
  'staircase',
  'postal_code',
  'city',
  'province',
  'country',
] as const;

/** Has every key; null where nothing is known. */
export type ContactAddress = Record<(typeof addressKeys)[number], string | null>;

export type BankAccount = {
  object: 'bank_account';
  iban: string;
  bic: string | null;
  is_default: boolean;
};

export type AlternativeId = {
  object: 'alternative_id';
  type: (typeof alternativeIdTypes)[number];
  value: string;
  country_code: string | null;
};

export type PaymentPreferences = {
  object: 'payment_preferences';
  method: (typeof paymentMethods)[number];
  terms_days: number | null;
};

export type ContactFields = {
  name: string;
  business_name: string | null;
  commercial_name: string | null;
  tax_id: string | null;
  vat_id: string | null;
  email: string | null;
  phone: string | null;
  fax: string | null;
  mobile: string | null;
  website: string | null;
  contact_person: string | null;
  billing_emails: string[];
  address: ContactAddress | null;
  coordinates: { latitude: number; longitude: number } | null;
  iban: string | null;
  bank_accounts: BankAccount[];
  default_taxes_id: string | null;
  default_discount: number | null;
  default_vat_rate: number | null;
  default_retention_rate: number | null;
  /** A natural person who does not act as a business: invoices need no address of theirs. */
  is_private_person: boolean;
  is_surcharge_subject: boolean;
  preferred_operation_regime: OperationRegime | null;
  accumulate_347: boolean;
  alternative_id: AlternativeId | null;
  payment_preferences: PaymentPreferences | null;
  external_id: string | null;
  price_list_id: string | null;
  notes: string | null;
  metadata: Record<string, string>;
  /** Of the role that it is read in. */
  is_active: boolean;
};

export type ContactRow = ContactFields &
  RoleStates & {
    id: string;
    /** That it is read in. */
    role: ContactRole;
    created_at: Date;
    updated_at: Date;
  };
