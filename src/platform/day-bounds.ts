/** The ids in a range of days: a page of old days need not begin at the newest row. */
import type { Fragment } from 'postgres';
import type { Tx } from '../kernel/operation.ts';

/** An index (company_id, column, id) must exist. `condition` begins with `and`, alias t. */
export type DayRange = { table: string; company_id: string; column: string; condition: Fragment };

/** Selects lo and hi. Looks once at each day that has rows. */
export function dayBounds(tx: Tx, { table, company_id, column, condition }: DayRange): Fragment {
  const day = tx`t.${tx(column)}`;
  const from = tx`from ${tx(table)} t where t.company_id = ${company_id}`;
  return tx`(
    with recursive days as (
      (select ${day} as day ${from} ${condition} and ${day} is not null order by ${day} limit 1)
      union all
      select (select ${day} ${from} ${condition} and ${day} > d.day order by ${day} limit 1) from days d where d.day is not null
    ), ends as materialized (
      select (select t.id ${from} and ${day} = d.day order by t.id limit 1) as lo,
             (select t.id ${from} and ${day} = d.day order by t.id desc limit 1) as hi
        from days d where d.day is not null
    )
    select (select e.lo from ends e order by e.lo limit 1) as lo, (select e.hi from ends e order by e.hi desc limit 1) as hi)`;
}
