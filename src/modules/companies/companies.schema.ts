import { defaultVatKinds, validKinds } from '../../domain/sales/document-kinds.ts';
import { Address } from '../../domain/address.ts';
import { defaultTaxKind, defaultTaxKinds } from '../../domain/sales/default-tax.ts';
import { type PrintedLanguage, printedLanguages } from '../../domain/printing/printed-document.ts';
import type { Environment } from '../../kernel/operation.ts';
import { resourceInputs } from '../../kernel/resource-input.ts';
import {
  Described,
  Enum,
  Nullable,
  RateInput,
  Shape,
  type Static,
  Name,
  Text,
  Timestamp,
  Type,
  Uuid,
} from '../../kernel/schema.ts';

export const timeZones = ['Europe/Madrid', 'Atlantic/Canary'] as const;

const defaultVatTexts: Record<(typeof defaultVatKinds)[number], string> = {
  invoice: 'De las facturas; null, ninguno',
  quote: 'De los presupuestos; null, ninguno',
  proforma: 'De las proformas; null, ninguno',
  delivery_note: 'De los albaranes; null, ninguno',
  recurring_invoice: 'De las facturas recurrentes; null, ninguno',
};

const DefaultKind = Enum(defaultTaxKinds, {
  description: 'El de estos tipos y los default_vat_rate: vat (IVA), igic o ipsi',
});

const DefaultVatInput = Shape(
  {
    ...Object.fromEntries(
      defaultVatKinds.map((kind) => [
        kind,
        Type.Optional(Described(Nullable(RateInput), defaultVatTexts[kind])),
      ]),
    ),
    tax_kind: Type.Optional(DefaultKind),
  },
  {
    description: 'Porcentaje de las líneas que no dicen ni toman otro, por tipo de documento',
  },
);

const validityTexts: Record<(typeof validKinds)[number], string> = {
  quote: 'De los presupuestos',
  proforma: 'De las proformas',
};
const ValidityDays = (kind: (typeof validKinds)[number]) =>
  Type.Integer({ minimum: 1, maximum: 3650, description: validityTexts[kind] });
const validityText =
  'Días que vale una oferta desde su fecha, si no dice hasta cuándo, por tipo de documento';

const ValidityInput = Shape(
  Object.fromEntries(validKinds.map((kind) => [kind, Type.Optional(ValidityDays(kind))])),
  { description: validityText },
);

const Reminders = Shape(
  {
    enabled: Type.Boolean({ description: 'true los activa; false los detiene' }),
    days_after_due: Type.Array(Type.Integer({ minimum: 0, maximum: 365 }), {
      maxItems: 10,
      uniqueItems: true,
      description: 'Días después del vencimiento en los que se recuerda; 0 es el propio día del vencimiento',
    }),
  },
  {
    description:
      'Recordatorios automáticos de facturas con algo pendiente y sin R2 o R3, en estos días desde la activación, a las 9:00 de la empresa',
  },
);

export const CompanyName = Name(250, {
  minLength: 1,
  description: 'Nombre o razón social; sin ella no se puede emitir',
});

const writable = {
  name: Nullable(CompanyName),
  commercial_name: Nullable(
    Name(250, { description: 'Nombre comercial: se imprime, y con él se envían los correos' }),
  ),
  tax_id: Text(20, {
    minLength: 1,
    description: 'NIF español; no cambia después de haber emitido facturas',
  }),
  address: Described(Nullable(Address), 'Domicilio, que se imprime en las facturas'),
  require_addresses: Type.Boolean({
    description:
      'true rechaza emitir facturas a las que falte el domicilio de la empresa o el del cliente (RD 1619/2012, art. 6.1.e); false avisa en warnings',
  }),
  registry_data: Nullable(
    Text(300, {
      description:
        'Datos de la inscripción en el Registro Mercantil, que se imprimen al pie de los documentos (Código de Comercio, art. 24)',
    }),
  ),
  email: Nullable(
    Text(254, {
      description: 'Correo de la empresa: se imprime, y recibe las respuestas de clientes y los avisos',
    }),
  ),
  phone: Nullable(Text(40, { description: 'Teléfono, que se imprime' })),
  website: Nullable(Text(500, { description: 'Web, que se imprime' })),
  logo: Nullable(
    Text(700_000, {
      pattern: '^data:image/(png|jpeg);base64,[A-Za-z0-9+/]+={0,2}$',
      pattern_message:
        'Debe ser una imagen PNG o JPEG como data: URL en base64, que comienza por data:image/png;base64, o data:image/jpeg;base64,. Un SVG ya no se admite: guárdelo como PNG.',
      description:
        'Imagen PNG o JPEG como data: URL: 512 KiB, 6000 píxeles por lado y 8 millones en total como máximo. Un SVG no se admite; el que se guardó cuando se admitía ya no se imprime, y aquí es null hasta que se envía un PNG o un JPEG. Lo ya emitido conserva el logotipo PNG o JPEG de su emisión',
    }),
  ),
  colour: Nullable(
    Text(7, {
      pattern: '^#[0-9a-fA-F]{6}$',
      pattern_message: 'Debe ser un color como #1A2B3C: # y seis cifras hexadecimales.',
      description: 'Color de los documentos impresos',
    }),
  ),
  language: Enum(printedLanguages, {
    description: 'Idioma de los documentos y de los correos a clientes',
  }),
  time_zone: Enum(timeZones, { description: 'Zona horaria, que decide qué día es para la empresa' }),
  iban: Nullable(
    Text(42, {
      description: 'IBAN en el que se cobra: se imprime en las facturas por transferencia',
    }),
  ),
  default_vat: DefaultVatInput,
  default_validity_days: ValidityInput,
  reminders: Nullable(Reminders),
  simplified_invoices_enabled: Type.Boolean({
    description:
      'false: no se hacen facturas simplificadas (F2), y la llamada que pide una se rechaza. Las que ya existen se rectifican y se sustituyen',
  }),
  public_acceptance: Type.Boolean({
    description:
      'true: el cliente puede aceptar o rechazar un presupuesto o una proforma en su página pública (public_url); false: la página solo lo muestra',
  }),
  public_link_months: Nullable(
    Type.Integer({
      minimum: 1,
      maximum: 120,
      description:
        'Meses que se abre la dirección pública de un documento (public_url), desde que se emitió o desde que se cambió por otra; null, para siempre. Vale también para las ya dadas',
    }),
  ),
};

export const companyReadOnly = [
  'object',
  'id',
  'environment',
  'plan',
  'tier',
  'created_at',
  'updated_at',
] as const;

export const CompanyInput = resourceInputs(writable, { required: [], read_only: companyReadOnly }).update;

const DefaultVat = Type.Object(
  {
    ...Object.fromEntries(
      defaultVatKinds.map((kind) => [kind, Nullable(Type.Number({ description: defaultVatTexts[kind] }))]),
    ),
    tax_kind: DefaultKind,
  },
  { description: 'Porcentaje de las líneas que no dicen ni toman otro, por tipo de documento' },
);

export const Company = Type.Object({
  object: Type.Literal('company'),
  id: Described(Uuid, 'Id de la empresa'),
  environment: Enum(['live', 'test'], { description: 'live: empresa real; test: su entorno de pruebas' }),
  ...writable,
  default_vat: DefaultVat,
  default_validity_days: Type.Object(
    Object.fromEntries(validKinds.map((kind) => [kind, ValidityDays(kind)])),
    { description: validityText },
  ),
  plan: Type.String({ description: 'Plan contratado' }),
  tier: Type.String({ description: 'Nivel de uso en vigor: el del plan, o una ampliación' }),
  created_at: Described(Timestamp, 'Cuándo se creó (ISO 8601 UTC)'),
  updated_at: Described(Timestamp, 'Cuándo cambió por última vez (ISO 8601 UTC)'),
});

export type CompanyRow = {
  company_id: string;
  environment: Environment;
  live_company_id: string | null;
  sandbox_company_id: string | null;
  parent_company_id: string | null;
  /** Null in a row of an older version. */
  share_owner_id: string | null;
  name: string | null;
  commercial_name: string | null;
  tax_id: string;
  address: Record<string, unknown> | null;
  require_addresses: boolean;
  registry_data: string | null;
  email: string | null;
  phone: string | null;
  website: string | null;
  logo: string | null;
  /** Its row in `company_logos`; null without a logo, and for one older than that table. */
  logo_hash: string | null;
  colour: string | null;
  language: PrintedLanguage;
  time_zone: (typeof timeZones)[number];
  iban: string | null;
  default_vat: Record<string, string | null>;
  default_validity_days: Record<string, number>;
  reminders: Static<typeof Reminders> | null;
  simplified_invoices_enabled: boolean;
  /** The last day for which reminders were sent; null until they are enabled. */
  reminders_through: string | null;
  public_acceptance: boolean;
  public_link_months: number | null;
  plan: string;
  boost_tier: string | null;
  boost_until: Date | null;
  settings_version: number;
  created_at: Date;
  updated_at: Date;
};

/** A stored SVG is neither shown nor printed (ADR 24). */
export function shownLogo(logo: string | null): string | null {
  return logo?.startsWith('data:image/svg+xml') ? null : logo;
}

/** Rates are stored as exact texts and shown as numbers. */
export function present(row: CompanyRow, tier: string) {
  const { default_vat } = row;
  return {
    object: 'company',
    id: row.company_id,
    environment: row.environment,
    name: row.name,
    commercial_name: row.commercial_name,
    tax_id: row.tax_id,
    address: row.address,
    require_addresses: row.require_addresses,
    registry_data: row.registry_data,
    email: row.email,
    phone: row.phone,
    website: row.website,
    logo: shownLogo(row.logo),
    colour: row.colour,
    language: row.language,
    time_zone: row.time_zone,
    iban: row.iban,
    default_vat: {
      ...Object.fromEntries(
        defaultVatKinds.map((kind) => [
          kind,
          default_vat[kind] === undefined || default_vat[kind] === null ? null : Number(default_vat[kind]),
        ]),
      ),
      tax_kind: defaultTaxKind(default_vat),
    },
    default_validity_days: row.default_validity_days,
    reminders: row.reminders,
    simplified_invoices_enabled: row.simplified_invoices_enabled,
    public_acceptance: row.public_acceptance,
    public_link_months: row.public_link_months,
    plan: row.plan,
    tier,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
