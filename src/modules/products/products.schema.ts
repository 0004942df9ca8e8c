/** A product or service on the wire: what a line of a document takes its texts, price and tax from. */
import { amountLimits, amountToJson, parseAmount } from '../../domain/money/amount.ts';
import type { DecimalInput } from '../../kernel/json.ts';
import { resourceInputs } from '../../kernel/resource-input.ts';
import {
  Decimal,
  Enum,
  Metadata,
  Nullable,
  type Static,
  Tags,
  Text,
  Timestamp,
  Type,
  Uuid,
} from '../../kernel/schema.ts';

const productKinds = ['good', 'service'] as const;

const writable = {
  name: Text(250, { minLength: 1, pattern: '\\S' }),
  description: Nullable(Text(2000)),
  code: Nullable(
    Text(60, { minLength: 1, description: 'Referencia propia, única entre los productos activos' }),
  ),
  kind: Nullable(Enum(productKinds)),
  unit: Nullable(Text(40)),
  unit_price: Nullable(
    Decimal(
      amountLimits.unit_price,
      'Precio sin impuestos, con ocho decimales y 15 cifras significativas como máximo',
    ),
  ),
  taxes_id: Nullable(Uuid),
  external_id: Nullable(Text(255, { minLength: 1 })),
  notes: Nullable(Text(5000)),
  metadata: Nullable(Metadata),
  tags: Nullable(Tags),
  is_active: Nullable(Type.Boolean()),
};

export const productReadOnly = ['id', 'object', 'taxes', 'created_at', 'updated_at'] as const;

export const { create: CreateProductInput, update: UpdateProductInput } = resourceInputs(writable, {
  required: ['name'],
  read_only: productReadOnly,
});

export type ProductInput = Static<typeof UpdateProductInput>;

export const Product = Type.Object({
  id: Uuid,
  object: Type.Literal('product'),
  ...writable,
  kind: Enum(productKinds),
  unit_price: Type.Number(),
  taxes: Nullable(Type.Object({ id: Uuid, name: Type.String(), rate: Nullable(Type.Number()) })),
  metadata: Metadata,
  tags: Type.Array(Type.String()),
  is_active: Type.Boolean(),
  created_at: Timestamp,
  updated_at: Timestamp,
});

/** The fields of a product as they are kept; the price as the shortest exact text of its value. */
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

export type ProductRow = ProductFields & {
  id: string;
  tax_name: string | null;
  tax_rate: number | null;
  created_at: Date;
  updated_at: Date;
};

function presentPrice(text: string): DecimalInput {
  const amount = parseAmount(text, amountLimits.unit_price);
  if (!amount) throw new Error(`A product was kept with a price that is none: ${text}`);
  return amountToJson(amount);
}

export function present(row: ProductRow) {
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
