import type { Tx } from '../../kernel/operation.ts';
import type { PageRequest } from '../../kernel/page.ts';
import { rangeCondition, readPageRows, valueCondition } from '../../platform/page-rows.ts';
import type { DeliveryRow } from './webhooks.rows.ts';

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
  'request_headers',
  'request_body',
  'response_body',
  'error',
  'created_at',
]
  .map((name) => `t.${name}`)
  .join(', ');

export type DeliveryFilter = {
  status?: string | undefined;
  event_type?: string | undefined;
  event_id?: string | undefined;
} & Record<string, unknown>;

/** When it was made, queued again, or tried last. Without an attempt it is due since it was queued. */
const changedAt =
  'greatest(t.created_at, t.last_attempt_at, case when t.attempt = 0 then t.next_attempt_at end)';

export function listDeliveries(
  tx: Tx,
  company_id: string,
  endpoint_id: string,
  page: PageRequest,
  filter: DeliveryFilter,
) {
  const of = tx`and t.endpoint_id = ${endpoint_id}`;
  return readPageRows<DeliveryRow>(tx, company_id, page, {
    table: 'webhook_deliveries',
    columns: tx.unsafe(columns),
    sorts: {},
    of,
    where: tx`${of}
      ${valueCondition(tx, 't.status', filter, 'status')}
      ${valueCondition(tx, 't.event_type', filter, 'event_type')}
      ${valueCondition(tx, 't.event_id', filter, 'event_id')}
      ${rangeCondition(tx, 't.created_at', filter, 'created')}
      ${rangeCondition(tx, changedAt, filter, 'updated')}`,
  });
}

export async function findDelivery(tx: Tx, company_id: string, endpoint_id: string, id: string) {
  const [row] = await tx<DeliveryRow[]>`
    select ${tx.unsafe(columns)} from webhook_deliveries t
     where t.company_id = ${company_id} and t.endpoint_id = ${endpoint_id} and t.id = ${id}`;
  return row;
}
