import { amountLimits, amountToJson, parseAmount } from '../../domain/money/amount.ts';
import type { DecimalInput } from '../../kernel/json.ts';
import { resourceInputs } from '../../kernel/resource-input.ts';
import {
  Decimal,
  Described,
  Enum,
  Metadata,
  Nullable,
  type Static,
  Tags,
  Name,
  Text,
  Timestamp,
  Type,
  Uuid,
} from '../../kernel/schema.ts';
import { type Configuration, noConfiguration, presentConfiguration } from './configuration.ts';
import {
  configurationInput,
  type ConfigurationInput,
  shownConfiguration,
  shownFlags,
} from './configuration.schema.ts';

const productKinds = ['good', 'service'] as const;

const writable = {
  name: Name(250, {
    minLength: 1,
    pattern: '\\S',
    description: 'Nombre: la descripción de las líneas que no digan otra',
  }),
  description: Nullable(
    Text(2000, { description: 'Descripción larga, para consulta; no se copia en las líneas' }),
  ),
  code: Nullable(
    Name(60, { minLength: 1, description: 'Referencia propia, única entre los productos activos' }),
  ),
  kind: Nullable(Enum(productKinds, { description: 'good: bien (si se omite); service: servicio' })),
  unit: Nullable(
    Name(40, { description: 'Unidad en la que se vende, por ejemplo h o kg; la toman las líneas' }),
  ),
  unit_price: Nullable(
    Decimal(
      amountLimits.unit_price,
      'Precio sin impuestos, con ocho decimales y 15 cifras significativas como máximo; 0 si se omite',
    ),
  ),
  taxes_id: Described(Nullable(Uuid), 'Id del impuesto que toman las líneas; no puede ser una retención'),
  external_id: Nullable(Text(255, { minLength: 1, description: 'Su clave en otro programa' })),
  notes: Nullable(Text(5000, { description: 'Notas internas' })),
  metadata: Nullable(Metadata),
  tags: Nullable(Tags),
  is_active: Nullable(
    Type.Boolean({ description: 'true si se omite; false lo archiva: no se puede usar en líneas nuevas' }),
  ),
};

export const productReadOnly = [
  'id',
  'object',
  'taxes',
  'has_variants',
  'has_presentations',
  'has_options',
  'is_pack',
  'created_at',
  'updated_at',
] as const;

export const { create: CreateProductInput, update: UpdateProductInput } = resourceInputs(
  { ...writable, ...configurationInput },
  { required: ['name'], read_only: productReadOnly },
);

export type ProductInput = Static<typeof UpdateProductInput>;
export type PlainInput = Omit<ProductInput, keyof ConfigurationInput>;

const members = {
  id: Described(Uuid, 'Id del producto'),
  object: Type.Literal('product'),
  ...writable,
  kind: Enum(productKinds, { description: 'good: bien; service: servicio' }),
  unit_price: Type.Number({ description: 'Precio sin impuestos' }),
  taxes: Nullable(
    Type.Object(
      {
        id: Uuid,
        name: Type.String({ description: 'Nombre del impuesto' }),
        rate: Nullable(Type.Number({ description: 'Porcentaje' })),
      },
      { description: 'El impuesto de taxes_id' },
    ),
  ),
  metadata: Described(Metadata, 'Datos de su programa, en pares de clave y texto'),
  tags: Type.Array(Type.String(), { description: 'Etiquetas' }),
  is_active: Type.Boolean({ description: 'false: archivado' }),
};
const times = {
  created_at: Described(Timestamp, 'Cuándo se creó (ISO 8601 UTC)'),
  updated_at: Described(Timestamp, 'Cuándo cambió por última vez (ISO 8601 UTC)'),
};

export const Product = Type.Object({ ...members, ...shownFlags, ...shownConfiguration, ...times });
/** Of a list. */
export const ListedProduct = Type.Object({ ...members, ...shownFlags, ...times });

/** The price is its shortest exact text. */
export type ProductFields = {
  name: string;
  description: string | null;
  code: string | null;
  kind: (typeof productKinds)[number];
  unit: string | null;
  unit_price: string;
  taxes_id: string | null;
  external_id: string | null;
  notes: string | null;
  metadata: Record<string, string>;
  tags: string[];
  is_active: boolean;
};

export type Flags = {
  has_variants: boolean;
  has_presentations: boolean;
  has_options: boolean;
  is_pack: boolean;
};

export type ListedRow = ProductFields &
  Flags & {
    id: string;
    tax_name: string | null;
    tax_rate: number | null;
    created_at: Date;
    updated_at: Date;
  };

/** Null for a plain product. */
export type ProductRow = ListedRow & { configuration: Configuration | null };

function presentPrice(text: string): DecimalInput {
  const amount = parseAmount(text, amountLimits.unit_price);
  if (!amount) throw new Error(`A product was kept with a price that is none: ${text}`);
  return amountToJson(amount);
}

export function presentListed(row: ListedRow) {
  const { id, tax_name, tax_rate, created_at, updated_at, unit_price, taxes_id, ...fields } = row;
  return {
    id,
    object: 'product',
    ...fields,
    unit_price: presentPrice(unit_price),
    taxes_id,
    taxes: taxes_id === null ? null : { id: taxes_id, name: tax_name ?? '', rate: tax_rate },
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}

export function present({ configuration, ...row }: ProductRow) {
  return { ...presentListed(row), ...presentConfiguration(configuration ?? noConfiguration) };
}
