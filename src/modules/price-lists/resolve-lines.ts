/** The prices of lines as a new invoice would take them, with what leads to them. */
import { type Amount, amountLimits, readAmount } from '../../domain/money/amount.ts';
import type { PriceItem } from '../../domain/pricing/choose-item.ts';
import {
  isConverted,
  itemPrice,
  netPrice,
  ownPrice,
  priceOf,
  type Prices,
} from '../../domain/pricing/list-price.ts';
import type { PriceTerms } from '../../domain/pricing/list-price.ts';
import { isFault, readChoice } from '../../domain/pricing/read-choice.ts';
import { resolvePack } from '../../domain/pricing/sell.ts';
import {
  resolveSelection,
  type Sale,
  type SalePrice,
  type Selection,
} from '../../domain/pricing/selection.ts';
import { askedByPack, ofPacks } from '../../domain/sales/asked-prices.ts';
import { soldOf } from '../../domain/sales/line-price.ts';
import { free, type LineSale } from '../../domain/sales/line-selection.ts';
import { invalidInLine } from '../../domain/sales/lines.errors.ts';
import type { LineProduct } from '../../domain/sales/lines.ts';
import type { Ctx, Tx } from '../../kernel/operation.ts';
import { invalidParam } from '../../kernel/resource-input.ts';
import { makeGivingWay } from '../../platform/give-way.ts';
import { type DocumentClient, findDocumentParties } from '../contacts/index.ts';
import { findChoices, findLineProducts, type FoundChoice } from '../products/index.ts';
import { openPrices, type OpenPrices } from './open-prices.ts';
import type { ResolvedLine, ResolvePricesBody } from './resolve.schema.ts';

type Rows = { products: ReadonlyMap<string, LineProduct>; client: DocumentClient | null };

/** In one pipeline. */
export async function readForResolving(
  tx: Tx,
  company_id: string,
  { client_id, lines }: ResolvePricesBody,
): Promise<Rows> {
  const ids = [...new Set(lines.map(({ product_id }) => product_id))];
  const [products, [client]] = await Promise.all([
    findLineProducts(tx, company_id, ids),
    findDocumentParties(tx, company_id, 'client', client_id === undefined ? [] : [client_id]),
  ]);
  return { products: new Map(products.map((one) => [one.id, one])), client: client ?? null };
}

type Line = ResolvePricesBody['lines'][number];
/** `selection` of a configured product, as far as it was chosen. */
type Asked = {
  product: LineProduct;
  found: FoundChoice | undefined;
  selection: Selection<true> | null;
  sale: LineSale | null;
  quantity: Amount;
};

/** @throws 422 parameter_invalid for an unknown id; what refuses the tax of a line whose price is converted */
export async function resolveLines(
  ctx: Pick<Ctx, 'tx' | 'company' | 'version'>,
  body: ResolvePricesBody,
  { products, client }: Rows,
  terms: PriceTerms,
): Promise<ResolvedLine[]> {
  if (body.client_id !== undefined && !client) throw invalidParam('client_id', 'El cliente no existe.');
  const choices = await choicesOf(ctx, body.lines, products);
  const asked = body.lines.map((line, at) => askedOf(line, at, products.get(line.product_id), choices[at]));
  const variants = asked.flatMap(({ found }) => variantsOf(found));
  const open = await openPrices(ctx, {
    price_list_id: body.price_list_id,
    client,
    products: [...products.values(), ...asked.flatMap(({ found }) => componentsOf(found)), ...variants],
    asked: asked.flatMap(soldBy),
    terms,
    with_next: true,
  });
  const giveWay = makeGivingWay();
  const resolved: ResolvedLine[] = [];
  for (const [index, one] of asked.entries()) {
    await giveWay();
    resolved.push(resolveLine(one, open, index));
  }
  return resolved;
}

/** They may have taxes of their own. */
const variantsOf = (found: FoundChoice | undefined) => [
  ...(found?.choices.variants ?? []),
  ...(found?.pack?.components ?? []).flatMap(({ choices }) => choices.variants),
];

const componentsOf = (found: FoundChoice | undefined) =>
  (found?.pack?.components ?? []).map(({ product }) => product);

/** One statement for all configured products; none where there is none. */
async function choicesOf(
  { tx, company }: Pick<Ctx, 'tx' | 'company'>,
  lines: readonly Line[],
  products: ReadonlyMap<string, LineProduct>,
): Promise<(FoundChoice | undefined)[]> {
  const places = lines.flatMap((line, at) => (products.get(line.product_id)?.is_configured ? [at] : []));
  const found = await findChoices(
    tx,
    company.company_id,
    places.map((at) => {
      const { product_id, variant_id = null, presentation_id = null, options = [] } = lines[at]!;
      return {
        product_id,
        variant_id,
        presentation_id,
        value_ids: options.flatMap(({ value_id }) => value_id ?? []),
      };
    }),
  );
  const choices: (FoundChoice | undefined)[] = lines.map(() => undefined);
  for (const [place, at] of places.entries()) choices[at] = found[place];
  return choices;
}

function askedOf(
  line: Line,
  index: number,
  product: LineProduct | undefined,
  found: FoundChoice | undefined,
): Asked {
  if (!product) throw invalidInLine(index, 'product_id', 'El producto no existe.');
  const quantity = readAmount(line.quantity ?? 1, amountLimits.quantity);
  if (!quantity) throw invalidInLine(index, 'quantity', 'La cantidad no es válida.');
  const choices = found?.choices ?? plainChoices(product);
  const choice = readChoice(choices, line);
  if (isFault(choice)) throw invalidInLine(index, choice.field, choice.message);
  if (!found) return { product, found, selection: null, sale: null, quantity };
  const selection = resolveSelection(choices, choice, free);
  const { variant, presentation, options } = selection;
  return { product, found, selection, sale: { variant, presentation, options }, quantity };
}

function plainChoices(product: LineProduct) {
  return {
    product,
    has_variants: false,
    has_active_variants: false,
    variants: [],
    presentations: [],
    option_groups: [],
  };
}

function soldBy({ product, found, sale, quantity }: Asked) {
  const own = {
    product_id: product.id,
    variant_id: sale?.variant?.id ?? null,
    presentation_id: sale?.presentation?.id ?? null,
    quantity,
  };
  return [own, ...(found?.pack ? askedByPack(found.pack, quantity) : [])];
}

function resolveLine(
  { product, found, selection, sale, quantity }: Asked,
  open: OpenPrices,
  index: number,
): ResolvedLine {
  const { prices, rateOf } = open;
  const taxes_id = sale?.variant?.taxes_id ?? product.taxes_id;
  const rate = isConverted(prices) ? rateOf({ ...product, taxes_id }, index) : null;
  const sold = soldOf({ product, sale, quantity });
  const own = ownPrice(sold, prices.terms, rate);
  const base = typeof own === 'string' ? null : own;
  const none = { found: null, list: null, next: null, base };
  if (!product.is_active) return { ...none, reason: 'product_archived' };
  if (found?.pack) return resolvePackLine(product, found, quantity, open, index);
  if (selection?.status === 'unavailable') return { ...none, reason: selection.reason_code };
  const price = priceOf(sold, prices, rate);
  if (price === 'no_price_in_currency') return { ...none, reason: price };
  if (price === 'too_large')
    throw invalidInLine(index, 'product_id', 'El precio supera las 12 cifras enteras.');
  return {
    reason: null,
    found: price,
    list: prices.list,
    next: nextBreak(price.next, sold, prices, rate),
    base,
  };
}

/** Its price comes of several: of no single item, and with discounts taken off. */
function resolvePackLine(
  product: LineProduct,
  { choices, pack }: FoundChoice,
  quantity: Amount,
  { prices, rateOf }: OpenPrices,
  index: number,
): ResolvedLine {
  const { currency, prices_include_tax } = prices.terms;
  const priceBy =
    (by: Prices) =>
    (sale: Sale, at?: number): SalePrice | null => {
      const part = at === undefined ? undefined : pack?.components[at];
      const of = part?.product ?? product;
      const taxes_id = sale.variant?.taxes_id ?? of.taxes_id;
      const rate = isConverted(prices) ? rateOf({ ...of, taxes_id }, index) : null;
      const sold = { ...sale, quantity: part ? ofPacks(quantity, part.quantity) : quantity };
      const found = priceOf(sold, by, rate);
      if (typeof found === 'string') return null;
      return { unit_price: netPrice(found), currency, prices_include_tax, price_list: null };
    };
  if (!pack) throw new Error('A pack was resolved that is none.');
  const listed = resolvePack(choices, pack, priceBy(prices));
  const own = resolvePack(choices, pack, priceBy({ ...prices, list: null }));
  const base = own.price?.unit_price ?? null;
  const none = { found: null, list: null, next: null, base };
  if (!listed.price) return { ...none, reason: listed.reason_code };
  const { unit_price } = listed.price;
  return { ...none, reason: null, found: { unit_price, discount_percent: null, item: null, next: null } };
}

function nextBreak(
  item: PriceItem | null,
  sold: Parameters<typeof itemPrice>[1],
  prices: Prices,
  rate: Amount | null,
): ResolvedLine['next'] {
  const unit_price = item && itemPrice(item, sold, prices, rate);
  if (!item || !unit_price || typeof unit_price === 'string') return null;
  return { min_quantity: item.min_quantity, unit_price, discount_percent: item.discount_percent };
}
