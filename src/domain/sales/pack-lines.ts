/**
 * The lines that a pack becomes: one of each component, or a single one. Things taxed differently are sold for one price in
 * proportion to what they are worth (LIVA, art. 79.Dos).
 */
import { newId } from '../../kernel/uuid7.ts';
import type { DecimalInput } from '../../kernel/json.ts';
import type { Problem } from '../../kernel/problem.ts';
import { type Amount, amountLimits, amountToJson, readAmount } from '../money/amount.ts';
import { fieldOf, reasonTexts } from '../pricing/choice.ts';
import type { ReasonCode } from '../pricing/selection.ts';
import { sharedPrices } from '../pricing/packs.ts';
import {
  type PackPrice,
  packPrice,
  partQuantities,
  type PricedPart,
  type SoldPart,
  soldParts,
} from '../pricing/sell.ts';
import { withDiscountMark } from './line-details.ts';
import { pricesOf } from './line-price.ts';
import { lineDefaults } from './line-defaults.ts';
import { invalidInLine, refusedInLine } from './lines.errors.ts';
import type { LineFacts, LinePack, LineProduct } from './line-facts.ts';
import type { LineInput } from './line-input.ts';
import type { LineDetails } from './rows.ts';

/** For all packs of a document together, also those of a single line. */
export const components_max = 500;

/** Components that a line brings, before any is read. */
export function packSize(
  { product_id, stored_product_id }: LineInput,
  { products, paper }: LineFacts,
): number {
  return !paper && product_id && product_id !== stored_product_id
    ? (products.get(product_id)?.pack_size ?? 0)
    : 0;
}

/** @throws 422 for a pack beyond what a document may hold */
export function refusedPacks(index: number): Problem {
  return refusedInLine(
    index,
    'product_id',
    `los packs de un documento no pasan de ${components_max} componentes en total.`,
  );
}

const one: Amount = { units: 1_000_000n, scale: 6 };

function quantityOf({ quantity }: LineInput, index: number): Amount {
  const read = quantity === undefined ? one : readAmount(quantity, amountLimits.quantity);
  if (!read) throw invalidInLine(index, 'quantity', 'La cantidad no es válida.');
  return read;
}

/** Of the pack. `is_found`: the line does not say it. */
type Discount = { value: DecimalInput | null; is_found: boolean };

/**
 * Only one counts: the line's, else that of list or pack, else the client's. A sent price already includes those of
 * list and pack.
 */
function discountOf({ line, pack, priced, facts: { client } }: PackSale): Discount {
  if (line.discount_percent !== undefined) return { value: line.discount_percent, is_found: false };
  const own = pack.discount_percent === null ? null : Number(pack.discount_percent);
  const listed = priced.discount_percent && amountToJson(priced.discount_percent);
  const found = line.unit_price === undefined ? (listed ?? own) : null;
  return { value: found ?? client?.discount_percent ?? null, is_found: true };
}

/** A component with a discount of a list takes no other, except the pack's. */
function partDiscount({ line, pack }: PackSale, whole: Discount, parts: readonly PricedPart[]): Discount {
  const is_of_list =
    pack.pricing === 'sum' &&
    pack.discount_percent === null &&
    line.unit_price === undefined &&
    parts.some(({ discount_percent }) => discount_percent !== null);
  return whole.is_found && is_of_list ? { value: null, is_found: true } : whole;
}

const percent = (value: DecimalInput | null) =>
  value === null ? null : (readAmount(value, amountLimits.discount_percent) ?? null);

/** What was sold as one. Each line keeps it, whatever becomes of the pack. */
function packData(product: LineProduct, quantity: Amount, unit_price: Amount, group: string) {
  return {
    product_id: product.id,
    name: product.name,
    quantity: amountToJson(quantity),
    unit_price: amountToJson(unit_price),
    group,
  };
}

/** Of the tax that a line of a product takes, in percent. */
export type RateOf = (line: LineInput, product: LineProduct) => Amount | null;

/**
 * @returns the line itself unless it sells a pack that is new to it
 * @throws 422 with `line_index`
 */
export function packLines(
  line: LineInput,
  index: number,
  facts: LineFacts,
  rateOf: RateOf,
): readonly LineInput[] {
  const { product_id } = line;
  if (!product_id || product_id === line.stored_product_id) return [line];
  const product = facts.products.get(product_id);
  if (!product?.pack_size || !product.is_active) return [line];
  if (line.variant_id || line.presentation_id || line.options?.length)
    throw invalidInLine(
      index,
      line.variant_id ? 'variant_id' : line.presentation_id ? 'presentation_id' : 'options',
      'Un pack no tiene nada que elegir.',
    );
  const pack = facts.packs?.get(product_id);
  if (!pack) throw refusedPacks(index);
  const sold = soldParts(product, pack);
  if ('reason_code' in sold) throw unsoldPart(index, pack, sold.at, sold.reason_code);
  const priced = pricedPack({ line, index, product, pack, sold, facts, rateOf });
  const sale = { line, index, product, pack, facts, sold, priced };
  return pack.expand === 'single' ? [singleLine(sale)] : componentLines(sale);
}

function unsoldPart(index: number, { components }: LinePack, at: number | null, code: ReasonCode): Problem {
  if (at === null) return refusedInLine(index, fieldOf(code), reasonTexts[code]);
  const name = components[at]?.product.name ?? '';
  return refusedInLine(index, 'product_id', `el pack no se puede vender: «${name}»: ${reasonTexts[code]}`);
}

type PackSale = {
  line: LineInput;
  index: number;
  product: LineProduct;
  pack: LinePack;
  facts: LineFacts;
  sold: readonly SoldPart<LineProduct>[];
  priced: PackPrice;
};

function pricedPack({
  line,
  index,
  product,
  pack,
  sold,
  facts,
  rateOf,
}: Omit<PackSale, 'priced'> & { rateOf: RateOf }): PackPrice {
  const unit_price =
    line.unit_price === undefined ? undefined : readAmount(line.unit_price, amountLimits.unit_price);
  if (line.unit_price !== undefined && !unit_price)
    throw invalidInLine(index, 'unit_price', 'El precio no es válido.');
  const { product_id: _, ...plain } = line;
  const priced = packPrice(product, pack, sold, {
    prices: pricesOf(facts),
    quantity: quantityOf(line, index),
    rateOf: (taxed) => rateOf({ ...plain, product_id: taxed.id }, taxed),
    unit_price,
    says_discount: line.discount_percent !== undefined,
  });
  if (!('reason' in priced)) return priced;
  const { at, reason } = priced;
  if (reason === 'too_large')
    throw invalidInLine(index, 'unit_price', 'El precio supera las 12 cifras enteras.');
  throw unsoldPart(index, pack, at, reason);
}

function singleLine(sale: PackSale): LineInput {
  const { line, index, product, facts, sold, priced } = sale;
  const taxes_id = sold[0]?.taxes_id ?? null;
  const price = priced.unit_price;
  const discount = partDiscount(sale, discountOf(sale), priced.parts);
  // The client's regime may decide the tax instead.
  const is_decided = lineDefaults(line, { ...product, taxes_id }, facts).taxation !== null;
  const says_tax =
    line.taxes_id !== undefined || line.tax_rate !== undefined || taxes_id === null || is_decided;
  return {
    ...line,
    ...(says_tax ? {} : { taxes_id }),
    unit_price: amountToJson(price),
    discount_percent: discount.value,
    stored_details: detailsOfPart(line.stored_details, discount, {
      ...packData(product, quantityOf(line, index), price, newId()),
      component_index: null,
      component_quantity: null,
      components: sold.map((part) => ({
        product_id: part.product.id,
        name: part.product.name,
        variant_id: part.variant?.id ?? null,
        presentation_id: part.presentation?.id ?? null,
        quantity: Number(part.quantity),
      })),
    }),
  };
}

function detailsOfPart(
  stored: LineDetails | null | undefined,
  { value, is_found }: Discount,
  original_pack_data: Record<string, unknown>,
): LineDetails | null {
  return withDiscountMark({ ...stored, original_pack_data }, is_found && value !== null);
}

/** Removes what the line took from another product: it does not fit a component. */
function withoutStored(line: LineInput): LineInput {
  const own = { ...line };
  for (const key of [
    'stored_product_id',
    'stored_tax',
    'stored_kind',
    'stored_surcharge_rate',
    'stored_unit_price',
    'stored_discount_percent',
    'stored_unit',
    'stored_said',
    'has_open_tax',
  ] as const)
    delete own[key];
  return own;
}

function componentLines(sale: PackSale): LineInput[] {
  const { line, index, product, pack, priced } = sale;
  const { parts, unit_price } = priced;
  const quantity = quantityOf(line, index);
  const quantities = partQuantities(pack, quantity);
  if ('reason_code' in quantities) {
    const { name } = pack.components[quantities.at ?? 0]!.product;
    throw refusedInLine(index, 'quantity', `la cantidad de «${name}» no cabe en una línea.`);
  }
  const discount = discountOf(sale);
  const is_shared = pack.pricing === 'fixed' || line.unit_price !== undefined;
  const prices = is_shared
    ? sharedPrices(parts, quantities, { quantity, unit_price, discount: percent(discount.value) })
    : parts.map((part) => part.unit_price);
  if (!prices)
    throw refusedInLine(index, 'quantity', 'el precio del pack no se reparte exacto con esta cantidad.');
  const group = newId();
  const { id, description: _, unit: __, kind: ___, linked_expense_ids, stored_details, ...said } = line;
  const common = withoutStored(said);
  const discounts = parts.map((part) => partDiscount(sale, discount, [part]));
  return pack.components.map((part, at) => ({
    ...common,
    // The first component keeps the line's own id and expenses.
    ...(at === 0 && id !== undefined ? { id } : {}),
    ...(at === 0 && linked_expense_ids ? { linked_expense_ids } : {}),
    product_id: part.product.id,
    variant_id: part.variant_id,
    presentation_id: part.presentation_id,
    options: [],
    quantity: amountToJson(quantities[at]!),
    unit_price: amountToJson(prices[at]!),
    discount_percent: discounts[at]!.value,
    stored_details: detailsOfPart(at === 0 ? stored_details : null, discounts[at]!, {
      ...packData(product, quantity, unit_price, group),
      component_index: at,
      component_quantity: Number(part.quantity),
    }),
  }));
}
