/**
 * Which ids a filter by the time of creation leaves: an id is the order of creation, and so what was created at a time
 * stands together in it. For tables whose rows tell those apart whose time is of a clock of the company's own
 * (`has_own_clock`, as in migration 0005). Days of issue and of payment: day-bounds.ts.
 */
import type { Fragment } from 'postgres';
import type { Tx } from '../kernel/operation.ts';
import { idAt } from '../kernel/uuid7.ts';

/** The ids that a range of `created` leaves at least; both null where a clock of the company's own made the times. */
export type CreatedIds = { from: string | null; to: string | null };

/** The condition of the alias t that its id is one of them. */
export function idRange(tx: Tx, { from, to }: CreatedIds): Fragment {
  return tx`${from ? tx`and t.id >= ${from}` : tx``} ${to ? tx`and t.id <= ${to}` : tx``}`;
}

/** By how much the instant in an id and created_at may differ (has_own_clock), in milliseconds. */
const clockSlack = 60_000;

/**
 * The ids of a range `created[gte|lte|gt|lt]` of the filter.
 * @param table a constant of the calling store
 */
export async function readCreatedIds(
  tx: Tx,
  company_id: string,
  table: string,
  filter: Readonly<Record<string, unknown>>,
): Promise<CreatedIds> {
  const [own] = await tx`
    select 1 from ${tx(table)} t where t.company_id = ${company_id} and t.has_own_clock limit 1`;
  if (own) return { from: null, to: null };
  const at = (name: string) => {
    const value = filter[`created[${name}]`];
    return typeof value === 'string' ? [Date.parse(value)] : [];
  };
  const [from, to] = [
    [...at('gte'), ...at('gt')],
    [...at('lte'), ...at('lt')],
  ];
  return {
    from: from.length === 0 ? null : idAt(Math.max(...from) - clockSlack - 1, 'first'),
    to: to.length === 0 ? null : idAt(Math.min(...to) + clockSlack + 1, 'last'),
  };
}
