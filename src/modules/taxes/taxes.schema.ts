import { amountLimits } from '../../domain/money/amount.ts';
import { exemptionReasons, qualifications, regimeKeys } from '../../domain/tax/record-codes.ts';
import { taxKinds } from '../../domain/tax/spanish-taxes.ts';
import { resourceInputs } from '../../kernel/resource-input.ts';
import {
  DayText,
  Decimal,
  Described,
  Enum,
  Metadata,
  Nullable,
  type Static,
  Name,
  Text,
  Timestamp,
  Type,
  Uuid,
} from '../../kernel/schema.ts';

/** Stored here because people choose retentions like taxes. A retention is never the tax of a line. */
export const allTaxKinds = [...taxKinds, 'retention'] as const;

const percent = (description: string) =>
  Decimal({ ...amountLimits.rate, minimum: '0', maximum: '100' }, description);

const list = <T>(codes: Readonly<Record<string, T>>, wordsOf: (of: T) => string) =>
  Object.entries(codes)
    .map(([code, of]) => `${code} ${wordsOf(of)}`)
    .join('; ');

const writable = {
  name: Name(120, { minLength: 1, description: 'Nombre, por ejemplo IVA 21 %' }),
  kind: Enum(allTaxKinds, {
    description: 'Clase: vat (IVA), igic, ipsi, other (otro) o retention (retención)',
  }),
  rate: Nullable(percent('Porcentaje, de 0 a 100; sin él si es exento o no sujeto')),
  surcharge_rate: Nullable(
    percent('Recargo de equivalencia que corresponde a este IVA, en porcentaje; solo en vat'),
  ),
  qualification: Nullable(
    Enum(Object.keys(qualifications), {
      description: `Calificación fiscal: ${list(qualifications, (text) => text)}. Si se omite y no es exento, S1`,
    }),
  ),
  exemption_reason: Nullable(
    Enum(Object.keys(exemptionReasons), {
      description: `Causa de exención: ${list(exemptionReasons, ({ short_name }) => short_name)}. No va con qualification`,
    }),
  ),
  regime_key: Nullable(
    Enum(Object.keys(regimeKeys).sort(), {
      description:
        'Clave de régimen de la Agencia Tributaria, de dos cifras: por ejemplo 01 general, 02 exportación, 07 criterio de caja, 11 arrendamiento de local. Si se omite, 01, o 02 con las exenciones E2 y E3; other no lleva',
    }),
  ),
  valid_from: Described(Nullable(DayText), 'Primer día en que se puede usar, YYYY-MM-DD; null, sin límite'),
  valid_to: Described(Nullable(DayText), 'Último día en que se puede usar, YYYY-MM-DD; null, sin límite'),
  external_reference: Nullable(Text(255, { minLength: 1, description: 'Su clave en otro programa' })),
  is_active: Nullable(
    Type.Boolean({ description: 'true si se omite; false: no se puede usar en líneas nuevas' }),
  ),
  metadata: Nullable(Metadata),
};

export const taxReadOnly = ['id', 'object', 'created_at', 'updated_at'] as const;

export const { create: CreateTaxInput, update: UpdateTaxInput } = resourceInputs(writable, {
  required: ['name', 'kind'],
  read_only: taxReadOnly,
});

export type TaxInput = Static<typeof UpdateTaxInput>;

export const Tax = Type.Object({
  id: Described(Uuid, 'Id del impuesto'),
  object: Type.Literal('tax'),
  ...writable,
  rate: Nullable(Type.Number({ description: 'Porcentaje; null si es exento o no sujeto' })),
  surcharge_rate: Nullable(Type.Number({ description: 'Recargo de equivalencia en porcentaje' })),
  is_active: Type.Boolean({ description: 'false: no se puede usar en líneas nuevas' }),
  metadata: Described(Metadata, 'Datos de su programa, en pares de clave y texto'),
  created_at: Described(Timestamp, 'Cuándo se creó (ISO 8601 UTC)'),
  updated_at: Described(Timestamp, 'Cuándo cambió por última vez (ISO 8601 UTC)'),
});

export type TaxFields = {
  name: string;
  kind: (typeof allTaxKinds)[number];
  rate: number | null;
  surcharge_rate: number | null;
  qualification: string | null;
  exemption_reason: string | null;
  regime_key: string | null;
  valid_from: string | null;
  valid_to: string | null;
  external_reference: string | null;
  is_active: boolean;
  metadata: Record<string, string>;
};

export type TaxRow = TaxFields & { id: string; created_at: Date; updated_at: Date };

export function present(row: TaxRow) {
  return {
    id: row.id,
    object: 'tax',
    name: row.name,
    kind: row.kind,
    rate: row.rate,
    surcharge_rate: row.surcharge_rate,
    qualification: row.qualification,
    exemption_reason: row.exemption_reason,
    regime_key: row.regime_key,
    valid_from: row.valid_from,
    valid_to: row.valid_to,
    external_reference: row.external_reference,
    is_active: row.is_active,
    metadata: row.metadata,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
