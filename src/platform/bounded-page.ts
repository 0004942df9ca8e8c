/**
 * Pages of lists of up to a million rows, with any filters in any order (ADR 16). A page's cost must depend on its
 * filters, not on the list. Few matches are best sorted; many are best found by walking along the order. The planner
 * estimates over all companies, so this file looks:
 * - It counts each filter's matches, up to a bound, and sorts the fewest.
 * - It walks some rows along the order, then among the ids of the days asked for.
 * - It counts again, up to a higher bound.
 * - It looks which rows meet all filters, by their indexes alone, and sorts them if they are not too many.
 * - It leaves the rest to the planner: filters that match many rows far from the page's beginning.
 */
import type { Fragment } from 'postgres';
import type { Tx } from '../kernel/operation.ts';
import type { IdBounds } from './day-bounds.ts';

/** Fragments for a source's own SQL, alias t. */
export type PageWalk = {
  /** Begins with `and`. */
  after: Fragment;
  /** For `order by`. */
  order: Fragment;
  limit: Fragment;
};

export type Finders = {
  /**
   * `from` and `where` of rows that an index gives in the page's order, with one condition or none. Its alias t has
   * the columns of the order, and all of the table unless `walks_ids`.
   */
  walk(at: PageWalk): Fragment;
  /** The walk knows ids and places alone: its rows are looked up. */
  walks_ids?: boolean;
  /** The walk holds all conditions. */
  is_whole: boolean;
  /** `from` and `where` of each condition whose matches can be counted, with t.id. */
  matches: readonly Fragment[];
  /** `from` and `where` of the table for a condition whose index gives all matches at once (trigrams). Taken last. */
  text: Fragment | null;
  /** The first and last ids of a condition. Only for the order by id. */
  bounds: readonly IdBounds[];
};

/** Sorted without trying the walk. */
const fewMatches = 2000;
/** Rows that a walk reads, and sorted matches. Their product is over twice a usual page times a million. */
const walkMost = 3000;
const matchesMost = 20_000;
/** Before the ids of the days asked for are known: the walk among them reads no other rows. */
const walkFirst = 300;

export type BoundedPage = {
  tx: Tx;
  company_id: string;
  table: string;
  columns: Fragment;
  where: Fragment;
  after: Fragment;
  /** Alias t; null for the id. */
  sort: Fragment | null;
  way: Fragment;
  is_descending: boolean;
  wanted: number;
  finders: Finders;
  /** @param once plans for these values: a text's right plan depends on the company's size */
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
  const walk = (wanted_columns: Fragment, within: Fragment, most: number) => {
    const at = { after: tx`${after} ${within}`, order, limit: tx`limit ${most}` };
    return tx`select ${wanted_columns} ${finders.walk(at)} ${at.after} order by ${order} ${at.limit}`;
  };

  /** Rows of a walk that meet all conditions. */
  const walked = (within: Fragment, most: number) => {
    if (finders.walks_ids) return rowsOf(walk(place, within, most), where);
    return send<R>(tx<R[]>`
      select ${columns} from (${walk(tx`t.*`, within, most)}) t
       where t.company_id = ${company_id} ${where} order by ${order} limit ${wanted}`);
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

  /** Each row that holds a text is read once: no index gives its id alone. Another condition may narrow the look-up. */
  const holding = (text: Fragment) =>
    send<R>(
      tx<R[]>`
      select ${columns} from (select t.* ${text} ${where} offset 0) t
       where t.company_id = ${company_id} ${after}
       order by ${order} limit ${wanted}`,
      true,
    );

  if (finders.is_whole) return rowsOf(walk(place, tx``, wanted), tx``);
  const few = await findFewest(page, fewMatches);
  if (few >= 0) return sorted(finders.matches[few]!);
  const is_dated = sort === null && finders.bounds.length > 0;
  const near = await walked(tx``, is_dated ? walkFirst : walkMost);
  if (near.length >= wanted) return near;
  const [start, end] = page.is_descending ? (['last', 'first'] as const) : (['first', 'last'] as const);
  const ends: { first?: string | null; last?: string | null } = {};
  if (is_dated) {
    // The other end costs as much, and few pages need it.
    ends[start] = await readEnd(page, start);
    const inside = await walked(idsWithin(tx, ends), walkMost);
    if (inside.length >= wanted) return inside;
  }
  // Trigrams give all rows of a text at once, so this costs with the text. Many sorted matches cost more.
  const looks = finders.text !== null && finders.matches.length > 0;
  if (looks && (await countUpTo(page, finders.text!, fewMatches)) <= fewMatches)
    return holding(finders.text!);
  const more = await findFewest(page, matchesMost);
  if (more >= 0) return sorted(finders.matches[more]!);
  if (finders.text) return holding(finders.text);
  if (finders.matches.length > 1) {
    const common = commonOf(page);
    const rows = await withoutLoops(tx, async () => {
      const count = await countUpTo(page, common, matchesMost);
      return count === 0 ? [] : count <= matchesMost ? sorted(common, true) : null;
    });
    if (rows) return rows;
  }
  if (is_dated) ends[end] = await readEnd(page, end);
  return send<R>(tx<R[]>`
    select ${columns} from ${tx(table)} t
     where t.company_id = ${company_id} ${where} ${after} ${idsWithin(tx, ends)}
     order by ${order} limit ${wanted}`);
}

/** -1: every condition has more than `most`. */
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

/** One more than `most` stands for any number beyond it. */
async function countUpTo({ tx, send }: BoundedPage, found: Fragment, most: number): Promise<number> {
  const [row] = await send<{ count: number }>(
    tx`select count(*)::int as count from (select 1 ${found} limit ${most + 1}) m`,
    true,
  );
  return row!.count;
}

/** What meets every condition that can be counted. Their indexes have the ids, so the rows themselves are not read. */
function commonOf({ tx, finders }: BoundedPage): Fragment {
  const [first, ...others] = finders.matches.map((found) => tx`(select t.id ${found} offset 0)`);
  const all = others.reduce((met, one) => tx`(select id from ${met} a join ${one} b using (id))`, first!);
  return tx`from ${all} t where true`;
}

/** The planner may take many matches for one, and would go through all of the others for each. */
async function withoutLoops<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
  const set = (value: string) => {
    const sent = tx.unsafe(`set local enable_nestloop = ${value}`).execute();
    sent.catch(() => undefined);
  };
  set('off');
  const result = await work();
  set('on');
  return result;
}

/**
 * Where the ids of all days asked for end, on one side; null where no row is in a range. It gives an id, because an
 * awaited fragment is run.
 */
async function readEnd({ tx, finders, send }: BoundedPage, which: keyof IdBounds): Promise<string | null> {
  const all = finders.bounds.map((one) => one[which]).reduce((list, one) => tx`${list} union all ${one}`);
  const ids = (await send<{ id: string }>(tx`${all}`)).map(({ id }) => id).sort();
  return (which === 'first' ? ids.at(-1) : ids[0]) ?? null;
}

function idsWithin(tx: Tx, { first, last }: { first?: string | null; last?: string | null }): Fragment {
  return tx`${first ? tx`and t.id >= ${first}` : tx``} ${last ? tx`and t.id <= ${last}` : tx``}`;
}
