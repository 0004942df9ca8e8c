/**
 * Pages of lists that may hold a million rows of one company, with any filters in any order: what a page costs
 * depends on its filters, not on the length of the list. No single plan does that. To take what matches and sort it
 * is right when few rows match, to walk along the order when many do, and which holds is known of a company only by
 * looking: the planner's estimates are those of all companies. So the matches of each filter are counted up to a
 * bound, the walk is tried for some rows, and when it finds too few it is tried among the ids that the days asked
 * for have, and then the matches are counted up to a higher bound.
 *
 * What stays without a bound: several filters (or one, in an order it has no index with) that match many rows each,
 * none of them near the place where the page begins; and text. They are read as the planner thinks best.
 */
import type { Fragment } from 'postgres';
import type { Tx } from '../kernel/operation.ts';

/** The rows a page is looked for among, as its order asks: what a source puts into SQL of its own. */
export type Walk = {
  /** Rows beyond the cursor; begins with `and`, of the alias t. */
  after: Fragment;
  /** The list of `order by`, of the alias t. */
  order: Fragment;
  limit: Fragment;
};

export type Finders = {
  /**
   * The `from` and `where` of rows in the order of the page that an index gives in that order, with alias t and at
   * least the columns of the order; holds one of the conditions, or none.
   */
  walk(at: Walk): Fragment;
  /** The walk holds all the conditions: nothing else has to be looked at. */
  is_whole: boolean;
  /** For each condition whose matches can be counted one by one: `from` and `where` of its rows, with t.id. */
  matches: readonly Fragment[];
  /** One whose index gives all matches at once, whatever the limit (trigrams): taken when no other helps. */
  text: Fragment | null;
  /** Selects of the first and last id (lo, hi) that rows of a condition have; for the order by id only. */
  bounds: readonly Fragment[];
};

/** So few matches are sorted without trying the walk. */
const fewMatches = 2000;
/** Rows that a walk looks at, and matches that are sorted: their product is twice the page times a million. */
const walkMost = 3000;
const matchesMost = 20_000;

export type BoundedPage = {
  tx: Tx;
  company_id: string;
  table: string;
  columns: Fragment;
  where: Fragment;
  after: Fragment;
  /** SQL of the sort field of alias t, or null for the id. */
  sort: Fragment | null;
  way: Fragment;
  /** Rows wanted, one more than the page holds. */
  wanted: number;
  finders: Finders;
  /** @param once planned for its values: for a text, whose right plan depends on the size of the company */
  send<R extends object>(statement: Promise<R[]>, once?: boolean): Promise<R[]>;
};

/** The rows of the page, nearest to the cursor first. */
export async function readBounded<R extends object>(page: BoundedPage): Promise<R[]> {
  const { tx, company_id, table, columns, where, after, sort, way, wanted, finders, send } = page;
  const order = sort ? tx`${sort} ${way}, t.id ${way}` : tx`t.id ${way}`;
  const place = sort ? tx`${sort} as place, t.id` : tx`t.id as place, t.id`;

  /** The rows behind ids, as many as asked for; `offset 0` keeps the planner from taking the two apart. */
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

  /** The page out of all that one condition matches. */
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
  const few = await fewest(page, fewMatches);
  if (few >= 0) return sorted(finders.matches[few]!);
  const near = await rowsOf(walk(tx``, walkMost), where);
  if (near.length >= wanted) return near;
  const bounds = sort ? null : await readBounds(page);
  const within = bounds ? tx`and t.id >= ${bounds.lo} and t.id <= ${bounds.hi}` : tx``;
  if (bounds) {
    const inside = await rowsOf(walk(within, walkMost), where);
    if (inside.length >= wanted) return inside;
  }
  const more = await fewest(page, matchesMost);
  if (more >= 0) return sorted(finders.matches[more]!);
  if (finders.text) return sorted(finders.text, true);
  return send<R>(tx<R[]>`
    select ${columns} from ${tx(table)} t
     where t.company_id = ${company_id} ${where} ${after} ${within}
     order by ${order} limit ${wanted}`);
}

/** Where in `matches` the condition with the fewest stands, when they are no more than `most`; else -1. */
async function fewest({ tx, finders, send }: BoundedPage, most: number): Promise<number> {
  if (finders.matches.length === 0) return -1;
  const counts = finders.matches.map(
    (found) => tx`(select count(*)::int from (select 1 ${found} limit ${most + 1}) m)`,
  );
  const all = counts.reduce((list, one) => tx`${list}, ${one}`);
  const [row] = await send<{ counts: number[] }>(tx`select array[${all}] as counts`);
  const least = Math.min(...row!.counts);
  return least <= most ? row!.counts.indexOf(least) : -1;
}

/** The narrowest range of ids that the conditions leave, or null where none says anything. */
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
