/** SQL of the outbox: events that are still to become deliveries. */
import type { Sql } from 'postgres';
import type { Tx } from '../../kernel/operation.ts';
import type { EventRow } from '../events/index.ts';
import { endpointColumns } from './endpoints.store.ts';
import type { EndpointRow } from './webhooks.rows.ts';

/** Kind of due work: one row per endpoint, leased by the process that sends to it. */
export const endpointKind = 'endpoint';

/** Clocks of machines differ by at most this much, so a row just written may seem to lie ahead. */
export const skewMs = 60_000;

export type Look = {
  now: Date;
  limit: number;
  company_id: string | undefined;
};

/** Companies with events in the outbox, longest waiting first. */
export async function findOutboxes(sql: Sql, { now, limit, company_id }: Look, excluded: readonly string[]) {
  const latest = new Date(now.getTime() + skewMs);
  const only = company_id === undefined ? sql`` : sql`and d.company_id = ${company_id}`;
  const others =
    excluded.length === 0
      ? sql``
      : sql`and d.company_id not in (
    select x.v::uuid from json_array_elements_text(${JSON.stringify(excluded)}::text::json) as x(v))`;
  const rows = await sql<{ company_id: string }[]>`
    select w.company_id from (
      select d.company_id, d.due_at from due_work d
       where d.kind = 'event' and d.due_at <= ${latest} ${others} ${only}
       order by d.due_at, d.id limit ${limit}) w
     group by w.company_id order by min(w.due_at)`;
  return rows.map((row) => row.company_id);
}

/**
 * By id; events are due at once. The ids are passed as an array, because a join might walk through all events
 * that the company ever had.
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

/** The company's endpoints, locked against deletion until the transaction ends. */
export function holdEndpoints(tx: Tx, company_id: string): Promise<ListeningEndpoint[]> {
  return tx<ListeningEndpoint[]>`
    select ${endpointColumns(tx)}, t.disabled_at from webhook_endpoints t
     where t.company_id = ${company_id} order by t.id for key share`.execute();
}
