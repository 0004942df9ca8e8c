import { Address } from '../../domain/address.ts';
import { EMAIL_ADDRESS_MAX } from '../../domain/email-address.ts';
import { amountLimits } from '../../domain/money/amount.ts';
import { resourceInputs } from '../../kernel/resource-input.ts';
import {
  Decimal,
  Described,
  Enum,
  Metadata,
  Nullable,
  PercentInput,
  Shape,
  type Static,
  Name,
  Text,
  Timestamp,
  Type,
  Uuid,
} from '../../kernel/schema.ts';
import { alternativeIdTypes, type ContactRow, operationRegimes, paymentMethods } from './contacts.fields.ts';
import type { Role } from './contacts.roles.ts';
import { contactRoles, rolesOf } from './rules/role-states.ts';

/** The authority's record allows 120 characters for the name and 20 for a foreign identification. */
const NAME_MAX = 120;
const FOREIGN_ID_MAX = 20;

const nameText = 'Nombre o razón social, como va en las facturas';
const NameText = Name(NAME_MAX, {
  minLength: 1,
  pattern: '\\S',
  description: nameText,
});
const Country = Text(2, {
  pattern: '^[A-Z]{2}$',
  description: 'País de la identificación, código ISO 3166-1 de dos letras; obligatorio salvo en un vat_id',
});
const rate = (description: string) =>
  Decimal({ ...amountLimits.rate, minimum: '0', maximum: '100' }, description);
const degrees = (limit: string, name: string) =>
  Decimal(
    { decimals: 15, integer_digits: 3, minimum: `-${limit}`, maximum: limit },
    `${name}, en grados decimales`,
  );

const BankAccountInput = Shape({
  object: Type.Optional(Type.Literal('bank_account', { description: 'Se puede omitir' })),
  iban: Text(42, { minLength: 1, description: 'IBAN de la cuenta' }),
  bic: Type.Optional(Nullable(Text(20, { minLength: 1, description: 'BIC del banco' }))),
  is_default: Type.Optional(
    Type.Boolean({ description: 'Es la cuenta preferida; una como mucho. false si se omite' }),
  ),
});

const AlternativeIdInput = Shape({
  object: Type.Optional(Type.Literal('alternative_id', { description: 'Se puede omitir' })),
  type: Enum(alternativeIdTypes, {
    description:
      'vat_id NIF-IVA, passport pasaporte, official_id documento oficial de su país, residence_certificate certificado de residencia, tax_id_foreign identificación fiscal extranjera, other otro documento',
  }),
  value: Text(FOREIGN_ID_MAX, {
    minLength: 1,
    pattern: '\\S',
    description: 'La identificación, de 20 caracteres como máximo; en un vat_id, con el prefijo de su país',
  }),
  country_code: Type.Optional(Nullable(Country)),
});

const PaymentPreferencesInput = Shape({
  object: Type.Optional(Type.Literal('payment_preferences', { description: 'Se puede omitir' })),
  method: Enum(paymentMethods, {
    description:
      'bank_transfer transferencia, direct_debit recibo domiciliado, card tarjeta, cash efectivo, check cheque, promissory_note pagaré, other otra',
  }),
  terms_days: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 0,
        maximum: 3650,
        description: 'Días de plazo desde la expedición: dan el vencimiento de las facturas que no lo dicen',
      }),
    ),
  ),
});

const writable = {
  name: NameText,
  business_name: Nullable(Name(NAME_MAX, { description: 'Razón social, si name no lo es; para consulta' })),
  commercial_name: Nullable(
    Name(NAME_MAX, { description: 'Nombre comercial, que se imprime junto al nombre' }),
  ),
  tax_id: Nullable(
    Text(30, {
      minLength: 1,
      pattern: '\\S',
      description:
        'Identificación fiscal: un NIF español válido si el país es ES o no se indica y no hay alternative_id; si no, hasta 20 caracteres libres',
    }),
  ),
  vat_id: Nullable(Text(30, { minLength: 1, description: 'NIF-IVA con el prefijo de su país' })),
  email: Nullable(
    Text(EMAIL_ADDRESS_MAX, {
      description: 'Correo electrónico: recibe las facturas si no hay billing_emails',
    }),
  ),
  phone: Nullable(Text(40, { description: 'Teléfono' })),
  fax: Nullable(Text(40, { description: 'Fax' })),
  mobile: Nullable(Text(40, { description: 'Teléfono móvil' })),
  website: Nullable(Text(500, { description: 'Página web' })),
  contact_person: Nullable(Name(120, { description: 'Persona de contacto' })),
  billing_emails: Nullable(
    Type.Array(Text(EMAIL_ADDRESS_MAX), {
      maxItems: 20,
      description: 'Correos a los que van las facturas y los recordatorios, 20 como máximo',
    }),
  ),
  address: Described(
    Nullable(Address),
    'Dirección postal, que se imprime en las facturas. Se sustituye entera',
  ),
  coordinates: Nullable(
    Shape(
      { latitude: degrees('90', 'Latitud'), longitude: degrees('180', 'Longitud') },
      { description: 'Dónde está, en el mapa' },
    ),
  ),
  iban: Nullable(Text(42, { minLength: 1, description: 'IBAN de su cuenta' })),
  bank_accounts: Nullable(
    Type.Array(BankAccountInput, {
      maxItems: 20,
      description: 'Sus cuentas bancarias, 20 como máximo. Lo enviado sustituye a toda la lista',
    }),
  ),
  default_taxes_id: Described(
    Nullable(Uuid),
    'Id de su impuesto habitual, que no puede ser una retención: el de las líneas que no digan otro, si su producto no tiene',
  ),
  default_discount: Described(
    Nullable(PercentInput),
    'Descuento habitual en porcentaje, de 0 a 100: el de las líneas que no digan otro',
  ),
  default_vat_rate: Nullable(
    rate('IVA habitual en porcentaje, de 0 a 100: el de las líneas sin otro impuesto'),
  ),
  default_retention_rate: Nullable(
    rate('Retención habitual en porcentaje, de 0 a 100: la de las líneas que no digan otra'),
  ),
  is_private_person: Nullable(
    Type.Boolean({
      description:
        'Es un particular: una persona física que no actúa como empresario o profesional, y cuyo domicilio no hace falta en las facturas (RD 1619/2012, art. 6.1.e). false si se omite',
    }),
  ),
  is_surcharge_subject: Nullable(
    Type.Boolean({
      description:
        'Está sujeto al recargo de equivalencia: lo llevan los bienes que se le venden. false si se omite',
    }),
  ),
  preferred_operation_regime: Nullable(
    Enum(operationRegimes, {
      description:
        'Régimen de sus operaciones, que decide cómo tributan las líneas que no lo digan: general; surcharge recargo de equivalencia; intra_community entregas a otro Estado miembro (E5) o servicios (N2), y pide su NIF-IVA al emitir; export exportaciones (E2) o servicios (N2); exempt exento (E6, o la causa de su impuesto habitual); reverse_charge inversión del sujeto pasivo (S2), y pide su identificación al emitir',
    }),
  ),
  accumulate_347: Nullable(Type.Boolean({ description: 'Cuenta para el modelo 347. true si se omite' })),
  alternative_id: Described(
    Nullable(AlternativeIdInput),
    'Identificación de quien no tiene NIF español. Se sustituye entera',
  ),
  payment_preferences: Described(
    Nullable(PaymentPreferencesInput),
    'Forma y plazo de pago acordados. Se sustituyen enteros',
  ),
  external_id: Nullable(
    Text(255, {
      minLength: 1,
      description:
        'Su clave en otro programa, única entre los clientes activos y entre los proveedores activos',
    }),
  ),
  price_list_id: Described(
    Nullable(Uuid),
    'Id de la tarifa de la que salen los precios de las líneas que no los dicen; solo se usa en clientes',
  ),
  notes: Nullable(Text(5000, { description: 'Notas internas' })),
  metadata: Nullable(Metadata),
  is_active: Nullable(
    Type.Boolean({
      description:
        'Del papel de la ruta. true si se omite; false lo archiva, que al modificar pide contacts:delete: no se puede usar en documentos nuevos',
    }),
  ),
};

export const contactReadOnly = ['id', 'object', 'roles', 'created_at', 'updated_at'] as const;

export const { update: UpdateContactInput } = resourceInputs(writable, {
  required: [],
  read_only: contactReadOnly,
});

export type ContactInput = Static<typeof UpdateContactInput>;

/** Only a contact that exists goes without a name. */
export function createContactInput(role: Role) {
  const { one, other } = role;
  const contact_id = Described(
    Uuid,
    `Id de ${other.one} que pasa a ser también ${one}, con el mismo id; lo demás que se envíe cambia como al modificarlo`,
  );
  const name = Described(NameText, `${nameText}; solo se puede omitir con contact_id`);
  return resourceInputs({ ...writable, name, contact_id }, { required: [], read_only: [] }).create;
}

const percent = (description: string) => Nullable(Type.Number({ description }));

const shown = {
  ...writable,
  billing_emails: Type.Array(Type.String(), {
    description: 'Correos a los que van las facturas y los recordatorios',
  }),
  coordinates: Nullable(
    Type.Object(
      {
        latitude: Type.Number({ description: 'Latitud, en grados decimales' }),
        longitude: Type.Number({ description: 'Longitud, en grados decimales' }),
      },
      { description: 'Dónde está, en el mapa' },
    ),
  ),
  bank_accounts: Type.Array(
    Type.Object({
      object: Type.Literal('bank_account'),
      iban: Type.String({ description: 'IBAN de la cuenta' }),
      bic: Nullable(Type.String({ description: 'BIC del banco' })),
      is_default: Type.Boolean({ description: 'Es la cuenta preferida' }),
    }),
    { description: 'Sus cuentas bancarias' },
  ),
  default_discount: percent('Descuento habitual en porcentaje'),
  default_vat_rate: percent('IVA habitual en porcentaje'),
  default_retention_rate: percent('Retención habitual en porcentaje'),
  is_private_person: Type.Boolean({
    description: 'Es un particular: una persona física que no actúa como empresario o profesional',
  }),
  is_surcharge_subject: Type.Boolean({ description: 'Está sujeto al recargo de equivalencia' }),
  accumulate_347: Type.Boolean({ description: 'Cuenta para el modelo 347' }),
  metadata: Described(Metadata, 'Datos de su programa, en pares de clave y texto'),
  is_active: Type.Boolean({ description: 'false: archivado' }),
};

export function contactOf(role: Role) {
  return Type.Object({
    id: Described(Uuid, `Id de ${role.one}`),
    object: Type.Literal(role.object),
    ...shown,
    is_active: Type.Boolean({
      description: `false: archivado como ${role.object === 'client' ? 'cliente' : 'proveedor'}`,
    }),
    roles: Type.Array(Enum(contactRoles), {
      description:
        'Sus papeles: client cliente, supplier proveedor. Cada uno se archiva y se quita por su lado',
    }),
    created_at: Described(Timestamp, 'Cuándo se creó (ISO 8601 UTC)'),
    updated_at: Described(Timestamp, 'Cuándo cambió por última vez (ISO 8601 UTC)'),
  });
}

export function present({ role, client_state, supplier_state, ...row }: ContactRow) {
  const { id, created_at, updated_at, ...fields } = row;
  return {
    id,
    object: role,
    ...fields,
    roles: rolesOf({ client_state, supplier_state }),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}
