/** Range filters of lists in SQL: `field[gte]`, `field[lte]`, `field[gt]`, `field[lt]`. Pages are read by page-rows.ts. */
import type { Fragment } from 'postgres';
import type { Tx } from '../kernel/operation.ts';

/** The four comparisons of a range filter: `field[gte|lte|gt|lt]`. Columns are constants of the calling store. */
export function rangeSql(tx: Tx, column: string, query: Readonly<Record<string, unknown>>, field: string): Fragment {
  const name = tx.unsafe(column);
  const bound = (suffix: string) => query[`${field}[${suffix}]`] as string | undefined;
  const [gte, lte, gt, lt] = [bound('gte'), bound('lte'), bound('gt'), bound('lt')];
  return tx`${gte === undefined ? tx`` : tx`and ${name} >= ${gte}`} ${lte === undefined ? tx`` : tx`and ${name} <= ${lte}`}
            ${gt === undefined ? tx`` : tx`and ${name} > ${gt}`} ${lt === undefined ? tx`` : tx`and ${name} < ${lt}`}`;
}
