/**
 * Cursor pages in SQL: the comparison and the order that a list needs, for any of its sort fields, with id as
 * the secondary sort (specification, section 8). Rows come nearest to the cursor first; `pageAnswer` puts a
 * backward page into the order of all others. Each sort field needs an index (company_id, field, id).
 */
import type { PendingQuery, Row } from 'postgres';
import type { Tx } from '../kernel/operation.ts';
import type { PageRequest } from '../kernel/page.ts';

type Fragment = PendingQuery<Row[]>;

/**
 * @param table where the cursor's row is looked up for sorts other than `created`; an unknown or another
 *   company's cursor then gives an empty page, whichever it is
 * @param columns sort field to column or expression, constants of the calling store; `created` needs none
 */
export function pageSql(
  tx: Tx, table: string, company_id: string, page: PageRequest, columns: Readonly<Record<string, string>> = {},
): { after: Fragment; order: Fragment } {
  const { cursor, order, limit } = page;
  const descending = order.descending === ((cursor?.direction ?? 'after') === 'after');
  const way = tx.unsafe(descending ? 'desc' : 'asc');
  const compare = tx.unsafe(descending ? '<' : '>');
  const column = order.field === 'created' ? undefined : columns[order.field];
  if (column === undefined) {
    return {
      after: cursor ? tx`and t.id ${compare} ${cursor.id}` : tx``,
      order: tx`order by t.id ${way} limit ${limit + 1}`,
    };
  }
  const expression = tx.unsafe(column);
  return {
    after: cursor
      ? tx`and (${expression}, t.id) ${compare} (
             select ${expression}, t.id from ${tx(table)} t where t.company_id = ${company_id} and t.id = ${cursor.id})`
      : tx``,
    order: tx`order by ${expression} ${way}, t.id ${way} limit ${limit + 1}`,
  };
}

/** The four comparisons of a range filter: `field[gte|lte|gt|lt]`. Columns are constants of the calling store. */
export function rangeSql(tx: Tx, column: string, query: Readonly<Record<string, unknown>>, field: string): Fragment {
  const name = tx.unsafe(column);
  const bound = (suffix: string) => query[`${field}[${suffix}]`] as string | undefined;
  const [gte, lte, gt, lt] = [bound('gte'), bound('lte'), bound('gt'), bound('lt')];
  return tx`${gte === undefined ? tx`` : tx`and ${name} >= ${gte}`} ${lte === undefined ? tx`` : tx`and ${name} <= ${lte}`}
            ${gt === undefined ? tx`` : tx`and ${name} > ${gt}`} ${lt === undefined ? tx`` : tx`and ${name} < ${lt}`}`;
}
