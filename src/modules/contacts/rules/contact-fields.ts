/**
 * Checks the fields of a contact and stores each identifier in one spelling. A valid control character does
 * not say whose tax id it is: only the authority's census knows.
 */
import { countryCodes } from '../../../domain/countries.ts';
import { isEmailAddress } from '../../../domain/email-address.ts';
import { parseBic, parseIban } from '../../../domain/spain/iban.ts';
import { parseSpanishTaxId } from '../../../domain/spain/tax-id.ts';
import { parseVatId, vatPrefix } from '../../../domain/spain/vat-id.ts';
import type { FieldIssue } from '../../../kernel/problem.ts';
import { invalidField, missingField } from '../../../kernel/resource-input.ts';
import { canBeRead, wrongName } from '../../../kernel/readable-name.ts';
import { isLongerThan } from '../../../kernel/text-length.ts';
import type { BankAccount, ContactFields } from '../contacts.fields.ts';
import type { ContactInput } from '../contacts.schema.ts';
import { mergeContact } from './merge-contact.ts';

const FOREIGN_TAX_ID_MAX = 20;

class Reader {
  readonly issues: FieldIssue[] = [];

  /** The identifier in its stored spelling. An invalid one is returned unchanged, and adds an issue. */
  read(param: string, text: string, parse: (text: string) => string | undefined, message: string): string {
    const value = parse(text);
    if (value === undefined) this.issues.push(invalidField(param, message));
    return value ?? text;
  }

  check(param: string, holds: boolean, message: string): void {
    if (!holds) this.issues.push(invalidField(param, message));
  }
}

const isCountry = (code: string | null): boolean => code === null || countryCodes.has(code);
const wrongCountry = 'No es un código de país ISO 3166-1.';
const wrongIban = 'No es un IBAN válido.';
const wrongEmail = 'No es una dirección de correo electrónico.';

function wrongVatId(text: string): string {
  const prefix = vatPrefix(text);
  return prefix === undefined
    ? 'No es un NIF-IVA válido: debe llevar el prefijo de su país.'
    : `No es un NIF-IVA válido de ${prefix}: revise lo que sigue al prefijo.`;
}

/** True unless the address or another identification says otherwise. */
function hasSpanishTaxId(contact: Pick<ContactFields, 'address' | 'alternative_id'>): boolean {
  return (contact.address?.country ?? 'ES') === 'ES' && contact.alternative_id === null;
}

const isEntity = (tax_id: string): boolean => parseSpanishTaxId(tax_id)?.kind === 'entity';

function foreignTaxId(text: string): string | undefined {
  const trimmed = text.trim();
  return isLongerThan(trimmed, FOREIGN_TAX_ID_MAX) ? undefined : trimmed;
}

/** Do not store the fields when there are issues. */
export function readContactInput(
  current: ContactFields,
  input: ContactInput,
): { fields: ContactFields; issues: FieldIssue[] } {
  const fields = mergeContact(current, input);
  const reader = new Reader();
  // Invoices name it. One that was stored before this check may be sent back.
  reader.check('name', fields.name === current.name || canBeRead(fields.name), wrongName);
  if (fields.tax_id !== null) {
    fields.tax_id = hasSpanishTaxId(fields)
      ? reader.read('tax_id', fields.tax_id, (text) => parseSpanishTaxId(text)?.value, 'No es un NIF válido.')
      : reader.read('tax_id', fields.tax_id, foreignTaxId, 'Admite 20 caracteres como máximo.');
  }
  if (fields.vat_id !== null) {
    fields.vat_id = reader.read(
      'vat_id',
      fields.vat_id,
      (text) => parseVatId(text)?.value,
      wrongVatId(fields.vat_id),
    );
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
  const is_entity = fields.tax_id !== null && hasSpanishTaxId(fields) && isEntity(fields.tax_id);
  reader.check(
    'is_private_person',
    !(fields.is_private_person && is_entity),
    'El NIF es de una entidad: un particular es una persona física.',
  );
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

/** The record names the country of every foreign identification. A VAT number contains it. */
function readAlternativeId(
  reader: Reader,
  alternative_id: ContactFields['alternative_id'],
): ContactFields['alternative_id'] {
  if (alternative_id === null) return null;
  const { type, value, country_code } = alternative_id;
  reader.check('alternative_id.country_code', isCountry(country_code), wrongCountry);
  if (type === 'vat_id') {
    const parse = (text: string) => parseVatId(text)?.value;
    return { ...alternative_id, value: reader.read('alternative_id.value', value, parse, wrongVatId(value)) };
  }
  if (country_code === null) {
    reader.issues.push(missingField('alternative_id.country_code', 'Falta el país de esta identificación.'));
  }
  return { ...alternative_id, value: value.trim() };
}
