/** The prices of lines as a new invoice would take them, with what leads to them. */
import { type Amount, amountLimits, readAmount } from '../../domain/money/amount.ts';
import { compareAmounts, type PriceItem } from '../../domain/pricing/choose-item.ts';
import {
  isConverted,
  itemPrice,
  ownPrice,
  priceOf,
  type Prices,
  type Rate,
} from '../../domain/pricing/list-price.ts';
import type { PriceTerms } from '../../domain/pricing/list-price.ts';
import { isFault, readChoice } from '../../domain/pricing/read-choice.ts';
import { nextPacks } from '../../domain/pricing/packs.ts';
import {
  askedPackPrice,
  type NoPackPrice,
  type PackPrice,
  packPrice,
  partQuantities,
  soldParts,
} from '../../domain/pricing/sell.ts';
import { free, resolveSelection, type Selection } from '../../domain/pricing/selection.ts';
import { type AskedPrice, askedByPack } from '../../domain/sales/asked-prices.ts';
import { soldOf } from '../../domain/sales/line-price.ts';
import type { LineSale } from '../../domain/sales/line-selection.ts';
import { invalidInLine } from '../../domain/sales/lines.errors.ts';
import type { LineProduct } from '../../domain/sales/line-facts.ts';
import { components_max, refusedPacks } from '../../domain/sales/pack-lines.ts';
import type { Ctx, LoadingCompany, Tx } from '../../kernel/operation.ts';
import { invalidParam } from '../../kernel/resource-input.ts';
import { makeGivingWay } from '../../platform/give-way.ts';
import { type DocumentClient, findDocumentParties } from '../contacts/index.ts';
import { findChoices, findLineProducts, type FoundChoice } from '../products/index.ts';
import { listOf, openPrices, type OpenPrices } from './open-prices.ts';
import { type ReadItems, readItems } from './prices.ts';
import type { ResolvedLine, ResolvePricesBody } from './resolve.schema.ts';

type Rows = {
  products: ReadonlyMap<string, LineProduct>;
  client: DocumentClient | null;
  /** Read by what the lines say. A configured product may in the end sell another choice. */
  read: ReadItems | undefined;
};

/**
 * One pipeline: the list's prices are asked for before the company's row has come, by the company's last known state
 * (ADR 90).
 */
export async function readForResolving(
  tx: Tx,
  company_id: string,
  { client_id, price_list_id, on_date, lines }: ResolvePricesBody,
  loading: LoadingCompany,
): Promise<Rows> {
  const ids = [...new Set(lines.map(({ product_id }) => product_id))];
  const finding = findDocumentParties(tx, company_id, 'client', client_id === undefined ? [] : [client_id]);
  const said = lines.flatMap(saidBy);
  const wantedAt = ({ company, today }: At, client?: DocumentClient) => ({
    id: listOf(price_list_id, client, company),
    on_date: on_date ?? today,
  });
  const read = async ({ id, on_date }: ReturnType<typeof wantedAt>) =>
    id === null ? undefined : readItems(tx, company_id, id, said, { on_date, with_next: true });
  const at = client_id === undefined ? loading.supposed?.() : undefined;
  const supposed = at && wantedAt(at);
  const early = supposed && read(supposed);
  early?.catch(() => undefined);
  const readByList = async () => {
    const [loaded, [client]] = await Promise.all([loading, finding]);
    const wanted = wantedAt(loaded, client);
    return supposed?.id === wanted.id && supposed.on_date === wanted.on_date ? early : read(wanted);
  };
  const [[client], products, items] = await Promise.all([
    finding,
    findLineProducts(tx, company_id, ids),
    readByList(),
  ]);
  return { products: new Map(products.map((one) => [one.id, one])), client: client ?? null, read: items };
}

type At = Pick<Ctx, 'company' | 'today'>;
type Line = ResolvePricesBody['lines'][number];
/** `selection` of a configured product, as far as it was chosen. */
type Asked = {
  product: LineProduct;
  found: FoundChoice | undefined;
  selection: Selection<true> | null;
  sale: LineSale | null;
  quantity: Amount;
};

/** An invalid quantity is refused later. */
function saidBy({ product_id, variant_id = null, presentation_id = null, quantity = 1 }: Line): AskedPrice[] {
  const read = readAmount(quantity, amountLimits.quantity);
  return read ? [{ product_id, variant_id, presentation_id, quantity: read }] : [];
}

/** Asking for a turn costs as much as a plain line. */
const linesInOneGo = 10;

/** @throws 422 parameter_invalid for an unknown id; what refuses the tax of a line whose price is converted */
export async function resolveLines(
  ctx: Pick<Ctx, 'tx' | 'company' | 'version'>,
  body: ResolvePricesBody,
  { products, client, read }: Rows,
  terms: PriceTerms,
): Promise<ResolvedLine[]> {
  if (body.client_id !== undefined && !client) throw invalidParam('client_id', 'El cliente no existe.');
  checkPacks(body.lines, products);
  const choices = await choicesOf(ctx, body.lines, products);
  const giveWay = makeGivingWay();
  const asked: Asked[] = [];
  const sold: AskedPrice[] = [];
  for (const [at, line] of body.lines.entries()) {
    if (at % linesInOneGo === 0) await giveWay();
    const one = askedOf(line, at, products.get(line.product_id), choices[at]);
    asked.push(one);
    sold.push(...soldBy(one));
  }
  const variants = asked.flatMap(({ found }) => variantsOf(found));
  const open = await openPrices(ctx, {
    price_list_id: body.price_list_id,
    client,
    products: [...products.values(), ...asked.flatMap(({ found }) => componentsOf(found)), ...variants],
    asked: sold,
    terms,
    with_next: true,
    read,
  });
  const resolved: ResolvedLine[] = [];
  for (const [index, one] of asked.entries()) {
    if (index % linesInOneGo === 0) await giveWay();
    resolved.push(resolveLine(one, open, index));
  }
  return resolved;
}

/** @throws 422 business_rule_violation, as a document would */
function checkPacks(lines: readonly Line[], products: Rows['products']): void {
  let components = 0;
  for (const [index, { product_id }] of lines.entries()) {
    components += products.get(product_id)?.pack_size ?? 0;
    if (components > components_max) throw refusedPacks(index);
  }
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

const nothing = { found: null, list: null, next: null, base: null };

function resolveLine(
  { product, found, selection, sale, quantity }: Asked,
  open: OpenPrices,
  index: number,
): ResolvedLine {
  if (found?.pack) return resolvePackLine(product, found.pack, quantity, open, index);
  // A document would refuse this line. Without a complete choice it has neither tax nor price.
  if (product.is_active && selection && selection.status !== 'resolved')
    return { ...nothing, reason: selection.reason_code };
  const { prices, rateOf, refusesTax } = open;
  const taxed = { ...product, taxes_id: sale?.variant?.taxes_id ?? product.taxes_id };
  // Such a tax has no rate to convert a price by.
  if (refusesTax(taxed))
    return { ...nothing, reason: product.is_active ? 'tax_refused' : 'product_archived' };
  const rate = isConverted(prices) ? rateOf(taxed, index) : null;
  const sold = soldOf({ product, sale, quantity });
  const own = ownPrice(sold, prices.terms, rate);
  const base = typeof own === 'string' ? null : own;
  const none = { ...nothing, base };
  if (!product.is_active) return { ...none, reason: 'product_archived' };
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

/** The sum belongs to no single item, and its discounts are taken off. */
function resolvePackLine(
  product: LineProduct,
  pack: NonNullable<FoundChoice['pack']>,
  quantity: Amount,
  { prices, rateOf, refusesTax }: OpenPrices,
  index: number,
): ResolvedLine {
  if (!product.is_active) return { ...nothing, reason: 'product_archived' };
  const sold = soldParts(product, pack);
  if ('reason_code' in sold) return { ...nothing, reason: sold.reason_code };
  if (sold.some(({ taxed }) => refusesTax(taxed))) return { ...nothing, reason: 'tax_refused' };
  const priced = (packs: Amount, by: Prices) =>
    packPrice(product, pack, sold, { prices: by, quantity: packs, rateOf: (of) => rateOf(of, index) });
  const asked = (packs: Amount, by: Prices) => {
    const found = priced(packs, by);
    return 'reason' in found ? null : askedPackPrice(pack, found);
  };
  const none = { ...nothing, base: asked(quantity, { ...prices, list: null }) };
  const held = partQuantities(pack, quantity);
  if ('reason_code' in held) return { ...none, reason: held.reason_code };
  const price = priced(quantity, prices);
  if ('reason' in price) {
    if (price.reason === 'too_large')
      throw invalidInLine(index, 'product_id', 'El precio supera las 12 cifras enteras.');
    return { ...none, reason: price.reason };
  }
  if (pack.pricing === 'fixed') {
    const blended = isConverted(prices) ? blendedBreak(price, priced, prices) : null;
    const whole = soldOf({ product, sale: null, quantity });
    const next = blended ?? nextBreak(price.next, whole, prices, price.rate);
    return { ...none, reason: null, found: price, list: prices.list, next };
  }
  const min_quantity = nextPacks(price.parts);
  const unit_price = min_quantity && asked(min_quantity, prices);
  return {
    ...none,
    reason: null,
    found: { ...price, unit_price: askedPackPrice(pack, price) },
    next: unit_price && { min_quantity, unit_price, discount_percent: null },
  };
}

/**
 * Of a fixed price that is converted: the components' prices decide the tax within it, so a step of one of them changes it too.
 * @param priced so many packs; it knows the first step of each part
 */
function blendedBreak(
  { unit_price, item, next, parts }: PackPrice,
  priced: (packs: Amount, by: Prices) => PackPrice | NoPackPrice,
  prices: Prices,
): ResolvedLine['next'] {
  const steps = [nextPacks(parts), next?.min_quantity ?? null].filter((step) => step !== null);
  for (const min_quantity of steps.sort(compareAmounts)) {
    const there = priced(min_quantity, prices);
    if ('reason' in there) return null;
    // A step of a component does not change a price that is not converted.
    if (compareAmounts(there.unit_price, unit_price) !== 0 || there.item?.id !== item?.id)
      return { min_quantity, unit_price: there.unit_price, discount_percent: there.discount_percent };
  }
  return null;
}

function nextBreak(
  item: PriceItem | null,
  sold: Parameters<typeof itemPrice>[1],
  prices: Prices,
  rate: Rate | null,
): ResolvedLine['next'] {
  const unit_price = item && itemPrice(item, sold, prices, rate);
  if (!item || !unit_price || typeof unit_price === 'string') return null;
  return { min_quantity: item.min_quantity, unit_price, discount_percent: item.discount_percent };
}
