/** Every change of items holds the row of their list (price-lists.store.ts). */
import type { Fragment } from 'postgres';
import type { Tx } from '../../kernel/operation.ts';
import type { PageRequest } from '../../kernel/page.ts';
import type { Finders } from '../../platform/bounded-page.ts';
import { hasRange, isAsked, rangeCondition, readPageRows, valueCondition } from '../../platform/page-rows.ts';
import { removeRow } from '../../platform/row-changes.ts';
import { type Columns, insertRows } from '../../platform/rows.ts';
import type { ItemFields, ItemRow } from './price-list-items.schema.ts';
import { stepsMax } from './rules/steps.ts';

const writableColumns: Columns = {
  product_id: 'uuid',
  variant_id: 'uuid',
  presentation_id: 'uuid',
  min_quantity: 'numeric',
  unit_price: 'numeric',
  discount_percent: 'numeric',
  valid_from: 'date',
  valid_to: 'date',
  updated_at: 'timestamptz',
};

const columns: Columns = { id: 'uuid', price_list_id: 'uuid', ...writableColumns, created_at: 'timestamptz' };

/** Numbers are their shortest texts, so that unchanged ones compare as equal. */
const itemText = Object.entries(columns)
  .map(([name, type]) => (type === 'numeric' ? `trim_scale(t.${name})::text as ${name}` : `t.${name}`))
  .join(', ');

export async function findItem(
  tx: Tx,
  company_id: string,
  price_list_id: string,
  id: string,
): Promise<ItemRow | undefined> {
  const [row] = await tx<ItemRow[]>`
    select ${tx.unsafe(itemText)} from price_list_items t
     where t.company_id = ${company_id} and t.price_list_id = ${price_list_id} and t.id = ${id}`;
  return row;
}

/** So many still go with their list, their product or parts of it, in one short transaction. */
const itemsGoing = 10_000;

type ItemsOf = { price_list_id: string } | { product_id: string } | { part_ids: readonly string[] };

/** @param of the list, the product, or variants and presentations */
export async function hasManyItems(tx: Tx, company_id: string, of: ItemsOf): Promise<boolean> {
  const rows = await tx`select 1 from (${itemsOf(tx, company_id, of)}) t offset ${itemsGoing} limit 1`;
  return rows.length > 0;
}

function itemsOf(tx: Tx, company_id: string, of: ItemsOf): Fragment {
  const items = tx`select 1 from price_list_items t where t.company_id = ${company_id}`;
  if ('price_list_id' in of) return tx`${items} and t.price_list_id = ${of.price_list_id}`;
  if ('product_id' in of) return tx`${items} and t.product_id = ${of.product_id}`;
  const ids = tx`${[...of.part_ids]}::uuid[]`;
  // Each part has an index. What names two of them is counted once.
  return tx`${items} and t.variant_id = any(${ids})
      union all ${items} and t.presentation_id = any(${ids}) and (t.variant_id is null or t.variant_id <> all(${ids}))`;
}

/** Of these variants and presentations, those that have a price. */
export async function findPricedParts(tx: Tx, company_id: string, ids: readonly string[]): Promise<string[]> {
  const rows = await tx<{ id: string }[]>`
    select a.id from unnest(${[...ids]}::uuid[]) as a(id)
     where exists (select from price_list_items t where t.company_id = ${company_id} and t.variant_id = a.id)
        or exists (select from price_list_items t where t.company_id = ${company_id} and t.presentation_id = a.id)`;
  return rows.map(({ id }) => id);
}

export type ItemFilter = { product_id?: string; variant_id?: string };

export function listItems(
  tx: Tx,
  company_id: string,
  price_list_id: string,
  filter: ItemFilter,
  page: PageRequest,
): Promise<ItemRow[]> {
  const of = tx`and t.price_list_id = ${price_list_id}`;
  const walk = tx`from price_list_items t where t.company_id = ${company_id} ${of}`;
  const asked = [
    ...['product_id', 'variant_id'].flatMap((field) =>
      isAsked(filter, field) ? [valueCondition(tx, `t.${field}`, filter, field)] : [],
    ),
    ...['created', 'updated'].flatMap((field) =>
      hasRange(filter, field) ? [rangeCondition(tx, `t.${field}_at`, filter, field)] : [],
    ),
  ];
  const finders: Finders = {
    walk: () => walk,
    is_whole: asked.length === 0,
    matches: asked.map((condition) => tx`${walk} ${condition}`),
    text: null,
    bounds: [],
  };
  return readPageRows(tx, company_id, page, {
    table: 'price_list_items',
    of,
    columns: tx.unsafe(itemText),
    where: asked.reduce((all, one) => tx`${all} ${one}`, of),
    finders,
  });
}

/** Conditions: an item names the same as `a`, or neither names anything. One index condition each. */
function sameOrNone(tx: Tx, column: string) {
  return [tx.unsafe(`t.${column} = a.${column}`), tx.unsafe(`t.${column} is null and a.${column} is null`)];
}

/** One select for each pair of conditions. */
function unionOf(
  tx: Tx,
  variants: readonly Fragment[],
  presentations: readonly Fragment[],
  selectOf: (where: Fragment) => Fragment,
): Fragment {
  const branches = variants.flatMap((variant) =>
    presentations.map((presentation) => selectOf(tx`and ${variant} and ${presentation}`)),
  );
  return branches.reduce((all, one) => tx`${all} union all ${one}`);
}

/**
 * For what reads steps in their order. Only price_list_items_step has them in it, and other indexes find a whole variant, product or
 * list, to be sorted. Until PostgreSQL has counted a list that was just imported it supposes that it has one row, where any index would do:
 * so it may not sort.
 * @param send sends the statement at once
 */
function byTheirIndex<R>(tx: Tx, send: () => Promise<R>): Promise<R> {
  // If it fails, so does what comes after it.
  const sorting = (value: 'off' | 'on') => tx.unsafe(`set local enable_sort = ${value}`).execute();
  sorting('off');
  const sent = send();
  sorting('on');
  return sent;
}

/** All steps of the combinations that the items name. */
export async function findSteps(
  tx: Tx,
  company_id: string,
  price_list_id: string,
  items: readonly ItemFields[],
): Promise<ItemRow[]> {
  const named = items.map(({ product_id, variant_id, presentation_id }) => ({
    product_id,
    variant_id,
    presentation_id,
  }));
  const steps = unionOf(
    tx,
    sameOrNone(tx, 'variant_id'),
    sameOrNone(tx, 'presentation_id'),
    (where) => tx`
      (select ${tx.unsafe(itemText)} from price_list_items t
        where t.company_id = ${company_id} and t.price_list_id = ${price_list_id} and t.product_id = a.product_id ${where}
        order by t.variant_id, t.presentation_id, t.min_quantity_units, t.valid_from nulls first limit ${stepsMax})`,
  );
  const found = () =>
    tx<ItemRow[]>`
    select i.* from (
      select distinct x.product_id, x.variant_id, x.presentation_id
        from json_to_recordset(${JSON.stringify(named)}::text::json)
             as x(product_id uuid, variant_id uuid, presentation_id uuid)) a
     cross join lateral (${steps}) i`.execute();
  return [...(await byTheirIndex(tx, found))];
}

const parts = ['variant_id', 'presentation_id'] as const;
type Part = (typeof parts)[number];

/** What a line asks of a list. `units`: its quantity without sign, in millionths, rounded down. */
export type AskedItem = Record<Part, string | null> & { product_id: string; units: bigint };

/** Numbers as PostgreSQL prints them, with all their decimals. A part that no line asked for is left out. */
export type FoundItem = Pick<
  ItemFields,
  'product_id' | 'unit_price' | 'discount_percent' | 'valid_from' | 'valid_to'
> &
  Partial<Record<Part, string | null>> & { id: string; min_quantity_units: string };

/**
 * SQL: for each combination that an item may name, the step that holds on the day $3 for the quantity. With `with_next`
 * also that of the next quantity, as many rows as it has periods. price_list_items_step finds each. Its whole order
 * must be written out, because the planner does not see that a null column has one value. Quantities are compared as
 * whole numbers: only a leakproof comparison narrows the walk, and others would read each step of the combination.
 * @param named the parts that some line asks for, in their order
 */
function stepsText(named: readonly Part[], with_next: boolean): string {
  const columns = [
    'id',
    'product_id',
    ...named,
    'min_quantity_units',
    'unit_price',
    'discount_percent',
    'valid_from',
    'valid_to',
  ];
  const stepOf = (where: string) => `
    (select ${columns.map((name) => `t.${name}`).join(', ')} from price_list_items t
      where t.company_id = $1 and t.price_list_id = $2 and t.product_id = a.product_id
        and (t.valid_from is null or t.valid_from <= $3) and (t.valid_to is null or t.valid_to >= $3) and ${where})`;
  const conditions = parts.map((part) => [
    ...(named.includes(part) ? [`t.${part} = a.${part}`] : []),
    `t.${part} is null`,
  ]);
  const [variants = [], presentations = []] = conditions;
  const steps = variants
    .flatMap((variant) => presentations.map((presentation) => `${variant} and ${presentation}`))
    .flatMap((where) => [
      stepOf(`${where} and t.min_quantity_units <= a.units
        order by t.variant_id desc, t.presentation_id desc, t.min_quantity_units desc, t.valid_from desc nulls last limit 1`),
      ...(with_next
        ? [
            stepOf(`${where} and t.min_quantity_units > a.units
        order by t.variant_id, t.presentation_id, t.min_quantity_units fetch first 1 row with ties`),
          ]
        : []),
    ]);
  const arrays = ['$4::uuid[]', '$5::text[]::bigint[]', ...named.map((_, at) => `$${at + 6}::uuid[]`)];
  return `
    select i.* from unnest(${arrays.join(', ')}) as a(${['product_id', 'units', ...named].join(', ')})
     cross join lateral (${steps.join(' union all ')}) i`;
}

/** One text for each set of asked parts, so that it is planned once. */
const stepsTexts = new Map<string, string>();

/** The items that decide each line's price; `with_next` also their next steps. */
export async function findItemsFor(
  tx: Tx,
  company_id: string,
  price_list_id: string,
  asked: readonly AskedItem[],
  { on_date, with_next }: { on_date: string; with_next: boolean },
): Promise<FoundItem[]> {
  const named = parts.filter((part) => asked.some((one) => one[part] !== null));
  const key = `${named.join()} ${with_next}`;
  const text = stepsTexts.get(key) ?? stepsText(named, with_next);
  stepsTexts.set(key, text);
  const found = () =>
    tx
      .unsafe<FoundItem[]>(
        text,
        [
          company_id,
          price_list_id,
          on_date,
          asked.map(({ product_id }) => product_id),
          asked.map(({ units }) => String(units)),
          ...named.map((part) => asked.map((one) => one[part]) as string[]),
        ],
        { prepare: true },
      )
      .execute();
  return [...(await byTheirIndex(tx, found))];
}

export async function insertItems(tx: Tx, company_id: string, rows: readonly ItemRow[]): Promise<void> {
  await insertRows(tx, company_id, 'price_list_items', columns, rows);
}

const updateText = `update price_list_items t set ${Object.keys(writableColumns)
  .map((name) => `${name} = x.${name}`)
  .join(', ')} from json_to_recordset($2::text::json) as x(id uuid, ${Object.entries(writableColumns)
  .map(([name, type]) => `${name} ${type}`)
  .join(', ')}) where t.company_id = $1 and t.id = x.id`;

export async function updateItems(tx: Tx, company_id: string, rows: readonly ItemRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.unsafe(updateText, [company_id, JSON.stringify(rows)], { prepare: true }).execute();
}

export function removeItem(tx: Tx, company_id: string, id: string): Promise<boolean> {
  return removeRow(tx, company_id, 'price_list_items', id);
}
