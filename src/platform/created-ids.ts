/**
 * Turns a filter by creation time into a range of ids. `has_own_clock` marks rows whose time came from a sandbox
 * clock (migration 0005).
 */
import type { Fragment } from 'postgres';
import type { Tx } from '../kernel/operation.ts';
import { idAt } from '../kernel/uuid7.ts';

/** Both null where a sandbox clock made some times. */
export type CreatedIds = { from: string | null; to: string | null };

export function idRange(tx: Tx, { from, to }: CreatedIds): Fragment {
  return tx`${from ? tx`and t.id >= ${from}` : tx``} ${to ? tx`and t.id <= ${to}` : tx``}`;
}

/** Milliseconds by which an id and created_at may differ without `has_own_clock`. */
const clockSlack = 60_000;

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
