/** Pages of one table in any order. A store names the index of each order. */
import type { Fragment } from 'postgres';
import { commonErrors as c } from '../kernel/common.errors.ts';
import type { Tx } from '../kernel/operation.ts';
import { type PageRequest, rangeBounds } from '../kernel/page.ts';
import { valuesOf } from '../kernel/list-filters.ts';
import { fail } from '../kernel/problem.ts';
import { Text, Type } from '../kernel/schema.ts';
import { textForms } from '../kernel/text-forms.ts';
import { type Finders, readBounded } from './bounded-page.ts';

export const textParameter = {
  q: Type.Optional(
    Text(100, { minLength: 1, description: 'Texto libre, sin distinguir mayúsculas ni acentos' }),
  ),
};

export function hasRange(query: Readonly<Record<string, unknown>>, field: string): boolean {
  return rangeBounds.some((bound) => query[`${field}[${bound}]`] !== undefined);
}

/**
 * `field[gte|lte|gt|lt]`; empty without one.
 * @param column a constant of the calling store
 */
export function rangeCondition(
  tx: Tx,
  column: string,
  query: Readonly<Record<string, unknown>>,
  field: string,
): Fragment {
  const name = tx.unsafe(column);
  const bound = (suffix: string) => query[`${field}[${suffix}]`] as string | undefined;
  const [gte, lte, gt, lt] = [bound('gte'), bound('lte'), bound('gt'), bound('lt')];
  return tx`
    ${gte === undefined ? tx`` : tx`and ${name} >= ${gte}`} ${lte === undefined ? tx`` : tx`and ${name} <= ${lte}`}
    ${gt === undefined ? tx`` : tx`and ${name} > ${gt}`} ${lt === undefined ? tx`` : tx`and ${name} < ${lt}`}`;
}

/** By `field` or `field[in]`. */
export function isAsked(query: Readonly<Record<string, unknown>>, field: string): boolean {
  return query[field] !== undefined || query[`${field}[in]`] !== undefined;
}

/**
 * For a text that is kept in a plain form now, and was kept as it was sent before: all its forms are looked for. They go into
 * `field[in]`, whose values are parted by commas. So a text with a comma is looked for in its plain form alone.
 */
export function inBothForms<Q extends Readonly<Record<string, unknown>>>(
  query: Q,
  field: string,
  plainOf: (text: string) => string,
): Q {
  const asked: Record<string, unknown> = { ...query };
  const several_of = `${field}[in]`;
  const [one, several] = [query[field], query[several_of]] as (string | undefined)[];
  const formsOf = (text: string) => new Set([plainOf(text), text, ...textForms(plainOf(text))]);
  if (several !== undefined)
    asked[several_of] = [...new Set(several.split(',').flatMap((text) => [...formsOf(text)]))].join();
  if (one === undefined) return asked as Q;
  asked[field] = plainOf(one);
  const forms = formsOf(one);
  if (forms.size === 1 || several !== undefined || one.includes(',')) return asked as Q;
  asked[several_of] = [...forms].join();
  delete asked[field];
  return asked as Q;
}

/**
 * `field` and `field[in]`; empty without either.
 * @param column a constant of the calling store
 */
export function valueCondition(
  tx: Tx,
  column: string,
  query: Readonly<Record<string, unknown>>,
  field: string,
): Fragment {
  const name = tx.unsafe(column);
  const value = query[field] as string | undefined;
  const values = valuesOf(query, field);
  return tx`${value === undefined ? tx`` : tx`and ${name} = ${value}`} ${values ? tx`and ${name} = any(${values})` : tx``}`;
}

/**
 * Names stand as in a Spanish dictionary, whatever the collation of the database (ADR 99).
 * @param text SQL of small letters; for a long list its index says the same
 */
export const inSpanishOrder = (text: string) => `${text} collate spanish_names`;

export type PageSource = {
  /** Its alias in every fragment is `t`. */
  table: string;
  /** Each condition begins with `and`. */
  where: Fragment;
  /**
   * SQL of each sort field but `created`. Constants, never null, of a leakproof type: text, integers, days or
   * instants; no numeric, no lower() or coalesce(). Otherwise row-level security keeps the index from finding the
   * cursor, and later pages read all earlier ones.
   */
  sorts?: Readonly<Record<string, string>>;
  columns?: Fragment;
  /** Each join names the company. */
  joins?: Fragment;
  /** What makes it this list among others of the table; `where` holds it too. Begins with `and`. */
  of?: Fragment;
  /** For lists of a million rows. Cannot be used with joins. */
  finders?: Finders;
};

/**
 * Up to `limit + 1` rows, nearest to the cursor first.
 * @throws 422 parameter_invalid_cursor when the list has no such item
 */
export async function readPageRows<R extends object>(
  tx: Tx,
  company_id: string,
  page: PageRequest,
  { table, where, sorts = {}, columns = tx`t.*`, joins = tx``, of = tx``, finders }: PageSource,
): Promise<R[]> {
  const { cursor, limit, order } = page;
  const descending = order.descending === (cursor?.direction !== 'before');
  const way = descending ? tx`desc` : tx`asc`;
  const beyond = descending ? tx`<` : tx`>`;
  const sort_text = order.field === 'created' ? undefined : sorts[order.field];
  const sort = sort_text === undefined ? undefined : tx.unsafe(sort_text);
  let after = tx``;
  if (cursor) {
    const [at] = await tx<{ value: string }[]>`
      select ${sort ?? tx`t.id`} as value from ${tx(table)} t
       where t.company_id = ${company_id} and t.id = ${cursor.id} ${of}`;
    const param = cursor.direction === 'after' ? 'starting_after' : 'ending_before';
    if (!at) throw fail(c.parameter_invalid_cursor, { param });
    after = sort
      ? tx`and (${sort}, t.id) ${beyond} (${at.value}, ${cursor.id})`
      : tx`and t.id ${beyond} ${cursor.id}`;
  }
  if (finders) {
    const send = <Row extends object>(statement: Promise<Row[]>, once = false) =>
      boundPrepared(table, statement, once);
    const wanted = limit + 1;
    const sort_sql = sort ? tx`${sort}` : null;
    const asked = {
      tx,
      company_id,
      table,
      columns,
      where,
      after,
      sort: sort_sql,
      way,
      is_descending: descending,
      wanted,
      finders,
      send,
    };
    return [...(await readBounded<R>(asked))];
  }
  const rows = await boundPrepared(
    table,
    tx<R[]>`
    select ${columns} from ${tx(table)} t ${joins}
     where t.company_id = ${company_id} ${where} ${after}
     order by ${sort ? tx`${sort} ${way},` : tx``} t.id ${way}
     limit ${limit + 1}`,
  );
  return [...rows];
}

/** The driver keeps each prepared text on every connection for good. */
const preparedMax = 250;
const prepared = new Set<string>();

/** As the driver keeps it until it is sent. */
type Statement = { strings: readonly string[]; args: readonly unknown[]; options: { prepare?: boolean } };

const isStatement = (value: unknown): value is Statement =>
  value instanceof Promise && Array.isArray((value as unknown as Partial<Statement>).strings);

/** With its fragments, without values. */
function textOf({ strings, args }: Statement): string {
  return strings.map((text, at) => text + (isStatement(args[at]) ? textOf(args[at]) : '?')).join('');
}

/**
 * A list has more texts than a connection can keep, one for each combination of filters. The first ones are prepared:
 * they are asked for most.
 */
function boundPrepared<Q>(table: string, query: Q, once = false): Q {
  if (!isStatement(query)) return query;
  if (once) {
    query.options.prepare = false;
    return query;
  }
  const text = `${table} ${textOf(query)}`;
  if (prepared.size < preparedMax) prepared.add(text);
  else if (!prepared.has(text)) query.options.prepare = false;
  return query;
}
