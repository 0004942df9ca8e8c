/** The prices of lines as a new invoice would take them, with what leads to them. */
import { type Amount, amountLimits, readAmount } from '../../domain/money/amount.ts';
import { indexItems, type PriceItem } from '../../domain/pricing/choose-item.ts';
import {
  isConverted,
  itemPrice,
  ownPrice,
  priceOf,
  type Prices,
  type PriceTerms,
  type Sold,
} from '../../domain/pricing/list-price.ts';
import { lineClient } from '../../domain/sales/line-defaults.ts';
import { invalidInLine } from '../../domain/sales/lines.errors.ts';
import { type LineFacts, type LineProduct, type LineTax, rateOfLine } from '../../domain/sales/lines.ts';
import type { Ctx, Tx } from '../../kernel/operation.ts';
import { invalidParam } from '../../kernel/resource-input.ts';
import { makeGivingWay } from '../../platform/give-way.ts';
import { type DocumentClient, findDocumentParties } from '../contacts/index.ts';
import { findLineProducts, taxIdsOf } from '../products/index.ts';
import { findLineTaxes } from '../taxes/index.ts';
import { type AskedPrice, readPrices } from './prices.ts';
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
type Asked = { line: Line; product: LineProduct; sold: Sold };

/** @throws 422 parameter_invalid for an unknown id; what refuses the tax of a line whose price is converted */
export async function resolveLines(
  ctx: Pick<Ctx, 'tx' | 'company' | 'version'>,
  body: ResolvePricesBody,
  rows: Rows,
  terms: PriceTerms,
): Promise<ResolvedLine[]> {
  if (body.client_id !== undefined && !rows.client) throw invalidParam('client_id', 'El cliente no existe.');
  const asked = body.lines.map((line, index) => askedOf(line, index, rows));
  const prices = await pricesFor(ctx, body, rows.client, asked, terms);
  const facts = isConverted(prices) ? await rateFacts(ctx, rows, terms) : null;
  const giveWay = makeGivingWay();
  const resolved: ResolvedLine[] = [];
  for (const [index, { product, sold }] of asked.entries()) {
    await giveWay();
    const rate = facts && rateOfLine({ product_id: product.id }, product, index, facts);
    resolved.push(resolveLine(product, sold, prices, rate, index));
  }
  return resolved;
}

function askedOf(line: Line, index: number, { products }: Rows): Asked {
  const product = products.get(line.product_id);
  if (!product) throw invalidInLine(index, 'product_id', 'El producto no existe.');
  const quantity = readAmount(line.quantity ?? 1, amountLimits.quantity);
  if (!quantity) throw invalidInLine(index, 'quantity', 'La cantidad no es válida.');
  return { line, product, sold: { product, variant: null, presentation: null, options: [], quantity } };
}

/** The list asked for, else the client's, else the default one. @throws 422 for one asked for that is unknown */
async function pricesFor(
  { tx, company }: Pick<Ctx, 'tx' | 'company'>,
  { price_list_id }: ResolvePricesBody,
  client: DocumentClient | null,
  asked: readonly Asked[],
  terms: PriceTerms,
): Promise<Prices> {
  const id = price_list_id ?? client?.price_list_id ?? company.default_price_list_id;
  const names = asked.map(
    ({ sold }): AskedPrice => ({
      product_id: sold.product.id,
      variant_id: sold.variant?.id ?? null,
      presentation_id: sold.presentation?.id ?? null,
      quantity: sold.quantity,
    }),
  );
  const prices =
    id === null ? undefined : await readPrices(tx, company.company_id, id, names, { terms, with_next: true });
  if (price_list_id !== undefined && !prices) throw invalidParam('price_list_id', 'La tarifa no existe.');
  return prices ?? { terms, list: null, items: indexItems([]) };
}

/** What the taxes of an invoice's lines follow from. */
async function rateFacts(
  { tx, company, version }: Pick<Ctx, 'tx' | 'company' | 'version'>,
  { products, client }: Rows,
  { on_date }: PriceTerms,
): Promise<LineFacts> {
  const own = client?.default_taxes_id;
  const more = taxIdsOf(tx, company.company_id, [...products.keys()]);
  const taxes: LineTax[] = await findLineTaxes(tx, company.company_id, own ? [own] : [], more);
  const { invoice: rate } = company.default_vat;
  return {
    products,
    taxes: new Map(taxes.map((one) => [one.id, one])),
    default_vat: typeof rate === 'string' ? rate : null,
    client: client && lineClient(client),
    is_surcharge_subject: false,
    on_date,
    version,
  };
}

function resolveLine(
  product: LineProduct,
  sold: Sold,
  prices: Prices,
  rate: Amount | null,
  index: number,
): ResolvedLine {
  const { terms, list } = prices;
  const own = ownPrice(sold, terms, rate);
  const base = typeof own === 'string' ? null : own;
  const none = { found: null, list: null, next: null, base };
  if (!product.is_active) return { ...none, reason: 'product_archived' };
  const found = priceOf(sold, prices, rate);
  if (found === 'no_price_in_currency') return { ...none, reason: found };
  if (found === 'too_large')
    throw invalidInLine(index, 'product_id', 'El precio supera las 12 cifras enteras.');
  return { reason: null, found, list, next: nextBreak(found.next, sold, prices, rate), base };
}

function nextBreak(
  item: PriceItem | null,
  sold: Sold,
  prices: Prices,
  rate: Amount | null,
): ResolvedLine['next'] {
  const unit_price = item && itemPrice(item, sold, prices, rate);
  if (!item || !unit_price || typeof unit_price === 'string') return null;
  return { min_quantity: item.min_quantity, unit_price, discount_percent: item.discount_percent };
}
