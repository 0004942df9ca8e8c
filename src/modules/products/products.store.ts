/** Products come with the name and rate of their tax. */
import type { LineProduct } from '../../domain/sales/line-facts.ts';
import type { Tx } from '../../kernel/operation.ts';
import type { PageRequest } from '../../kernel/page.ts';
import type { Finders } from '../../platform/bounded-page.ts';
import { idRange, readIdsByHalving } from '../../platform/created-ids.ts';
import {
  hasRange,
  isAsked,
  inSpanishOrder,
  readPageRows,
  rangeCondition,
  valueCondition,
} from '../../platform/page-rows.ts';
import { textCondition, textFinder } from '../../platform/text-search.ts';
import { removeRow, updateRow } from '../../platform/row-changes.ts';
import { type Columns, insertRows } from '../../platform/rows.ts';
import { joinTax } from '../taxes/index.ts';
import { type configurationColumns, type Configuration, noConfiguration } from './configuration.ts';
import { configurationText, writeConfiguration } from './configuration.store.ts';
import type { ListedRow, ProductFields, ProductRow } from './products.schema.ts';

const writableColumns: Columns = {
  name: 'text',
  description: 'text',
  code: 'text',
  kind: 'text',
  unit: 'text',
  unit_price: 'numeric',
  taxes_id: 'uuid',
  external_id: 'text',
  notes: 'text',
  metadata: 'jsonb',
  tags: 'text[]',
  is_active: 'boolean',
  is_configured: 'boolean',
  has_variants: 'boolean',
  has_presentations: 'boolean',
  has_options: 'boolean',
  pack_pricing: 'text',
  pack_discount_percent: 'numeric',
  pack_expand: 'text',
  pack_size: 'integer',
  updated_at: 'timestamptz',
};

const columns: Columns = { id: 'uuid', ...writableColumns, created_at: 'timestamptz' };

/** The price is its shortest text, so that an unchanged one compares as equal. */
const rowText = `t.id, t.name, t.description, t.code, t.kind, t.unit, trim_scale(t.unit_price)::text as unit_price,
  t.taxes_id, t.external_id, t.notes, t.metadata, t.tags, t.is_active, t.created_at, t.updated_at,
  t.has_variants, t.has_presentations, t.has_options, t.pack_pricing is not null as is_pack,
  x.name as tax_name, x.rate::float8 as tax_rate`;
const wholeText = `${rowText}, ${configurationText}`;

export async function findProduct(tx: Tx, company_id: string, id: string): Promise<ProductRow | undefined> {
  const [row] = await tx<ProductRow[]>`
    select ${tx.unsafe(wholeText)} from products t ${joinTax(tx, company_id)}
     where t.company_id = ${company_id} and t.id = ${id}`;
  return row;
}

/** Edits of a product wait for one another. */
export async function lockProduct(tx: Tx, company_id: string, id: string): Promise<ProductRow | undefined> {
  const [row] = await tx<ProductRow[]>`
    select ${tx.unsafe(wholeText)} from products t ${joinTax(tx, company_id)}
     where t.company_id = ${company_id} and t.id = ${id}
       for update of t`;
  return row;
}

export async function findLineProducts(
  tx: Tx,
  company_id: string,
  ids: readonly string[],
): Promise<LineProduct[]> {
  const rows = await tx<LineProduct[]>`
    select t.id, t.name, t.kind, t.unit, t.unit_price, t.taxes_id, t.is_active, t.is_configured, t.pack_size
      from products t
     where t.company_id = ${company_id} and t.id = any(${[...ids]}::uuid[])`;
  return [...rows];
}

/** Active ones, locked against deletion, for other rows to refer to them. */
export async function findProductsToReferTo(
  tx: Tx,
  company_id: string,
  ids: readonly string[],
): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select t.id from products t
     where t.company_id = ${company_id} and t.id = any(${[...ids]}::uuid[]) and t.is_active
       for key share`;
  return rows.map(({ id }) => id);
}

export type ProductFilter = {
  q?: string;
  code?: string;
  external_id?: string;
  is_active?: boolean;
};

/**
 * The primary key and products_in_order serve the orders. Filters by text, code, external id, times and what is archived have their own
 * indexes; with one, the page's ids are found first.
 */
export async function listProducts(
  tx: Tx,
  company_id: string,
  filter: ProductFilter,
  page: PageRequest,
): Promise<ListedRow[]> {
  const { q, is_active } = filter;
  const made = idRange(tx, await readIdsByHalving(tx, { table: 'products', company_id, of: tx`` }, filter));
  const of_company = tx`from products t where t.company_id = ${company_id}`;
  const text = q === undefined ? null : textCondition(tx, q);
  const indexed = [
    ...['code', 'external_id'].flatMap((field) =>
      isAsked(filter, field) ? [valueCondition(tx, `t.${field}`, filter, field)] : [],
    ),
    ...['created', 'updated'].flatMap((field) =>
      hasRange(filter, field) ? [rangeCondition(tx, `t.${field}_at`, filter, field)] : [],
    ),
  ];
  // Written out, so that the partial index serves it. Most products are in use: a walk finds those.
  if (is_active === false) indexed.push(tx`and not t.is_active`);
  const where = tx`
    ${made} ${text ?? tx``} ${indexed.reduce((all, one) => tx`${all} ${one}`, tx``)}
    ${is_active ? tx`and t.is_active` : tx``}`;
  const source = { table: 'products', sorts: { name: inSpanishOrder('t.name_key') }, where };
  const columns = tx.unsafe(rowText);
  const joins = joinTax(tx, company_id);
  if (!text && indexed.length === 0) return readPageRows(tx, company_id, page, { ...source, columns, joins });
  const finders: Finders = {
    // The order by name does not have the ids: a walk along it would read on and on.
    walk: () => tx`${of_company} ${page.order.field === 'created' ? made : tx``}`,
    is_whole: false,
    matches: indexed.map((condition) => tx`${of_company} ${condition}`),
    text: q === undefined ? null : tx`${of_company} ${textFinder(tx, q)}`,
    bounds: [],
  };
  const found = await readPageRows<{ id: string }>(tx, company_id, page, {
    ...source,
    columns: tx`t.id`,
    finders,
  });
  const ids = found.map(({ id }) => id);
  if (ids.length === 0) return [];
  const rows = await tx<ListedRow[]>`
    select ${columns} from products t ${joins}
     where t.company_id = ${company_id} and t.id = any(${ids}::uuid[])
     order by array_position(${ids}::uuid[], t.id)`;
  return [...rows];
}

type Times = { created_at: Date; updated_at: Date };
type Written = ProductFields & ReturnType<typeof configurationColumns>;

/** A duplicate code violates products_code. */
export async function insertProduct(
  tx: Tx,
  company_id: string,
  row: Written & Times & { id: string },
  parts: Configuration,
): Promise<void> {
  await insertRows(tx, company_id, 'products', columns, [row]);
  if (row.is_configured) await writeConfiguration(tx, company_id, row.id, noConfiguration, parts);
}

/**
 * A duplicate code violates products_code.
 * @param parts as they are stored and as they will be
 */
export async function updateProduct(
  tx: Tx,
  company_id: string,
  id: string,
  fields: Written & { updated_at: Date },
  parts: { before: Configuration; after: Configuration },
): Promise<void> {
  await updateRow(tx, company_id, 'products', writableColumns, id, fields);
  await writeConfiguration(tx, company_id, id, parts.before, parts.after);
}

/** Of a product other than `id`. */
export async function hasActiveCode(
  tx: Tx,
  company_id: string,
  codes: readonly string[],
  id: string,
): Promise<boolean> {
  const rows = await tx`
    select 1 from products
     where company_id = ${company_id} and code = any(${codes as string[]}) and is_active and id <> ${id} limit 1`;
  return rows.length > 0;
}

/** It takes no new lines; its parts stay as they are. */
export async function archiveProduct(tx: Tx, company_id: string, id: string, now: Date): Promise<void> {
  await tx`update products set is_active = false, updated_at = ${now} where company_id = ${company_id} and id = ${id}`;
}

/** @returns false when a foreign key refers to it */
export function removeProduct(tx: Tx, company_id: string, id: string): Promise<boolean> {
  return removeRow(tx, company_id, 'products', id);
}

/** SQL: the ids of the products' taxes. */
export function taxIdsOf(tx: Tx, company_id: string, product_ids: readonly string[]) {
  return tx`select p.taxes_id from products p
             where p.company_id = ${company_id} and p.id = any(${[...product_ids]}::uuid[])`;
}
