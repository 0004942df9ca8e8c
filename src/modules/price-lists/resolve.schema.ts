import { type Amount, amountLimits, amountToJson } from '../../domain/money/amount.ts';
import type { FoundPrice, PriceList, PriceTerms } from '../../domain/pricing/list-price.ts';
import { reasonCodes, type ReasonCode } from '../../domain/pricing/selection.ts';
import {
  DayText,
  Decimal,
  Described,
  Enum,
  Nullable,
  Shape,
  type Static,
  Text,
  Type,
  Uuid,
} from '../../kernel/schema.ts';
import { ChosenOptions } from '../products/index.ts';

export const ResolvePricesInput = Shape({
  client_id: Type.Optional(Described(Uuid, 'Id del cliente, para su tarifa y sus impuestos')),
  price_list_id: Type.Optional(Described(Uuid, 'Id de la tarifa que se pide, en lugar de la del cliente')),
  currency: Type.Optional(Text(3, { description: 'Moneda del documento, código ISO 4217; EUR si se omite' })),
  on_date: Type.Optional(Described(DayText, 'Día de los precios, YYYY-MM-DD; hoy si se omite')),
  prices_include_tax: Type.Optional(
    Type.Boolean({ description: 'true: los precios del documento llevan los impuestos; false si se omite' }),
  ),
  lines: Type.Array(
    Shape({
      product_id: Described(Uuid, 'Id del producto'),
      variant_id: Type.Optional(Described(Nullable(Uuid), 'Id de su variante')),
      presentation_id: Type.Optional(Described(Nullable(Uuid), 'Id de su presentación')),
      options: Type.Optional(ChosenOptions),
      quantity: Type.Optional(
        Decimal(amountLimits.quantity, 'Cantidad, con seis decimales como máximo; 1 si se omite'),
      ),
    }),
    { minItems: 1, maxItems: 100, description: 'Líneas, de 1 a 100' },
  ),
});

export type ResolvePricesBody = Static<typeof ResolvePricesInput>;

const NextBreak = Type.Object(
  {
    min_quantity: Type.Number({ description: 'Cantidad desde la que cambia' }),
    unit_price: Type.Number({ description: 'El precio desde ella' }),
    discount_percent: Nullable(Type.Number({ description: 'El descuento desde ella' })),
  },
  { description: 'El escalón siguiente; null si no hay' },
);

const ResolvedLine = Type.Object({
  index: Type.Integer({ description: 'Lugar en la lista enviada, desde 0' }),
  status: Enum(['resolved', 'unavailable'], {
    description: 'resolved: hay precio; unavailable: no lo hay, o un documento rechazaría la línea',
  }),
  reason_code: Nullable(Enum(reasonCodes, { description: 'Por qué no lo hay, como en resolve-selection' })),
  unit_price: Nullable(Type.Number({ description: 'Precio de una unidad, como lo tomaría la línea' })),
  discount_percent: Nullable(
    Type.Number({ description: 'Descuento que tomaría la línea, si la tarifa da un descuento' }),
  ),
  currency: Type.String({ description: 'Moneda del precio' }),
  prices_include_tax: Type.Boolean({ description: 'true: el precio lleva los impuestos' }),
  price_list: Nullable(
    Type.Object(
      { id: Uuid, name: Type.String({ description: 'Nombre de la tarifa' }) },
      { description: 'La tarifa de la que sale; null si es el precio propio del producto' },
    ),
  ),
  item_id: Nullable(Described(Uuid, 'Id del precio de la tarifa')),
  min_quantity: Nullable(Type.Number({ description: 'Cantidad desde la que vale el precio de la tarifa' })),
  next_break: Nullable(NextBreak),
  base_price: Nullable(
    Type.Number({
      description:
        'El precio propio del producto; null si no lo tiene en esta moneda o falta elegir qué se vende',
    }),
  ),
});

export const ResolvedPrices = Type.Object({
  object: Type.Literal('resolved_prices'),
  id: Described(Uuid, 'Id de la empresa'),
  lines: Type.Array(ResolvedLine, { description: 'Las líneas, en su orden' }),
});

export type ResolvedLine = {
  reason: ReasonCode | null;
  found: FoundPrice | null;
  list: PriceList | null;
  next: { min_quantity: Amount; unit_price: Amount; discount_percent: Amount | null } | null;
  base: Amount | null;
};

const numberOf = (amount: Amount | null | undefined) => (amount ? amountToJson(amount) : null);

export function presentLine(
  { reason, found, list, next, base }: ResolvedLine,
  index: number,
  terms: PriceTerms,
) {
  const item = found?.item ?? null;
  return {
    index,
    status: found ? ('resolved' as const) : ('unavailable' as const),
    reason_code: reason,
    unit_price: numberOf(found?.unit_price),
    discount_percent: numberOf(found?.discount_percent),
    currency: terms.currency,
    prices_include_tax: terms.prices_include_tax,
    price_list: item && list ? { id: list.id, name: list.name } : null,
    item_id: item?.id ?? null,
    min_quantity: numberOf(item?.min_quantity),
    next_break: next && {
      min_quantity: amountToJson(next.min_quantity),
      unit_price: amountToJson(next.unit_price),
      discount_percent: numberOf(next.discount_percent),
    },
    base_price: numberOf(base),
  };
}
