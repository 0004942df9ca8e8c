/**
 * The lines that a pack becomes: one of each component, or a single one. Things taxed differently are sold for one price in
 * proportion to what they are worth (LIVA, art. 79.Dos).
 */
import { newId } from '../../kernel/uuid7.ts';
import type { DecimalInput } from '../../kernel/json.ts';
import type { Problem } from '../../kernel/problem.ts';
import {
  type Amount,
  amountLimits,
  amountText,
  amountToJson,
  parseAmount,
  readAmount,
} from '../money/amount.ts';
import { fitsLine } from '../pricing/base-price.ts';
import { reasonTexts } from '../pricing/choice.ts';
import { exactAmount, exactQuantity, type PackPart, sharedPrices, sumPrice } from '../pricing/packs.ts';
import { isConverted, netPrice, priceOf } from '../pricing/list-price.ts';
import { packParts } from '../pricing/sell.ts';
import type { Sale, Selection } from '../pricing/selection.ts';
import { ofPacks } from './asked-prices.ts';
import { pricesOf, unsaidPrice } from './line-price.ts';
import type { LinePack } from './line-selection.ts';
import { lineDefaults } from './line-defaults.ts';
import { invalidInLine, refusedInLine } from './lines.errors.ts';
import type { LineFacts, LineInput, LineProduct } from './lines.ts';

/** In a document, of all its packs. Also of packs of a single line. */
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

type Sold = { parts: PackPart[]; sold: Selection<{ unit_price: Amount }>[] };

const one: Amount = { units: 1_000_000n, scale: 6 };

function quantityOf({ quantity }: LineInput, index: number): Amount {
  const read = quantity === undefined ? one : readAmount(quantity, amountLimits.quantity);
  if (!read) throw invalidInLine(index, 'quantity', 'La cantidad no es válida.');
  return read;
}

function discountOf(
  line: LineInput,
  { discount_percent, pricing }: LinePack,
  { client }: LineFacts,
): DecimalInput | null {
  if (line.discount_percent !== undefined) return line.discount_percent;
  // A sent price has it.
  if (pricing === 'sum' && discount_percent !== null && line.unit_price === undefined)
    return Number(discount_percent);
  return client?.discount_percent ?? null;
}

const percent = (value: DecimalInput | null) =>
  value === null ? null : (readAmount(value, amountLimits.discount_percent) ?? null);

/** What was sold as one: it stays with each line, whatever becomes of the pack. */
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

/** What a component costs, of as many as are sold. */
function componentPrice(
  { line, index, pack, facts, rateOf }: Pick<PackSale, 'line' | 'index' | 'pack' | 'facts' | 'rateOf'>,
  sale: Sale,
  at: number,
): { unit_price: Amount } | null {
  const { product, quantity } = pack.components[at]!;
  const sold = { ...product, taxes_id: sale.variant?.taxes_id ?? product.taxes_id };
  const prices = pricesOf(facts);
  const { product_id: _, ...plain } = line;
  const rate = isConverted(prices) ? rateOf({ ...plain, product_id: product.id }, sold) : null;
  const found = priceOf({ ...sale, quantity: ofPacks(quantityOf(line, index), quantity) }, prices, rate);
  if (found === 'too_large')
    throw invalidInLine(index, 'unit_price', 'El precio supera las 12 cifras enteras.');
  return found === 'no_price_in_currency' ? null : { unit_price: netPrice(found) };
}

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
  const of = { line, index, product, pack, facts, rateOf };
  const found = packParts(pack.components, (sale, at) => componentPrice(of, sale, at));
  if ('reason_code' in found) {
    const name = pack.components[found.at]?.product.name ?? '';
    throw refusedInLine(
      index,
      'product_id',
      `el pack no se puede vender: «${name}»: ${reasonTexts[found.reason_code]}`,
    );
  }
  const sale = { ...of, ...(found as Sold) };
  return pack.expand === 'single' ? [singleLine(sale)] : componentLines(sale);
}

type PackSale = Sold & {
  line: LineInput;
  index: number;
  product: LineProduct;
  pack: LinePack;
  facts: LineFacts;
  rateOf: RateOf;
};

function priceOfPack({ line, index, product, pack, facts, parts, rateOf }: PackSale): Amount {
  if (line.unit_price !== undefined) {
    const sent = readAmount(line.unit_price, amountLimits.unit_price);
    if (!sent) throw invalidInLine(index, 'unit_price', 'El precio no es válido.');
    return sent;
  }
  // A pack may have no tax of its own, but those of its components.
  const has_tax = product.taxes_id !== null || line.taxes_id !== undefined || line.tax_rate !== undefined;
  const rate = has_tax && isConverted(pricesOf(facts)) ? rateOf(line, product) : null;
  const price =
    pack.pricing === 'fixed'
      ? netPrice(unsaidPrice({ product, sale: null, quantity: quantityOf(line, index) }, rate, index, facts))
      : sumPrice(parts, null);
  if (!fitsLine(price)) throw invalidInLine(index, 'unit_price', 'El importe supera las 12 cifras enteras.');
  return price;
}

function singleLine(sale: PackSale): LineInput {
  const { line, index, product, pack, facts, sold } = sale;
  const taxes = new Set(
    sold.map(({ variant }, at) => variant?.taxes_id ?? pack.components[at]?.product.taxes_id ?? null),
  );
  if (taxes.size > 1)
    throw refusedInLine(
      index,
      'product_id',
      'sus componentes tienen varios impuestos, y el pack va en una sola línea.',
    );
  const [taxes_id = null] = taxes;
  const price = priceOfPack(sale);
  // What the client is may decide instead.
  const is_decided = lineDefaults(line, { ...product, taxes_id }, facts).taxation !== null;
  const says_tax =
    line.taxes_id !== undefined || line.tax_rate !== undefined || taxes_id === null || is_decided;
  return {
    ...line,
    ...(says_tax ? {} : { taxes_id }),
    unit_price: amountToJson(price),
    discount_percent: discountOf(line, pack, facts),
    stored_details: {
      ...line.stored_details,
      original_pack_data: {
        ...packData(product, quantityOf(line, index), price, newId()),
        component_index: null,
        component_quantity: null,
        components: pack.components.map((part, at) => ({
          product_id: part.product.id,
          name: part.product.name,
          variant_id: sold[at]?.variant?.id ?? null,
          presentation_id: sold[at]?.presentation?.id ?? null,
          quantity: Number(part.quantity),
        })),
      },
    },
  };
}

/** What the line had of another product says nothing of a component. */
function withoutStored(line: LineInput): LineInput {
  const own = { ...line };
  for (const key of [
    'stored_product_id',
    'stored_taxes_id',
    'stored_kind',
    'stored_surcharge_rate',
    'stored_unit_price',
    'stored_discount_percent',
    'stored_said',
    'has_open_tax',
  ] as const)
    delete own[key];
  return own;
}

function componentLines(sale: PackSale): LineInput[] {
  const { line, index, product, pack, facts, parts } = sale;
  const quantity = quantityOf(line, index);
  const quantities = pack.components.map(({ product: { name }, quantity: of_one }) => {
    const exact = exactQuantity(quantity, exactAmount(of_one, 6));
    if (!exact || !parseAmount(amountText(exact), amountLimits.quantity))
      throw refusedInLine(index, 'quantity', `la cantidad de «${name}» no cabe en una línea.`);
    return exact;
  });
  const discount = discountOf(line, pack, facts);
  const unit_price = priceOfPack(sale);
  const is_shared = pack.pricing === 'fixed' || line.unit_price !== undefined;
  const prices = is_shared
    ? sharedPrices(parts, quantities, { quantity, unit_price, discount: percent(discount) })
    : parts.map((part) => part.unit_price);
  if (!prices)
    throw refusedInLine(index, 'quantity', 'el precio del pack no se reparte exacto con esta cantidad.');
  const group = newId();
  const { id, description: _, unit: __, kind: ___, linked_expense_ids, stored_details, ...said } = line;
  const common = withoutStored(said);
  return pack.components.map((part, at) => ({
    ...common,
    // What was the line's own goes on with the first.
    ...(at === 0 && id !== undefined ? { id } : {}),
    ...(at === 0 && linked_expense_ids ? { linked_expense_ids } : {}),
    product_id: part.product.id,
    variant_id: part.variant_id,
    presentation_id: part.presentation_id,
    options: [],
    quantity: amountToJson(quantities[at]!),
    unit_price: amountToJson(prices[at]!),
    discount_percent: discount,
    stored_details: {
      ...(at === 0 ? stored_details : null),
      original_pack_data: {
        ...packData(product, quantity, unit_price, group),
        component_index: at,
        component_quantity: Number(part.quantity),
      },
    },
  }));
}
