import { amountLimits } from '../../domain/money/amount.ts';
import { nullableToJson, printedToJson } from '../../domain/money/printed.ts';
import { resourceInputs } from '../../kernel/resource-input.ts';
import {
  DayText,
  Decimal,
  Described,
  Nullable,
  PercentInput,
  type Static,
  Timestamp,
  Type,
  Uuid,
} from '../../kernel/schema.ts';

const writable = {
  product_id: Described(Uuid, 'Id del producto'),
  variant_id: Described(Nullable(Uuid), 'Id de su variante; null o nada, todas'),
  presentation_id: Described(
    Nullable(Uuid),
    'Id de su presentación; null o nada, cualquiera: el precio es entonces el de una unidad',
  ),
  min_quantity: Nullable(
    Decimal(
      { ...amountLimits.quantity, exclusive_minimum: '0' },
      'Cantidad desde la que vale, mayor que 0 y con seis decimales como máximo; 1 si se omite',
    ),
  ),
  unit_price: Nullable(
    Decimal(
      amountLimits.unit_price,
      'Precio en la moneda de la tarifa, con ocho decimales y 15 cifras significativas como máximo. O este o discount_percent, no los dos',
    ),
  ),
  discount_percent: Described(
    Nullable(PercentInput),
    'Descuento sobre el precio propio del producto, en porcentaje de 0 a 100. O este o unit_price, no los dos',
  ),
  valid_from: Described(Nullable(DayText), 'Primer día en que vale, YYYY-MM-DD; null, sin límite'),
  valid_to: Described(Nullable(DayText), 'Último día en que vale, YYYY-MM-DD; null, sin límite'),
};

export const itemReadOnly = ['id', 'object', 'price_list_id', 'created_at', 'updated_at'] as const;

export const { create: CreateItemInput, update: UpdateItemInput } = resourceInputs(writable, {
  required: ['product_id'],
  read_only: itemReadOnly,
});

export type NewItemInput = Static<typeof CreateItemInput>;
export type ItemInput = Static<typeof UpdateItemInput>;

export const PriceListItem = Type.Object({
  id: Described(Uuid, 'Id del precio'),
  object: Type.Literal('price_list_item'),
  price_list_id: Described(Uuid, 'Id de su tarifa'),
  ...writable,
  min_quantity: Type.Number({ description: 'Cantidad desde la que vale' }),
  unit_price: Nullable(Type.Number({ description: 'Precio en la moneda de la tarifa' })),
  discount_percent: Nullable(Type.Number({ description: 'Descuento sobre el precio propio del producto' })),
  created_at: Described(Timestamp, 'Cuándo se creó (ISO 8601 UTC)'),
  updated_at: Described(Timestamp, 'Cuándo cambió por última vez (ISO 8601 UTC)'),
});

/** Numbers are their shortest exact texts. */
export type ItemFields = {
  product_id: string;
  variant_id: string | null;
  presentation_id: string | null;
  min_quantity: string;
  unit_price: string | null;
  discount_percent: string | null;
  valid_from: string | null;
  valid_to: string | null;
};

export type ItemRow = ItemFields & { id: string; price_list_id: string; created_at: Date; updated_at: Date };

export function presentItem(row: ItemRow) {
  return {
    id: row.id,
    object: 'price_list_item' as const,
    price_list_id: row.price_list_id,
    product_id: row.product_id,
    variant_id: row.variant_id,
    presentation_id: row.presentation_id,
    min_quantity: printedToJson(row.min_quantity),
    unit_price: nullableToJson(row.unit_price),
    discount_percent: nullableToJson(row.discount_percent),
    valid_from: row.valid_from,
    valid_to: row.valid_to,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
