/**
 * Turns a filter by creation time into a range of ids. `has_own_clock` marks rows whose time came from a sandbox
 * clock (migration 0005).
 */
import type { Fragment } from 'postgres';
import type { Tx } from '../kernel/operation.ts';
import { idAt, timeOfId } from '../kernel/uuid7.ts';
import { hasRange, rangeCondition } from './page-rows.ts';

/** Both null where a sandbox clock made some times. */
export type CreatedIds = { from: string | null; to: string | null };

export function idRange(tx: Tx, { from, to }: CreatedIds): Fragment {
  return tx`${from ? tx`and t.id >= ${from}` : tx``} ${to ? tx`and t.id <= ${to}` : tx``}`;
}

/** A row that last changed until an instant was made until then. */
const changedUntil = ['updated[lte]', 'updated[lt]'] as const;

/** Milliseconds by which an id and created_at may differ without `has_own_clock`. */
const clockSlack = 60_000;

/** @returns null where neither a range of `created` nor an end of `updated` is asked for, or that end tells nothing */
export async function readCreatedIds(
  tx: Tx,
  company_id: string,
  table: string,
  filter: Readonly<Record<string, unknown>>,
): Promise<CreatedIds | null> {
  const is_created = hasRange(filter, 'created');
  if (!is_created && changedUntil.every((name) => filter[name] === undefined)) return null;
  const [own] = await tx`
    select 1 from ${tx(table)} t where t.company_id = ${company_id} and t.has_own_clock limit 1`;
  if (own) return is_created ? { from: null, to: null } : null;
  const at = (name: string) => {
    const value = filter[name];
    return typeof value === 'string' ? [Date.parse(value)] : [];
  };
  // The clock of the process that changed a row may be behind that of the one which made it.
  const changed = changedUntil.flatMap(at).map((ms) => ms + clockSlack);
  const [from, to] = [
    ['created[gte]', 'created[gt]'].flatMap(at),
    [...['created[lte]', 'created[lt]'].flatMap(at), ...changed],
  ];
  return {
    from: from.length === 0 ? null : idAt(Math.max(...from) - clockSlack - 1, 'first'),
    to: to.length === 0 ? null : idAt(Math.min(...to) + clockSlack + 1, 'last'),
  };
}

/** SQL of the ranges `created` and `updated` of a log, whose rows never change. Begins with `and`, of the alias t. */
export function loggedRange(tx: Tx, filter: Readonly<Record<string, unknown>>): Fragment {
  return tx`${rangeCondition(tx, 't.created_at', filter, 'created')} ${rangeCondition(tx, 't.created_at', filter, 'updated')}`;
}

/**
 * Where the ids of these ranges are. The rows at both ends tell, by whatever clock: an index in the order of ids then begins there.
 * An index (company_id, created_at) must exist, and the times of the log must not run back.
 */
export async function readLoggedIds(
  tx: Tx,
  company_id: string,
  table: string,
  filter: Readonly<Record<string, unknown>>,
): Promise<CreatedIds> {
  if (!hasRange(filter, 'created') && !hasRange(filter, 'updated')) return { from: null, to: null };
  const end = (way: Fragment) => tx`(
    select t.id from ${tx(table)} t where t.company_id = ${company_id} ${loggedRange(tx, filter)}
     order by t.created_at ${way}, t.id ${way} limit 1)`;
  const [ends] = await tx<{ first: string | null; last: string | null }[]>`
    select ${end(tx`asc`)} as first, ${end(tx`desc`)} as last`;
  const { first = null, last = null } = ends ?? {};
  // No row is in the range, and none has the last id of all times.
  if (first === null || last === null) return { from: idAt(Number.POSITIVE_INFINITY, 'last'), to: null };
  return {
    from: idAt(timeOfId(first) - clockSlack, 'first'),
    to: idAt(timeOfId(last) + clockSlack, 'last'),
  };
}

/** A table whose ids have the order of creation. An index (company_id, the columns of `of`, id) must exist. */
export type IdOrder = {
  table: string;
  company_id: string;
  /** Begins with `and`, of the alias t. */
  of: Fragment;
  /** Its rows never change. */
  is_log?: boolean;
};

/**
 * Where the ids of rows are that were made, or last changed, within the ranges `created` and `updated`. A row that changed until an
 * instant was made until then. Halving looks at some thirty rows, by whatever clock: creation must not run back by more than the slack.
 */
export async function readIdsByHalving(
  tx: Tx,
  order: IdOrder,
  filter: Readonly<Record<string, unknown>>,
): Promise<CreatedIds> {
  const at = (name: string) => {
    const value = filter[name];
    return typeof value === 'string' ? [Date.parse(value)] : [];
  };
  const since = order.is_log ? ['updated[gte]', 'updated[gt]'] : [];
  const from = ['created[gte]', 'created[gt]', ...since].flatMap(at);
  const to = ['created[lte]', 'created[lt]', ...changedUntil].flatMap(at);
  const [first, last] = await Promise.all([
    from.length === 0 ? null : halve(tx, order, tx`t.created_at >= ${new Date(Math.max(...from))}`),
    to.length === 0 ? null : halve(tx, order, tx`t.created_at > ${new Date(Math.min(...to))}`),
  ]);
  return {
    from: first === null ? null : idAt(first - clockSlack, 'first'),
    to: last === null ? null : idAt(last + clockSlack, 'last'),
  };
}

/** The first millisecond from which on the ids are of rows beyond a place; without a row, of all times. */
async function halve(tx: Tx, { table, company_id, of }: IdOrder, is_beyond: Fragment): Promise<number> {
  const rows = tx`from ${tx(table)} t where t.company_id = ${company_id} ${of}`;
  const msOf = (id: Fragment) => tx`('x' || translate(left((${id})::text, 13), '-', ''))::bit(48)::bigint`;
  const end = (way: Fragment) => tx`select t.id ${rows} order by t.id ${way} limit 1`;
  const [row] = await tx<{ hi: string | null }[]>`
    with recursive half as (
      select ${msOf(end(tx`asc`))} as lo, ${msOf(end(tx`desc`))} + 1 as hi
      union all
      select case when r.is_beyond then h.lo else m.at + 1 end, case when r.is_beyond then m.at else h.hi end
        from half h
       cross join lateral (select (h.lo + h.hi) / 2 as at) m
       cross join lateral (
         select coalesce((select ${is_beyond} ${rows} and t.id >= (lpad(to_hex(m.at), 12, '0') || repeat('0', 20))::uuid
                           order by t.id limit 1), true) as is_beyond) r
       where h.lo < h.hi)
    select hi from half where lo >= hi limit 1`;
  return Number(row?.hi ?? 0);
}
