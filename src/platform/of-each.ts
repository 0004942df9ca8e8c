import type { Fragment, PendingQuery } from 'postgres';
import type { Tx } from '../kernel/operation.ts';

/**
 * Rows of several documents, in the order of `ids`. A document is asked only when those before it did not fill the limit: a hundred may have
 * fifty thousand rows, which would be sorted.
 * @param rows a `select` of those of the document `d.id`, without an order
 * @param order its column that orders those of one document: a constant of the calling store
 * @param limit of all; null for none
 */
export function ofEach<R extends object>(
  tx: Tx,
  ids: readonly string[],
  { rows, order, limit }: { rows: Fragment; order: string; limit: number | null },
): PendingQuery<R[]> {
  return tx<R[]>`
    select t.* from (select id, place from unnest(${ids as string[]}::uuid[]) with ordinality as u(id, place) order by place) d
     cross join lateral (${rows} order by ${tx(order)} limit ${limit}) t
     order by d.place, t.${tx(order)} limit ${limit}`;
}
