/**
 * Pages of lists that may hold a million rows of one company, with any filters in any order (ADR 16). A page's cost
 * must depend on its filters, not on the list. Sorting all matches is right when few rows match, walking along the
 * order when many do. The planner's estimates are of all companies, so this file looks:
 * - It counts the matches of each filter, up to a bound, and sorts the fewest.
 * - It walks some rows along the order, then among the ids of the days asked for.
 * - It counts again, up to a higher bound.
 * Unbounded remain text, and filters that each match many rows far from the page's beginning. The planner reads
 * these.
 */
import type { Fragment } from 'postgres';
import type { Tx } from '../kernel/operation.ts';

/** The place of a page in its order, as fragments for a source's own SQL. */
export type Walk = {
  /** The rows beyond the cursor: begins with `and`, alias t. */
  after: Fragment;
  /** The list of `order by`, alias t. */
  order: Fragment;
  limit: Fragment;
};

export type Finders = {
  /**
   * `from` and `where` of rows that an index gives in the page's order: alias t, at least the columns of the order,
   * one condition or none.
   */
  walk(at: Walk): Fragment;
  /** The walk holds all conditions: nothing else has to be checked. */
  is_whole: boolean;
  /** `from` and `where` for each condition whose matches can be counted one by one, with t.id. */
  matches: readonly Fragment[];
  /** The condition whose index gives all matches at once (trigrams). Taken when no other helps. */
  text: Fragment | null;
  /** Selects the first and last id (lo, hi) of a condition's rows. Only for the order by id. */
  bounds: readonly Fragment[];
};

/** At most so many matches are sorted without trying the walk. */
const fewMatches = 2000;
/** Rows that a walk reads, and matches that are sorted. Their product is twice the page times a million. */
const walkMost = 3000;
const matchesMost = 20_000;

export type BoundedPage = {
  tx: Tx;
  company_id: string;
  table: string;
  columns: Fragment;
  where: Fragment;
  after: Fragment;
  /** SQL of the sort field, alias t; null for the id. */
  sort: Fragment | null;
  way: Fragment;
  /** One row more than the page holds. */
  wanted: number;
  finders: Finders;
  /** @param once plan the statement for these values: the right plan for a text depends on the company's size */
  send<R extends object>(statement: Promise<R[]>, once?: boolean): Promise<R[]>;
};

export async function readBounded<R extends object>(page: BoundedPage): Promise<R[]> {
  const { tx, company_id, table, columns, where, after, sort, way, wanted, finders, send } = page;
  const order = sort ? tx`${sort} ${way}, t.id ${way}` : tx`t.id ${way}`;
  const place = sort ? tx`${sort} as place, t.id` : tx`t.id as place, t.id`;

  /** `offset 0` keeps the planner from joining the two selects. */
  const rowsOf = (ids: Fragment, conditions: Fragment) =>
    send<R>(tx<R[]>`
      select ${columns} from (${ids}) i
       cross join lateral (select * from ${tx(table)} t where t.company_id = ${company_id} and t.id = i.id offset 0) t
       where t.company_id = ${company_id} ${conditions}
       order by i.place ${way}, i.id ${way} limit ${wanted}`);
  const walk = (within: Fragment, most: number) => {
    const at = { after: tx`${after} ${within}`, order, limit: tx`limit ${most}` };
    return tx`select ${place} ${finders.walk(at)} ${at.after} order by ${order} ${at.limit}`;
  };

  const sorted = (matches: Fragment, once = false) =>
    send<R>(
      tx<R[]>`
      select ${columns} from (select distinct t.id ${matches} offset 0) i
       cross join lateral (select * from ${tx(table)} t where t.company_id = ${company_id} and t.id = i.id offset 0) t
       where t.company_id = ${company_id} ${where} ${after}
       order by ${order} limit ${wanted}`,
      once,
    );

  if (finders.is_whole) return rowsOf(walk(tx``, wanted), tx``);
  const few = await findFewest(page, fewMatches);
  if (few >= 0) return sorted(finders.matches[few]!);
  const near = await rowsOf(walk(tx``, walkMost), where);
  if (near.length >= wanted) return near;
  const bounds = sort ? null : await readBounds(page);
  const within = bounds ? tx`and t.id >= ${bounds.lo} and t.id <= ${bounds.hi}` : tx``;
  if (bounds) {
    const inside = await rowsOf(walk(within, walkMost), where);
    if (inside.length >= wanted) return inside;
  }
  const more = await findFewest(page, matchesMost);
  if (more >= 0) return sorted(finders.matches[more]!);
  if (finders.text) return sorted(finders.text, true);
  return send<R>(tx<R[]>`
    select ${columns} from ${tx(table)} t
     where t.company_id = ${company_id} ${where} ${after} ${within}
     order by ${order} limit ${wanted}`);
}

/** -1 when every condition has more than `most`. */
async function findFewest({ tx, finders, send }: BoundedPage, most: number): Promise<number> {
  if (finders.matches.length === 0) return -1;
  const counts = finders.matches.map(
    (found) => tx`(select count(*)::int from (select 1 ${found} limit ${most + 1}) m)`,
  );
  const all = counts.reduce((list, one) => tx`${list}, ${one}`);
  const [row] = await send<{ counts: number[] }>(tx`select array[${all}] as counts`);
  const least = Math.min(...row!.counts);
  return least <= most ? row!.counts.indexOf(least) : -1;
}

/** Null when no condition limits the ids. */
async function readBounds({ tx, finders, send }: BoundedPage): Promise<{ lo: string; hi: string } | null> {
  if (finders.bounds.length === 0) return null;
  const all = finders.bounds.reduce((list, one) => tx`${list} union all ${one}`);
  const rows = await send<{ lo: string | null; hi: string | null }>(tx`${all}`);
  const known = rows.filter((r): r is { lo: string; hi: string } => r.lo !== null && r.hi !== null);
  if (known.length === 0) return null;
  return {
    lo: known.reduce((most, { lo }) => (lo > most ? lo : most), known[0]!.lo),
    hi: known.reduce((least, { hi }) => (hi < least ? hi : least), known[0]!.hi),
  };
}
