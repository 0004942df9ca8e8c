/** The ids in a range of days: a page of old days need not begin at the newest row. */
import type { Fragment } from 'postgres';
import type { Tx } from '../kernel/operation.ts';

/** Each selects one id, or none where no row is in the range. */
export type IdBounds = { first: Fragment; last: Fragment };

/** An index (company_id, column, id) must exist. `condition` begins with `and`, alias t. */
export type DayRange = { table: string; company_id: string; column: string; condition: Fragment };

/** Looks once at each day that has rows. */
export function dayBounds(tx: Tx, { table, company_id, column, condition }: DayRange): IdBounds {
  const day = tx`t.${tx(column)}`;
  const from = tx`select ${day} as day, t.id from ${tx(table)} t
                   where t.company_id = ${company_id} ${condition} and ${day} is not null`;
  const bound = (way: Fragment, next: Fragment) => tx`(
    with recursive days as (
      (${from} order by ${day} ${way}, t.id ${way} limit 1)
      union all
      select n.day, n.id from days d
       cross join lateral (${from} and ${next} order by ${day} ${way}, t.id ${way} limit 1) n
    )
    select id from days order by id ${way} limit 1)`;
  return { first: bound(tx`asc`, tx`${day} > d.day`), last: bound(tx`desc`, tx`${day} < d.day`) };
}
