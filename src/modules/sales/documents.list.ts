/**
 * SQL of a family's list: its filters, and the index that serves each (ADR 16). Every family has the columns and indexes of
 * invoices (migrations 0004 and 0005).
 */
import type { Fragment } from 'postgres';
import type { Tx } from '../../kernel/operation.ts';
import { valuesOf } from '../../kernel/list-filters.ts';
import { type PageRequest, rangeBounds } from '../../kernel/page.ts';
import type { Finders } from '../../platform/bounded-page.ts';
import { type CreatedIds, idRange, readCreatedIds } from '../../platform/created-ids.ts';
import { dayBounds } from '../../platform/day-bounds.ts';
import { hasRange, readPageRows, rangeCondition } from '../../platform/page-rows.ts';
import { likePattern, textCondition, textFinder } from '../../platform/text-search.ts';
import { amountLimits, parseAmount } from '../../domain/money/amount.ts';
import type { DocumentRow } from '../../domain/sales/rows.ts';
import { orOfNumber } from '../contacts/index.ts';
import { documentFields } from './documents.store.ts';
import type { Family, ListCondition } from './family.ts';

export type DocumentFilter = {
  q?: string;
  status?: string;
  client_id?: string;
  series_id?: string;
  number?: string;
  external_id?: string;
  tag?: string;
  currency?: string;
  product_id?: string;
} & Record<string, unknown>;

/** Each has an index (company_id, field, id). */
export const sharedSorts = { total: 't.total_cents', number: 't.number_key' } as const;

function sharedOf({ list: { shared_sorts = ['total', 'number'] } }: Family): Record<string, string> {
  return Object.fromEntries(shared_sorts.map((name) => [name, sharedSorts[name]]));
}

function sortsOf(family: Family, descending: boolean): Record<string, string> {
  const own = Object.entries(family.list.sorts).map(
    ([name, sql]) =>
      [name, typeof sql === 'string' ? sql : descending ? sql.descending : sql.ascending] as const,
  );
  return { ...sharedOf(family), ...Object.fromEntries(own) };
}

export function sortFields(family: Family): readonly string[] {
  return ['created', ...Object.keys(sharedOf(family)), ...Object.keys(family.list.sorts)];
}

const uniques = ['number', 'external_id'] as const;

/** The cost depends on the filters, not on the number of documents. */
export async function listDocumentRows<R extends DocumentRow, E extends object>(
  tx: Tx,
  family: Family<R, E>,
  company_id: string,
  page: PageRequest,
  given: DocumentFilter,
): Promise<R[]> {
  const filter = withCents(given, ['total', ...Object.keys(family.list.cents ?? {})]);
  const created = await readCreatedIds(tx, company_id, family.tables.documents, filter);
  const or = (await orOfNumber(tx, company_id, filter.q, 't.client_id'))?.sql;
  const conditions = conditionsOf(tx, family, filter, created, or);
  const where = conditions.reduce((all, { sql }) => tx`${all} ${sql}`, tx``);
  // The unique keys allow at most one row.
  const is_unique = uniques.some((name) => filter[name] !== undefined);
  return readPageRows(tx, company_id, page, {
    table: family.tables.documents,
    columns: documentFields(tx, family, company_id),
    sorts: sortsOf(family, page.order.descending),
    where,
    ...(is_unique
      ? {}
      : { finders: findersOf(tx, family, company_id, page, filter, conditions, created, or) }),
  });
}

/** `field` is one of the family's `streams`, `tag`, one of them with `[in]`, the sort field if it has a range, or its own. */
type Condition = ListCondition & {
  /** Of a column, any of which will do. */
  several?: { column: string; values: readonly string[] };
};

function conditionsOf(
  tx: Tx,
  family: Family,
  filter: DocumentFilter,
  created: CreatedIds | null,
  or: Fragment | undefined,
): Condition[] {
  const conditions: Condition[] = [];
  for (const field of [...uniques, ...family.list.streams]) {
    if (filter[field] !== undefined)
      conditions.push({ field, sql: tx`and t.${tx(field)} = ${String(filter[field])}` });
  }
  for (const column of [...uniques, ...family.list.streams]) {
    const values = valuesOf(filter, column);
    if (values)
      conditions.push({
        field: `${column}[in]`,
        sql: tx`and t.${tx(column)} = any(${values})`,
        several: { column, values },
      });
  }
  const tags = valuesOf(filter, 'tag');
  if (tags) conditions.push({ field: 'tag[in]', sql: tx`and t.tags && ${tags}` });
  if (filter.tag !== undefined) conditions.push({ field: 'tag', sql: tx`and ${filter.tag} = any(t.tags)` });
  if (filter.q !== undefined) conditions.push({ field: 'q', sql: textCondition(tx, filter.q, or) });
  for (const field of family.list.days) {
    if (hasRange(filter, field))
      conditions.push({ field, day_column: field, sql: rangeCondition(tx, `t.${field}`, filter, field) });
  }
  conditions.push(...(family.list.conditions?.(tx, filter) ?? []), ...rareConditions(tx, family, filter));
  if (hasRange(filter, 'total'))
    conditions.push({ field: 'total', sql: rangeCondition(tx, 't.total_cents', filter, 'total') });
  if (hasRange(filter, 'updated'))
    conditions.push({ field: 'updated', sql: rangeCondition(tx, 't.updated_at', filter, 'updated') });
  if (created) {
    conditions.push({
      field: 'created',
      sql: tx`${rangeCondition(tx, 't.created_at', filter, 'created')} ${idRange(tx, created)}`,
    });
  }
  return conditions;
}

/** Filters whose index leaves out what most documents have. */
function rareConditions(tx: Tx, family: Family, filter: DocumentFilter): Condition[] {
  const conditions: Condition[] = [];
  const { lines, document_id } = family.tables;
  for (const [field, values] of askedOf(filter, 'currency'))
    conditions.push({ field, sql: either(tx, currenciesOf(tx, values)) });
  for (const [field, values] of askedOf(filter, 'product_id'))
    conditions.push({
      field,
      sql: tx`and exists (select from ${tx(lines)} l where l.company_id = t.company_id
                             and l.${tx(document_id)} = t.id and l.product_id = any(${values}::uuid[]))`,
    });
  for (const [field, column] of Object.entries(family.list.cents ?? {})) {
    if (!hasRange(filter, field)) continue;
    const is_rare = holdsZero(filter, field) ? tx`` : tx`and ${tx.unsafe(column)} <> 0`;
    conditions.push({ field, sql: tx`${rangeCondition(tx, column, filter, field)} ${is_rare}` });
  }
  const pairs = pairsOf(filter, 'metadata');
  // The trigrams find candidates; the second comparison is exact.
  const holds = pairs.map(
    ([
      key,
      value,
    ]) => tx`and t.metadata_text like ${likePattern(`${JSON.stringify(key)}: ${JSON.stringify(value)}`)}
      and t.metadata ->> ${key} = ${value}`,
  );
  if (holds.length > 0)
    conditions.push({
      field: 'metadata',
      sql: holds.reduce((all, one) => tx`${all} ${one}`, tx`and t.metadata_text <> '{}'`),
    });
  return conditions;
}

/** Each begins with `and`. Written out, so that a partial index serves each: euros have one, the others share one. */
function currenciesOf(tx: Tx, values: readonly string[]): Fragment[] {
  const others = values.filter((value) => value !== 'EUR');
  return [
    ...(values.includes('EUR') ? [tx`and t.currency = 'EUR'`] : []),
    ...(others.length > 0 ? [tx`and t.currency = any(${others}) and t.currency <> 'EUR'`] : []),
  ];
}

function either(tx: Tx, parts: readonly Fragment[]): Fragment {
  const [only] = parts;
  if (only && parts.length === 1) return only;
  return tx`and (${parts.reduce((all, one) => tx`${all} or (true ${one})`, tx`false`)})`;
}

/** `field` and `field[in]`, as far as they are asked, with their values. */
function askedOf(filter: DocumentFilter, field: string): [string, string[]][] {
  const one = filter[field];
  const several = valuesOf(filter, field);
  return [
    ...(typeof one === 'string' ? [[field, [one]] as [string, string[]]] : []),
    ...(several ? [[`${field}[in]`, several] as [string, string[]]] : []),
  ];
}

/** `metadata[pedido]=7` is `['pedido', '7']`. */
function pairsOf(filter: DocumentFilter, name: string): [string, string][] {
  return Object.entries(filter).flatMap(([key, value]) =>
    key.startsWith(`${name}[`) ? [[key.slice(name.length + 1, -1), String(value)] as [string, string]] : [],
  );
}

/** @param filter with its amounts in cents */
function holdsZero(filter: DocumentFilter, field: string): boolean {
  const fits = {
    gte: (cents: bigint) => cents <= 0n,
    lte: (cents: bigint) => cents >= 0n,
    gt: (cents: bigint) => cents < 0n,
    lt: (cents: bigint) => cents > 0n,
  };
  return rangeBounds.every((bound) => {
    const value = filter[`${field}[${bound}]`];
    return value === undefined || fits[bound](BigInt(value as string));
  });
}

/** In cents, because comparing bigints is leakproof and comparing numerics is not. */
function withCents(filter: DocumentFilter, fields: readonly string[]): DocumentFilter {
  const names = fields.flatMap((field) => rangeBounds.map((bound) => `${field}[${bound}]`));
  const cents = names.flatMap((name) => {
    const value = filter[name];
    return typeof value === 'string' ? [[name, centsOf(value)] as const] : [];
  });
  return { ...filter, ...Object.fromEntries(cents) };
}

/** @param amount as `AmountText` takes it */
function centsOf(amount: string): string {
  return String(parseAmount(amount, { ...amountLimits.money, leading_zeros: true })!.units);
}

/** Its rows are in another table, with nothing but the id. */
const isOfProducts = (field: string) => field === 'product_id' || field === 'product_id[in]';
const isOfAnother = (field: string | undefined) =>
  field !== undefined && (field === 'tag' || isOfProducts(field));

/**
 * A range of days, written as in the index that sorts by them: the walk starts and stops at the range. Rows without a day are at the
 * end of that index.
 */
function keyRange(
  tx: Tx,
  { list: { sorts }, columns }: Family,
  { descending }: PageRequest['order'],
  filter: DocumentFilter,
  field: string,
): Fragment {
  const sort = sorts[field];
  if (sort === undefined || typeof sort === 'string' || columns[field] !== 'date') return tx``;
  const key = descending ? sort.descending : sort.ascending;
  const has_day = descending
    ? tx`and ${tx.unsafe(key)} > '0001-01-01'`
    : tx`and ${tx.unsafe(key)} < '9999-12-31'`;
  return tx`${rangeCondition(tx, key, filter, field)} ${has_day}`;
}

function findersOf(
  tx: Tx,
  family: Family,
  company_id: string,
  page: PageRequest,
  filter: DocumentFilter,
  conditions: readonly Condition[],
  created: CreatedIds | null,
  or: Fragment | undefined,
): Finders {
  const { field: sort } = page.order;
  const ids = created ? idRange(tx, created) : tx``;
  const { documents, lines, tags, document_id } = family.tables;
  const { streams } = family.list;
  const of = (condition: Fragment) =>
    tx`from ${tx(documents)} t where t.company_id = ${company_id} ${condition}`;
  const tagged = tx`from (select g.${tx(document_id)} as id from ${tx(tags)} g
     where g.company_id = ${company_id} and g.tag = ${filter.tag ?? ''}) t where true`;
  const tagged_any = tx`from (select g.${tx(document_id)} as id from ${tx(tags)} g
     where g.company_id = ${company_id} and g.tag = any(${valuesOf(filter, 'tag') ?? []})) t where true`;
  const product_ids =
    filter.product_id === undefined ? (valuesOf(filter, 'product_id') ?? []) : [filter.product_id];
  const sold = tx`from (select distinct l.${tx(document_id)} as id from ${tx(lines)} l
     where l.company_id = ${company_id} and l.product_id = any(${product_ids}::uuid[])) t where true`;
  const statuses = valuesOf(filter, 'status') ?? [];
  const find = (field: string) => conditions.find((condition) => condition.field === field);
  // Filters whose index keeps the order, most selective first.
  const leaders: Record<string, string[]> = {
    created: [
      ...streams.slice(0, 1),
      'tag',
      'product_id',
      'product_id[in]',
      ...streams.slice(1),
      ...streams.map((column) => `${column}[in]`),
      ...(filter.currency === 'EUR' ? ['currency'] : []),
    ],
    number: ['series_id'],
  };
  const leading = (leaders[sort] ?? [sort]).map(find).find(Boolean);
  // The order by id serves a creation range that ids bound.
  const from_key =
    leading?.day_column === undefined ? tx`` : keyRange(tx, family, page.order, filter, leading.day_column);
  const by_id = sort === 'created' && created !== null && (created.from ?? created.to) !== null;
  const base = by_id ? find('created')!.sql : tx``;
  const rest = conditions.filter((c) => c !== leading && !(by_id && c.field === 'created'));
  // Only drafts lack a number, so they stand at one end of the order by number.
  const asked = filter.status === undefined ? statuses : [filter.status];
  const all = (is_right: (status: string) => boolean) => asked.length > 0 && asked.every(is_right);
  const numbered = all((status) => status === 'draft')
    ? tx`and t.number_key = ''`
    : all((status) => status !== 'draft')
      ? tx`and t.number_key > ''`
      : tx``;
  // Many documents lie at or near zero: a range that holds it is not counted.
  const zeros = Object.keys(family.list.cents ?? {}).filter((field) => holdsZero(filter, field));
  // What only follows from `updated` matches more than that.
  const implied = hasRange(filter, 'created') ? [] : ['created'];
  const isUncounted = (field: string) => ['q', 'metadata', ...zeros, ...implied].includes(field);
  const inCurrencies = (values: readonly string[]) => {
    const found = currenciesOf(tx, values).map((one) => tx`(select t.id ${of(one)})`);
    return tx`from (${found.reduce((all, one) => tx`${all} union all ${one}`)}) t where true`;
  };
  const of_text = filter.q === undefined ? find('metadata')?.sql : textFinder(tx, filter.q, or);
  const others: Record<string, Fragment> = {
    tag: tagged,
    'tag[in]': tagged_any,
    product_id: sold,
    'product_id[in]': sold,
    ...Object.fromEntries(
      askedOf(filter, 'currency').map(([field, values]) => [field, inCurrencies(values)]),
    ),
  };
  return {
    walk: ({ after, order, limit }) => {
      if (leading?.field === 'tag') return tx`${tagged} ${ids}`;
      if (leading && isOfProducts(leading.field)) return tx`${sold} ${ids}`;
      // One walk per value, because an index gives no order over several values.
      if (leading?.several) {
        const { column, values } = leading.several;
        const walks = values.map(
          (value) => tx`(select t.company_id, t.id, t.created_at from ${tx(documents)} t
           where t.company_id = ${company_id} and t.${tx(column)} = ${value} ${base} ${after}
           order by ${order} ${limit})`,
        );
        return tx`from (${walks.reduce((all, one) => tx`${all} union all ${one}`)}) t where true`;
      }
      return of(tx`${leading?.sql ?? tx``} ${from_key} ${sort === 'number' ? numbered : base}`);
    },
    walks_ids: isOfAnother(leading?.field) || leading?.several !== undefined,
    is_whole: rest.length === 0 && (!isOfAnother(leading?.field) || !by_id),
    matches: conditions.flatMap(({ field, sql }) => (isUncounted(field) ? [] : [others[field] ?? of(sql)])),
    text: of_text === undefined ? null : of(of_text),
    bounds: conditions.flatMap(({ day_column, sql }) =>
      day_column === undefined
        ? []
        : [dayBounds(tx, { table: documents, company_id, column: day_column, condition: sql })],
    ),
  };
}
