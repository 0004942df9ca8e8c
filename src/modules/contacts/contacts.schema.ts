/** A client or supplier on the wire (specification, "Resource: supplier"; decisions, section 3). */
import { Address } from '../../domain/address.ts';
import { EMAIL_ADDRESS_MAX } from '../../domain/email-address.ts';
import { amountLimits } from '../../domain/money/amount.ts';
import { resourceInputs } from '../../kernel/resource-input.ts';
import {
  Decimal,
  Enum,
  Metadata,
  Nullable,
  PercentInput,
  Shape,
  type Static,
  Text,
  Timestamp,
  Type,
  Uuid,
} from '../../kernel/schema.ts';
import { alternativeIdTypes, type ContactRow, operationRegimes, paymentMethods } from './contacts.fields.ts';
import type { Role } from './contacts.roles.ts';

/** The name and the foreign identification are those of the authority's record: 120 and 20 characters. */
const NAME_MAX = 120;
const FOREIGN_ID_MAX = 20;

const NameText = Text(NAME_MAX, { minLength: 1, pattern: '\\S' });
const Country = Text(2, { pattern: '^[A-Z]{2}$', description: 'Código ISO 3166-1 de dos letras' });
const RateInput = Decimal({ ...amountLimits.rate, minimum: '0', maximum: '100' }, 'Porcentaje de 0 a 100');
const degrees = (limit: string) =>
  Decimal({ decimals: 15, integer_digits: 3, minimum: `-${limit}`, maximum: limit }, 'Grados decimales');

const BankAccountInput = Shape({
  object: Type.Optional(Type.Literal('bank_account')),
  iban: Text(42, { minLength: 1 }),
  bic: Type.Optional(Nullable(Text(20, { minLength: 1 }))),
  is_default: Type.Optional(Type.Boolean()),
});

const AlternativeIdInput = Shape({
  object: Type.Optional(Type.Literal('alternative_id')),
  type: Enum(alternativeIdTypes),
  value: Text(FOREIGN_ID_MAX, { minLength: 1, pattern: '\\S' }),
  country_code: Type.Optional(Nullable(Country)),
});

const PaymentPreferencesInput = Shape({
  object: Type.Optional(Type.Literal('payment_preferences')),
  method: Enum(paymentMethods),
  terms_days: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 3650 }))),
});

const writable = {
  name: NameText,
  business_name: Nullable(Text(NAME_MAX)),
  commercial_name: Nullable(Text(NAME_MAX)),
  tax_id: Nullable(Text(30, { minLength: 1, pattern: '\\S', description: 'Identificación fiscal' })),
  vat_id: Nullable(Text(30, { minLength: 1, description: 'NIF-IVA con el prefijo de su país' })),
  email: Nullable(Text(EMAIL_ADDRESS_MAX)),
  phone: Nullable(Text(40)),
  fax: Nullable(Text(40)),
  mobile: Nullable(Text(40)),
  website: Nullable(Text(500)),
  contact_person: Nullable(Text(120)),
  billing_emails: Nullable(Type.Array(Text(EMAIL_ADDRESS_MAX), { maxItems: 20 })),
  address: Nullable(Address),
  coordinates: Nullable(Shape({ latitude: degrees('90'), longitude: degrees('180') })),
  iban: Nullable(Text(42, { minLength: 1 })),
  bank_accounts: Nullable(Type.Array(BankAccountInput, { maxItems: 20 })),
  default_taxes_id: Nullable(Uuid),
  default_discount: Nullable(PercentInput),
  default_vat_rate: Nullable(RateInput),
  default_retention_rate: Nullable(RateInput),
  is_surcharge_subject: Nullable(Type.Boolean()),
  preferred_operation_regime: Nullable(Enum(operationRegimes)),
  accumulate_347: Nullable(Type.Boolean()),
  alternative_id: Nullable(AlternativeIdInput),
  payment_preferences: Nullable(PaymentPreferencesInput),
  external_id: Nullable(Text(255, { minLength: 1 })),
  notes: Nullable(Text(5000)),
  metadata: Nullable(Metadata),
  is_active: Nullable(Type.Boolean()),
};

export const contactReadOnly = ['id', 'object', 'created_at', 'updated_at'] as const;

export const { create: CreateContactInput, update: UpdateContactInput } = resourceInputs(writable, {
  required: ['name'],
  read_only: contactReadOnly,
});

export type ContactInput = Static<typeof UpdateContactInput>;

const Percent = Nullable(Type.Number());

const shown = {
  ...writable,
  billing_emails: Type.Array(Type.String()),
  coordinates: Nullable(Type.Object({ latitude: Type.Number(), longitude: Type.Number() })),
  bank_accounts: Type.Array(
    Type.Object({
      object: Type.Literal('bank_account'),
      iban: Type.String(),
      bic: Nullable(Type.String()),
      is_default: Type.Boolean(),
    }),
  ),
  default_discount: Percent,
  default_vat_rate: Percent,
  default_retention_rate: Percent,
  is_surcharge_subject: Type.Boolean(),
  accumulate_347: Type.Boolean(),
  metadata: Metadata,
  is_active: Type.Boolean(),
};

/** The resource of a role. */
export function contactOf(role: Role) {
  return Type.Object({
    id: Uuid,
    object: Type.Literal(role.object),
    ...shown,
    created_at: Timestamp,
    updated_at: Timestamp,
  });
}

export function present({ role, ...row }: ContactRow) {
  const { id, created_at, updated_at, ...fields } = row;
  return {
    id,
    object: role,
    ...fields,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}
