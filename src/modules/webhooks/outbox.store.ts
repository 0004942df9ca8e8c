/** SQL of the outbox: the events of a company that are still to be turned into deliveries. */
import type { Tx } from '../../kernel/operation.ts';
import type { EventRow } from '../events/index.ts';
import { endpointColumns } from './endpoints.store.ts';
import type { EndpointRow } from './webhooks.rows.ts';

/**
 * The oldest events of the outbox, by id. They are due as soon as they are there. As an array of ids, since a join
 * might walk through all events that the company ever had.
 */
export function readOutbox(tx: Tx, company_id: string, limit: number): Promise<EventRow[]> {
  return tx<EventRow[]>`
    select e.id, e.type, e.aggregate_id, e.sequence, e.api_version, e.livemode, e.data, e.correlation_id, e.created_at
      from events e
     where e.company_id = ${company_id} and e.id = any(array(
       select d.id from due_work d where d.company_id = ${company_id} and d.kind = 'event' order by d.id limit ${limit}))
     order by e.id`.execute();
}

export async function removeFromOutbox(
  tx: Tx,
  company_id: string,
  event_ids: readonly string[],
): Promise<void> {
  await tx`
    delete from due_work as d
     where d.company_id = ${company_id} and d.kind = 'event' and d.id = any(${event_ids as string[]}::uuid[])`.execute();
}

export type ListeningEndpoint = EndpointRow & { disabled_at: Date | null };

/** The company's endpoints, kept from being deleted until the transaction ends. */
export function holdEndpoints(tx: Tx, company_id: string): Promise<ListeningEndpoint[]> {
  return tx<ListeningEndpoint[]>`
    select ${endpointColumns(tx)}, t.disabled_at from webhook_endpoints t
     where t.company_id = ${company_id} order by t.id for key share`.execute();
}
