import { resourceInputs } from '../../kernel/resource-input.ts';
import {
  DayText,
  Described,
  Metadata,
  Name,
  Nullable,
  type Static,
  Text,
  Timestamp,
  Type,
  Uuid,
} from '../../kernel/schema.ts';

const writable = {
  name: Name(120, { minLength: 1, pattern: '\\S', description: 'Nombre, por ejemplo Mayoristas 2027' }),
  code: Nullable(Name(60, { minLength: 1, description: 'Código propio, único entre las tarifas activas' })),
  currency: Nullable(
    Text(3, {
      description:
        'Moneda de sus precios, código ISO 4217; EUR si se omite. Solo vale en documentos de esa moneda',
    }),
  ),
  prices_include_tax: Nullable(
    Type.Boolean({ description: 'true: sus precios llevan ya los impuestos; false si se omite' }),
  ),
  is_default: Nullable(
    Type.Boolean({
      description:
        'true: es la de los clientes que no tienen otra, en lugar de la que lo fuera; false si se omite',
    }),
  ),
  valid_from: Described(Nullable(DayText), 'Primer día en que vale, YYYY-MM-DD; null, sin límite'),
  valid_to: Described(Nullable(DayText), 'Último día en que vale, YYYY-MM-DD; null, sin límite'),
  is_active: Nullable(
    Type.Boolean({
      description: 'true si se omite; false la archiva: no vale, y deja de ser la predeterminada',
    }),
  ),
  notes: Nullable(Text(5000, { description: 'Notas internas' })),
  external_id: Nullable(Text(255, { minLength: 1, description: 'Su clave en otro programa' })),
  metadata: Nullable(Metadata),
};

export const priceListReadOnly = ['id', 'object', 'created_at', 'updated_at'] as const;

export const { create: CreatePriceListInput, update: UpdatePriceListInput } = resourceInputs(writable, {
  required: ['name'],
  read_only: priceListReadOnly,
});

export type PriceListInput = Static<typeof UpdatePriceListInput>;

export const PriceListShown = Type.Object({
  id: Described(Uuid, 'Id de la tarifa'),
  object: Type.Literal('price_list'),
  ...writable,
  currency: Type.String({ description: 'Moneda de sus precios' }),
  prices_include_tax: Type.Boolean({ description: 'true: sus precios llevan ya los impuestos' }),
  is_default: Type.Boolean({ description: 'Es la de los clientes que no tienen otra' }),
  is_active: Type.Boolean({ description: 'false: archivada' }),
  metadata: Described(Metadata, 'Datos de su programa, en pares de clave y texto'),
  created_at: Described(Timestamp, 'Cuándo se creó (ISO 8601 UTC)'),
  updated_at: Described(Timestamp, 'Cuándo cambió por última vez (ISO 8601 UTC)'),
});

export type PriceListFields = {
  name: string;
  code: string | null;
  currency: string;
  prices_include_tax: boolean;
  is_default: boolean;
  valid_from: string | null;
  valid_to: string | null;
  is_active: boolean;
  notes: string | null;
  external_id: string | null;
  metadata: Record<string, string>;
};

/** As stored: which list is the default one stands in the company's row. */
export type PriceListRow = Omit<PriceListFields, 'is_default'> & {
  id: string;
  created_at: Date;
  updated_at: Date;
};

export type WholePriceList = PriceListRow & { is_default: boolean };

export function present(row: WholePriceList) {
  return {
    id: row.id,
    object: 'price_list' as const,
    name: row.name,
    code: row.code,
    currency: row.currency,
    prices_include_tax: row.prices_include_tax,
    is_default: row.is_default,
    valid_from: row.valid_from,
    valid_to: row.valid_to,
    is_active: row.is_active,
    notes: row.notes,
    external_id: row.external_id,
    metadata: row.metadata,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
