/** What would be sold of a product by what has been chosen so far. An open choice is an answer, not an error. */
import { isFault, readChoice } from '../../../domain/pricing/read-choice.ts';
import { companyCurrency } from '../../../domain/pricing/list-price.ts';
import {
  free,
  type ReasonCode,
  reasonCodes,
  resolveSelection,
  type Selection,
  selectionStatuses,
} from '../../../domain/pricing/selection.ts';
import { askedByPack, type AskedPrice } from '../../../domain/sales/asked-prices.ts';
import { type Amount, amountLimits, amountToJson, readAmount } from '../../../domain/money/amount.ts';
import { printedToJson } from '../../../domain/money/printed.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation, type Tx } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { invalidParam } from '../../../kernel/resource-input.ts';
import {
  DayText,
  Decimal,
  Described,
  Enum,
  Nullable,
  One,
  Shape,
  Text,
  Type,
  Uuid,
} from '../../../kernel/schema.ts';
import { type DocumentClient, findDocumentParties } from '../../contacts/index.ts';
import { findLineTaxes } from '../../taxes/index.ts';
import { findChoices } from '../choices.store.ts';
import {
  ChosenOptions,
  partLimits,
  ShownOptionValue,
  ShownPresentation,
  ShownVariant,
} from '../configuration.schema.ts';
import {
  noConfiguration,
  type Presentation,
  presentPresentation,
  presentVariant,
  type Variant,
} from '../configuration.ts';
import type { ListedPrice } from '../ports.ts';
import { findProduct } from '../products.store.ts';
import { allChoices } from '../rules/all-choices.ts';

const Named = { id: Uuid, name: Type.String({ description: 'Nombre' }) };

const body = Shape({
  variant_id: Type.Optional(Described(Nullable(Uuid), 'Id de la variante elegida')),
  attributes: Type.Optional(
    Type.Array(
      Shape({
        attribute_id: Type.Optional(Described(Uuid, 'Id del atributo; si se omite, el de value_id')),
        value_id: Type.Optional(Described(Uuid, 'Id del valor elegido')),
      }),
      {
        maxItems: partLimits.attributes,
        description: 'Valores de atributos elegidos, que buscan la variante',
      },
    ),
  ),
  presentation_id: Type.Optional(Described(Nullable(Uuid), 'Id de la presentación elegida')),
  options: Type.Optional(ChosenOptions),
  quantity: Type.Optional(
    Decimal({ decimals: 6 }, 'Cuántas se venden, de la presentación elegida; 1 si se omite'),
  ),
  client_id: Type.Optional(Described(Nullable(Uuid), 'Id del cliente al que se venden')),
  price_list_id: Type.Optional(
    Described(Nullable(Uuid), 'Id de la tarifa que se pide, en lugar de la del cliente'),
  ),
  currency: Type.Optional(Text(3, { pattern: '^[A-Z]{3}$', description: 'ISO 4217; EUR si se omite' })),
  on_date: Type.Optional(Described(DayText, 'Día de la venta, YYYY-MM-DD; hoy si se omite')),
});

const output = Type.Object({
  object: Type.Literal('product_selection'),
  id: Described(Uuid, 'Id del producto'),
  status: Enum(selectionStatuses, {
    description:
      'resolved: se vende así; incomplete: falta una opción obligatoria; ambiguous: hay varias; unavailable: no se vende',
  }),
  reason_code: Nullable(Enum(reasonCodes, { description: 'Por qué no está resuelta' })),
  variant: Nullable(ShownVariant),
  presentation: Nullable(ShownPresentation),
  options: Type.Array(
    Type.Object({
      group: Type.Object(Named),
      value: Type.Object(Named),
      price_delta: Type.Number({ description: 'Lo que suma al precio' }),
    }),
    { description: 'Opciones elegidas' },
  ),
  unit_price: Nullable(
    Type.Number({ description: 'Precio de cada unidad vendida, con sus opciones; null si no está resuelta' }),
  ),
  discount_percent: Nullable(
    Type.Number({ description: 'Descuento que tomaría una línea, si la tarifa da un descuento' }),
  ),
  currency: Type.String({ description: 'Moneda del precio' }),
  prices_include_tax: Type.Boolean({
    description:
      'El precio lleva los impuestos: es de una tarifa que los lleva, y no se sabe a qué tipo quitarlos',
  }),
  price_list: Described(
    Nullable(Type.Object(Named)),
    'Tarifa de la que sale el precio; null, el del producto',
  ),
  taxes: Nullable(
    Type.Object(
      { ...Named, rate: Nullable(Type.Number({ description: 'Porcentaje' })) },
      { description: 'Impuesto de la variante o, si no tiene, del producto' },
    ),
  ),
  compatible_variants: Type.Array(ShownVariant, { description: 'Variantes que van con lo elegido' }),
  compatible_presentations: Type.Array(ShownPresentation, {
    description: 'Presentaciones que van con lo elegido',
  }),
  pending_option_groups: Type.Array(
    Type.Object({
      ...Named,
      is_required: Type.Boolean({ description: 'Hay que elegir un valor' }),
      values: Type.Array(ShownOptionValue, { description: 'Las opciones que se pueden elegir' }),
    }),
    { description: 'Grupos de los que aún no se ha elegido' },
  ),
});

async function clientOf(
  tx: Tx,
  company_id: string,
  client_id: string | null | undefined,
): Promise<DocumentClient | null> {
  if (!client_id) return null;
  const [client] = await findDocumentParties(tx, company_id, 'client', [client_id]);
  if (!client) throw invalidParam('client_id', 'El cliente no existe.');
  return client;
}

/** The most ways to sell that are looked at for an open choice in another currency. */
const waysMax = 500;

/** The resolved way to sell. An ambiguous choice in another currency has no own price: any of its ways may have one. */
function waysToSell(
  product_id: string,
  selection: Selection<true>,
  quantity: Amount,
  currency: string,
): AskedPrice[] {
  const { variant, presentation, compatible_variants, compatible_presentations } = selection;
  const one = {
    product_id,
    variant_id: variant?.id ?? null,
    presentation_id: presentation?.id ?? null,
    quantity,
  };
  if (selection.status !== 'ambiguous' || currency === companyCurrency) return [one];
  const variants = variant || compatible_variants.length === 0 ? [variant] : compatible_variants;
  const presentations = presentation ? [presentation] : [null, ...compatible_presentations];
  return variants
    .flatMap((of) =>
      presentations.map((as) => ({
        ...one,
        variant_id: of?.id ?? null,
        presentation_id: as?.id ?? null,
      })),
    )
    .slice(0, waysMax);
}

export const resolveProductSelection = defineOperation({
  name: 'resolve_product_selection',
  method: 'POST',
  path: '/v1/products/:product/resolve-selection',
  scope: 'products:read',
  tag: 'products',
  summary: 'Dice qué se vendería de un producto, y a qué precio.',
  description:
    'De lo elegido hasta ahora (variante o valores de sus atributos, presentación y opciones) responde lo que se vendería con su precio, lo que todavía va con ello y los grupos de opciones abiertos. No guarda nada. Una elección ambigua o incompleta no es un error: lo dicen status y reason_code. La variante o la presentación que es la única que va se elige sola. Se rechazan los ids de otro producto y dos opciones de un mismo grupo (parameter_invalid). La variante, la presentación y las opciones van después en la línea del documento, en variant_id, presentation_id y options.',
  rate: 'read',
  transaction: 'read',
  idempotency: 'none',
  mcp: true,
  params: Shape({ product: Described(Uuid, 'Id del producto') }),
  body,
  output: One(output),
  errors: [c.resource_not_found],
  examples: [
    { title: 'Nada elegido todavía', body: {} },
    { title: 'En dólares', body: { quantity: 3, currency: 'USD' } },
  ],

  async handle(ctx, { params, body: asked }) {
    const { tx, caller, ports } = ctx;
    const { company_id } = caller;
    const [row, client] = await Promise.all([
      findProduct(tx, company_id, params.product),
      clientOf(tx, company_id, asked.client_id),
    ]);
    if (!row) throw fail(c.resource_not_found, { param: 'product' });
    const parts = row.configuration ?? noConfiguration;
    const choices = allChoices(row, parts);
    const choice = readChoice(choices, asked, parts.attributes);
    if (isFault(choice)) throw invalidParam(choice.field, choice.message);
    const { currency = companyCurrency, on_date = ctx.today } = asked;
    const quantity = readAmount(asked.quantity ?? 1, amountLimits.quantity);
    if (!quantity) throw invalidParam('quantity', 'La cantidad no es válida.');
    const components = parts.pack === null ? [] : await componentsOf(tx, company_id, row.id);
    const prices = await ports.product_prices.open(ctx, {
      price_list_id: asked.price_list_id,
      client,
      products: [
        row,
        ...parts.variants,
        ...components.flatMap(({ product, choices: of }) => [product, ...of.variants]),
      ],
      asked: [
        ...waysToSell(row.id, resolveSelection(choices, choice, free), quantity, currency),
        ...askedByPack({ components }, quantity),
      ],
      terms: { currency, prices_include_tax: false, on_date },
    });
    const whole = { product: row, quantity };
    const selection =
      parts.pack === null
        ? withTaxOf(
            resolveSelection(choices, choice, (sale) => prices.priceOf(sale, whole)),
            (variant) => prices.refusesTax({ ...row, taxes_id: variant?.taxes_id ?? row.taxes_id }),
          )
        : withPackPrice(resolveSelection(choices, choice, free), () =>
            prices.packPriceOf({ ...parts.pack!, components }, whole),
          );
    const { price, variant } = selection;
    const taxes_id = variant?.taxes_id ?? row.taxes_id;
    const [tax] =
      taxes_id === null || taxes_id === row.taxes_id ? [] : await findLineTaxes(tx, company_id, [taxes_id]);
    const own = taxes_id === null ? null : { id: taxes_id, name: row.tax_name ?? '', rate: row.tax_rate };
    return {
      data: {
        object: 'product_selection',
        id: row.id,
        status: selection.status,
        reason_code: selection.reason_code,
        variant: variant && presentVariant(variant as Variant),
        presentation: selection.presentation && presentPresentation(selection.presentation as Presentation),
        options: selection.options.map(({ group, value }) => ({
          group: { id: group.id, name: group.name },
          value: { id: value.id, name: value.name },
          price_delta: printedToJson(value.price_delta),
        })),
        unit_price: price && amountToJson(price.unit_price),
        discount_percent: discountOf(price),
        currency,
        prices_include_tax: price?.prices_include_tax ?? false,
        price_list: price?.price_list ?? null,
        taxes: tax ? { id: tax.id, name: tax.name, rate: tax.rate === null ? null : Number(tax.rate) } : own,
        compatible_variants: selection.compatible_variants.map((one) => presentVariant(one as Variant)),
        compatible_presentations: selection.compatible_presentations.map((one) =>
          presentPresentation(one as Presentation),
        ),
        pending_option_groups: selection.pending_groups.map(({ id, name, is_required, values }) => ({
          id,
          name,
          is_required,
          values: values.map((value) => ({ ...value, price_delta: printedToJson(value.price_delta) })),
        })),
      },
    };
  },
});

async function componentsOf(tx: Tx, company_id: string, product_id: string) {
  const asked = { product_id, variant_id: null, presentation_id: null, value_ids: [] };
  const [found] = await findChoices(tx, company_id, [asked]);
  return found?.pack?.components ?? [];
}

function withTaxOf(
  selection: Selection<ListedPrice>,
  refusesTax: (variant: Selection['variant']) => boolean,
): Selection<ListedPrice> {
  if (selection.status !== 'resolved' || !refusesTax(selection.variant)) return selection;
  return { ...selection, price: null, status: 'unavailable', reason_code: 'tax_refused' };
}

function withPackPrice(
  selection: Selection<true>,
  priceOf: () => ListedPrice | ReasonCode,
): Selection<ListedPrice> {
  const unpriced = { ...selection, price: null };
  if (selection.status !== 'resolved') return unpriced;
  const price = priceOf();
  return typeof price === 'string'
    ? { ...unpriced, status: 'unavailable', reason_code: price }
    : { ...selection, price };
}

function discountOf(price: object | null) {
  const { discount_percent = null } = (price ?? {}) as { discount_percent?: Amount | null };
  return discount_percent && amountToJson(discount_percent);
}
