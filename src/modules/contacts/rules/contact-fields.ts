/**
 * What the fields of a contact may be, and the one spelling that each identifier is kept in. Spanish tax ids
 * are checked by their control character; whose they are is the authority's census to say.
 */
import { countryCodes } from '../../../domain/countries.ts';
import { isEmailAddress } from '../../../domain/email-address.ts';
import { parseBic, parseIban } from '../../../domain/spain/iban.ts';
import { parseSpanishTaxId } from '../../../domain/spain/tax-id.ts';
import { parseVatId } from '../../../domain/spain/vat-id.ts';
import { type DecimalInput, numberText } from '../../../kernel/json.ts';
import type { FieldIssue } from '../../../kernel/problem.ts';
import { invalid, missing } from '../../../kernel/resource-input.ts';
import {
  addressKeys,
  type BankAccount,
  type ContactAddress,
  type ContactFields,
  type ContactInput,
} from '../contacts.schema.ts';

/** A contact of which only the name is known. */
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
  is_surcharge_subject: false,
  preferred_operation_regime: null,
  accumulate_347: true,
  alternative_id: null,
  payment_preferences: null,
  external_id: null,
  notes: null,
  metadata: {},
  is_active: true,
};

const FOREIGN_TAX_ID_MAX = 20;

const toNumber = (value: DecimalInput): number => Number(numberText(value));
const toPercent = (value: DecimalInput | null): number | null => (value === null ? null : toNumber(value));

function fullAddress(address: NonNullable<ContactInput['address']>): ContactAddress | null {
  const full = Object.fromEntries(addressKeys.map((key) => [key, address[key] ?? null])) as ContactAddress;
  return Object.values(full).some((part) => part !== null) ? full : null;
}

/**
 * The fields after an input: absent keys stay, null clears (to the default, where a field has one). Objects
 * and lists are replaced as a whole. Identifiers are still in the spelling they came in.
 */
function merge(current: ContactFields, input: ContactInput): ContactFields {
  const { address, coordinates, bank_accounts, alternative_id, payment_preferences, ...simple } = input;
  const { default_discount, default_vat_rate, default_retention_rate, ...plain } = simple;
  const next = { ...current } as ContactFields;
  for (const [name, value] of Object.entries(plain)) {
    const cleared = name === 'name' ? current.name : blankContact[name as keyof typeof blankContact];
    Object.assign(next, { [name]: value ?? cleared });
  }
  next.default_taxes_id = next.default_taxes_id?.toLowerCase() ?? null;
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

/** Reads identifiers one after the other, gathering what is wrong with each. */
class Reader {
  readonly issues: FieldIssue[] = [];

  /** The identifier in its one spelling; as it came, and an issue, when it is none. */
  read(param: string, text: string, parse: (text: string) => string | undefined, message: string): string {
    const value = parse(text);
    if (value === undefined) this.issues.push(invalid(param, message));
    return value ?? text;
  }

  check(param: string, holds: boolean, message: string): void {
    if (!holds) this.issues.push(invalid(param, message));
  }
}

const isCountry = (code: string | null): boolean => code === null || countryCodes.has(code);
const wrongCountry = 'No es un código de país ISO 3166-1.';
const wrongIban = 'No es un IBAN válido.';
const wrongVatId = 'No es un NIF-IVA válido: debe llevar el prefijo de su país.';
const wrongEmail = 'No es una dirección de correo electrónico.';

/** Whether the tax id is a Spanish one: so it is unless the address or another identification says otherwise. */
function hasSpanishTaxId(contact: Pick<ContactFields, 'address' | 'alternative_id'>): boolean {
  return (contact.address?.country ?? 'ES') === 'ES' && contact.alternative_id === null;
}

function foreignTaxId(text: string): string | undefined {
  const trimmed = text.trim();
  return trimmed.length <= FOREIGN_TAX_ID_MAX ? trimmed : undefined;
}

/**
 * The fields after an input with every identifier in its one spelling, and what is wrong with them, by field.
 * The fields are only worth keeping when there are no issues.
 */
export function readContactInput(
  current: ContactFields,
  input: ContactInput,
): { fields: ContactFields; issues: FieldIssue[] } {
  const fields = merge(current, input);
  const reader = new Reader();
  if (fields.tax_id !== null) {
    fields.tax_id = hasSpanishTaxId(fields)
      ? reader.read('tax_id', fields.tax_id, (text) => parseSpanishTaxId(text)?.value, 'No es un NIF válido.')
      : reader.read('tax_id', fields.tax_id, foreignTaxId, 'Admite 20 caracteres como máximo.');
  }
  if (fields.vat_id !== null) {
    fields.vat_id = reader.read('vat_id', fields.vat_id, (text) => parseVatId(text)?.value, wrongVatId);
  }
  reader.check('email', fields.email === null || isEmailAddress(fields.email), wrongEmail);
  for (const [at, email] of fields.billing_emails.entries()) {
    reader.check(`billing_emails.${at}`, isEmailAddress(email), wrongEmail);
  }
  reader.check('address.country', isCountry(fields.address?.country ?? null), wrongCountry);
  if (fields.iban !== null) fields.iban = reader.read('iban', fields.iban, parseIban, wrongIban);
  fields.bank_accounts = fields.bank_accounts.map((account, at) => readBankAccount(reader, account, at));
  const defaults = fields.bank_accounts.filter((account) => account.is_default).length;
  reader.check('bank_accounts', defaults <= 1, 'Solo una cuenta puede ser la predeterminada.');
  fields.alternative_id = readAlternativeId(reader, fields.alternative_id);
  return { fields, issues: reader.issues };
}

function readBankAccount(reader: Reader, account: BankAccount, at: number): BankAccount {
  const { iban, bic } = account;
  return {
    ...account,
    iban: reader.read(`bank_accounts.${at}.iban`, iban, parseIban, wrongIban),
    bic: bic === null ? null : reader.read(`bank_accounts.${at}.bic`, bic, parseBic, 'No es un BIC válido.'),
  };
}

/** The record names the country of every foreign identification, except a VAT number, which carries it. */
function readAlternativeId(
  reader: Reader,
  alternative_id: ContactFields['alternative_id'],
): ContactFields['alternative_id'] {
  if (alternative_id === null) return null;
  const { type, value, country_code } = alternative_id;
  reader.check('alternative_id.country_code', isCountry(country_code), wrongCountry);
  if (type === 'vat_id') {
    const parse = (text: string) => parseVatId(text)?.value;
    return { ...alternative_id, value: reader.read('alternative_id.value', value, parse, wrongVatId) };
  }
  if (country_code === null) {
    reader.issues.push(missing('alternative_id.country_code', 'Falta el país de esta identificación.'));
  }
  return { ...alternative_id, value: value.trim() };
}
