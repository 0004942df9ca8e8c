/** Each filter by a value has an index in id order; `updated[gte]` has two for what changed late. Ids bound the times. */
import type { Fragment } from 'postgres';
import type { Tx } from '../../kernel/operation.ts';
import type { PageRequest } from '../../kernel/page.ts';
import type { Finders } from '../../platform/bounded-page.ts';
import { idRange, readIdsByHalving } from '../../platform/created-ids.ts';
import { isAsked, rangeCondition, readPageRows, valueCondition } from '../../platform/page-rows.ts';
import { skewMs } from './outbox.store.ts';
import type { DeliveryRow, ListedDelivery } from './webhooks.rows.ts';

/** All but what was sent and answered. */
const columns = [
  'id',
  'endpoint_id',
  'event_id',
  'event_type',
  'aggregate_id',
  'is_test',
  'status',
  'attempt',
  'next_attempt_at',
  'last_attempt_at',
  'response_status',
  'duration_ms',
  'error',
  'created_at',
]
  .map((name) => `t.${name}`)
  .join(', ');
const contents = 't.request_headers, t.request_body, t.response_body';

export type DeliveryFilter = {
  status?: string | undefined;
  event_type?: string | undefined;
  event_id?: string | undefined;
} & Record<string, unknown>;

/** When it was made, queued again, or tried last. Without an attempt it is due since it was queued. */
const changedAt =
  'greatest(t.created_at, t.last_attempt_at, case when t.attempt = 0 then t.next_attempt_at end)';

/** Most selective first. */
const streams = ['event_id', 'event_type', 'status'] as const;

export async function listDeliveries(
  tx: Tx,
  company_id: string,
  endpoint_id: string,
  page: PageRequest,
  filter: DeliveryFilter,
): Promise<ListedDelivery[]> {
  const of = tx`and t.endpoint_id = ${endpoint_id}`;
  const ids = idRange(
    tx,
    await readIdsByHalving(tx, { table: 'webhook_deliveries', company_id, of }, filter),
  );
  const from = (condition: Fragment) =>
    tx`from webhook_deliveries t where t.company_id = ${company_id} ${of} ${condition} ${ids}`;
  const asked = streams.filter((column) => isAsked(filter, column));
  const conditions = asked.map((column) => valueCondition(tx, `t.${column}`, filter, column));
  const changed = changedSince(tx, company_id, endpoint_id, page, filter);
  // An index gives the order for one value alone.
  const leading = asked.findIndex((column) => filter[column] !== undefined);
  const finders: Finders = {
    walk: () => from(conditions[leading] ?? tx``),
    is_whole: false,
    matches: [...conditions.map(from), ...(changed ? [changed] : [])],
    text: null,
    bounds: [],
  };
  return readPageRows<ListedDelivery>(tx, company_id, page, {
    table: 'webhook_deliveries',
    columns: tx.unsafe(columns),
    sorts: {},
    of,
    where: tx`${of} ${conditions.reduce((all, one) => tx`${all} ${one}`, tx``)} ${ids}
      ${rangeCondition(tx, 't.created_at', filter, 'created')}
      ${rangeCondition(tx, changedAt, filter, 'updated')}`,
    ...(finders.matches.length > 0 ? { finders } : {}),
  });
}

/** One that has ended changed at its last attempt; one that waits may have changed at any time. */
function changedSince(
  tx: Tx,
  company_id: string,
  endpoint_id: string,
  { cursor }: PageRequest,
  filter: DeliveryFilter,
): Fragment | null {
  const since = [filter['updated[gte]'], filter['updated[gt]']].flatMap((text) =>
    typeof text === 'string' ? [Date.parse(text)] : [],
  );
  if (since.length === 0) return null;
  // A clock that is ahead may have stamped the creation later than another the attempt.
  const first = new Date(Math.max(...since) - skewMs);
  const until = Math.min(
    ...[filter['updated[lte]'], filter['updated[lt]']].flatMap((text) =>
      typeof text === 'string' ? [Date.parse(text)] : [],
    ),
  );
  const ended = Number.isFinite(until) ? tx`and w.last_attempt_at <= ${new Date(until)}` : tx``;
  // The last page ends before the rows that did not change: few are left of many.
  const beyond = cursor
    ? cursor.direction === 'after'
      ? tx`and w.id < ${cursor.id}`
      : tx`and w.id > ${cursor.id}`
    : tx``;
  return tx`from (
    select w.id from webhook_deliveries w
     where w.company_id = ${company_id} and w.next_attempt_at is null and w.last_attempt_at >= ${first} ${ended} ${beyond}
     union all
    select w.id from webhook_deliveries w
     where w.company_id = ${company_id} and w.endpoint_id = ${endpoint_id} and w.next_attempt_at is not null ${beyond}) t
     where true`;
}

export async function findDelivery(tx: Tx, company_id: string, endpoint_id: string, id: string) {
  const [row] = await tx<DeliveryRow[]>`
    select ${tx.unsafe(columns)}, ${tx.unsafe(contents)} from webhook_deliveries t
     where t.company_id = ${company_id} and t.endpoint_id = ${endpoint_id} and t.id = ${id}`;
  return row;
}
