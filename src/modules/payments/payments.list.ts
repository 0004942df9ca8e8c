/** SQL of the list of payments. Each filter has an index in id order (migration 0020). */
import type { Fragment } from 'postgres';
import type { Tx } from '../../kernel/operation.ts';
import { valuesOf } from '../../kernel/list-filters.ts';
import type { PageRequest } from '../../kernel/page.ts';
import type { Finders } from '../../platform/bounded-page.ts';
import { idRange, readCreatedIds } from '../../platform/created-ids.ts';
import { dayBounds } from '../../platform/day-bounds.ts';
import { hasRange, readPageRows, rangeCondition } from '../../platform/page-rows.ts';
import type { PaymentMethod } from './paid.ts';
import type { PaymentRow } from './payments.schema.ts';
import { paymentColumns } from './payments.store.ts';

export type PaymentFilter = {
  invoice_id?: string;
  client_id?: string;
  payment_method?: PaymentMethod;
  external_id?: string;
  is_reversed?: boolean;
} & Record<string, unknown>;

/** SQL of invoices: whether the payment t is of an invoice of one of these clients. */
export type OfClients = (client_ids: readonly string[]) => Fragment;

/** `has_order`: an index gives its rows in id order. `is_counted`: it may match few rows. */
type Condition = { sql: Fragment; has_order: boolean; is_counted: boolean; day_column?: string };

export const paymentSorts = { payment_date: 't.payment_date' } as const;

/** The cost depends on the filters, not on the number of payments. */
export async function listPaymentRows(
  tx: Tx,
  company_id: string,
  page: PageRequest,
  filter: PaymentFilter,
  ofClients: OfClients,
): Promise<PaymentRow[]> {
  const conditions = await conditionsOf(tx, company_id, filter, ofClients);
  const where = conditions.reduce((all, { sql }) => tx`${all} ${sql}`, tx``);
  const of = (condition: Fragment) => tx`from payments t where t.company_id = ${company_id} ${condition}`;
  const is_by_id = page.order.field === 'created';
  const leading = is_by_id
    ? conditions.find(({ has_order }) => has_order)
    : conditions.find(({ day_column }) => day_column);
  const rest = conditions.filter((one) => one !== leading);
  const finders: Finders = {
    walk: () => of(leading?.sql ?? tx``),
    is_whole: rest.length === 0,
    matches: conditions.flatMap(({ sql, is_counted }) => (is_counted ? [of(sql)] : [])),
    text: null,
    bounds: conditions.flatMap(({ day_column, sql }) =>
      day_column
        ? [dayBounds(tx, { table: 'payments', company_id, column: day_column, condition: sql })]
        : [],
    ),
  };
  return readPageRows<PaymentRow>(tx, company_id, page, {
    table: 'payments',
    columns: tx.unsafe(paymentColumns),
    sorts: paymentSorts,
    where,
    finders,
  });
}

async function conditionsOf(
  tx: Tx,
  company_id: string,
  filter: PaymentFilter,
  ofClients: OfClients,
): Promise<Condition[]> {
  const { client_id, is_reversed } = filter;
  const found: Condition[] = [];
  const add = (sql: Fragment, has_order: boolean, is_counted = true) =>
    found.push({ sql, has_order, is_counted });
  for (const field of ['external_id', 'invoice_id', 'payment_method'] as const) {
    const values = valuesOf(filter, field);
    if (filter[field] !== undefined) add(tx`and t.${tx(field)} = ${filter[field]}`, field !== 'external_id');
    if (values) add(tx`and t.${tx(field)} = any(${values})`, false);
  }
  const clients = [client_id === undefined ? undefined : [client_id], valuesOf(filter, 'client_id')];
  const asked = clients.filter((ids) => ids !== undefined);
  const is_named = asked.length > 0 && !(await hasUnnamed(tx, company_id));
  for (const ids of asked) {
    const named = tx`t.client_id = any(${ids}::uuid[])`;
    if (is_named)
      add(ids.length === 1 ? tx`and t.client_id = ${ids[0]!}` : tx`and ${named}`, ids.length === 1);
    else add(tx`and (${named} or (not t.names_client and ${ofClients(ids)}))`, false, false);
  }
  if (is_reversed === true) add(tx`and t.is_reversed`, true);
  if (is_reversed === false) add(tx`and not t.is_reversed`, false, false);
  if (hasRange(filter, 'payment_date')) {
    const sql = rangeCondition(tx, 't.payment_date', filter, 'payment_date');
    found.push({ sql, has_order: false, is_counted: true, day_column: 'payment_date' });
  }
  if (hasRange(filter, 'updated')) add(rangeCondition(tx, 't.updated_at', filter, 'updated'), false);
  const ids = await readCreatedIds(tx, company_id, 'payments', filter);
  if (ids) {
    const sql = tx`${rangeCondition(tx, 't.created_at', filter, 'created')} ${idRange(tx, ids)}`;
    // What only follows from `updated` matches more than that.
    add(sql, (ids.from ?? ids.to) !== null, hasRange(filter, 'created'));
  }
  return found;
}

/** Processes that do not know the column yet write payments without their client. */
async function hasUnnamed(tx: Tx, company_id: string): Promise<boolean> {
  const rows = await tx`
    select 1 from payments t where t.company_id = ${company_id} and not t.names_client limit 1`;
  return rows.length > 0;
}
