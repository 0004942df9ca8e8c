import type { Tx } from '../../kernel/operation.ts';
import { companyItself } from '../../platform/company-row.ts';
import { readRevisions } from '../../platform/due-work.ts';
import { endpointColumns, isThere, watchEndpoints } from './endpoints.store.ts';
import { skewMs } from './outbox.store.ts';
import type { AttemptEnd, HealthChange } from './rules/health.ts';
import type { DeliveryRow, DeliveryStatus, EndpointRow } from './webhooks.rows.ts';

export type Sendable = {
  id: string;
  endpoint_id: string;
  event_id: string | null;
  event_type: string;
  aggregate_id: string | null;
  attempt: number;
  next_attempt_at: Date;
  request_body: string;
  /** Of the call or job that caused it. */
  traceparent: string | null;
};

export type DeliveryContent = {
  event_id: string | null;
  event_type: string;
  aggregate_id: string | null;
  is_test: boolean;
  request_body: string;
  traceparent: string | null;
};

/**
 * Queues deliveries to go out now. An existing delivery of the event to the endpoint stays.
 * @returns the ids of the new ones
 */
export async function insertDeliveries(
  tx: Tx,
  company_id: string,
  contents: readonly DeliveryContent[],
  deliveries: readonly { id: string; endpoint_id: string; content: number }[],
  now: Date,
): Promise<Set<string>> {
  if (deliveries.length === 0) return new Set();
  const numbered = contents.map((content, n) => ({ ...content, n }));
  const made = await tx<{ id: string }[]>`
    insert into webhook_deliveries as t (company_id, id, endpoint_id, event_id, event_type, aggregate_id, is_test, status,
                                         next_attempt_at, request_body, created_at, traceparent)
    select h.company_id, x.id, x.endpoint_id, b.event_id, b.event_type, b.aggregate_id, b.is_test, 'queued', ${now}::timestamptz,
           b.request_body, ${now}::timestamptz, b.traceparent
      from ${companyItself(tx, company_id)} h,
           json_to_recordset(${JSON.stringify(numbered)}::text::json)
             as b(n integer, event_id uuid, event_type text, aggregate_id uuid, is_test boolean, request_body text,
                  traceparent text),
           json_to_recordset(${JSON.stringify(deliveries)}::text::json) as x(id uuid, endpoint_id uuid, content integer)
     where b.n = x.content
    on conflict (company_id, event_id, endpoint_id) where event_id is not null do nothing
    returning t.id`.execute();
  return new Set(made.map((row) => row.id));
}

export type EndpointWork = {
  /** Undefined when it was deleted. */
  endpoint: EndpointRow | undefined;
  /** Read before the deliveries, so that a later addition changes it. */
  revision: number;
  /** In due order. */
  deliveries: Sendable[];
  /** More may be due than these. */
  is_full: boolean;
  /** Of the first delivery not yet due. */
  next_due_at: Date | null;
};

/** Asks for all deliveries but those at hand, or only for those after a place. Of their bodies only the last one goes beyond `bytes`. */
export type EndpointAsk = {
  id: string;
  /** Each `<id> <due time, in Unix milliseconds>`. Another due time means a replay, which is read again. */
  at_hand: readonly string[];
  after: { at: Date; id: string } | null;
  limit: number;
  bytes: number;
};

export async function readEndpointWork(
  tx: Tx,
  company_id: string,
  asks: readonly EndpointAsk[],
  now: Date,
): Promise<Map<string, EndpointWork>> {
  const ids = asks.map((ask) => ask.id);
  // A first attempt is due at once, even when a clock ahead of ours stamped it.
  const latest = new Date(now.getTime() + skewMs);
  const asked = JSON.stringify(
    asks.map(({ after, ...ask }) => ({
      ...ask,
      after_at: after?.at ?? '-infinity',
      after_id: after?.id ?? '00000000-0000-0000-0000-000000000000',
    })),
  );
  const [dues, endpoints, deliveries, later] = await Promise.all([
    readRevisions(tx, company_id, ids),
    tx<EndpointRow[]>`
      select ${endpointColumns(tx)} from webhook_endpoints t
       where t.company_id = ${company_id} and t.id = any(${ids}::uuid[]) and ${isThere(tx)}`.execute(),
    // The length of a body that is stored apart is known without reading it.
    tx<ReadDelivery[]>`
      select w.id, w.endpoint_id, w.event_id, w.event_type, w.aggregate_id, w.attempt, w.next_attempt_at, w.request_body,
             w.traceparent, w.is_before_more
        from json_to_recordset(${asked}::text::json) 
               as a(id uuid, at_hand text[], after_at timestamptz, after_id uuid, "limit" integer, bytes integer)
       cross join lateral (
         select n.*, lead(true) over o is not null as is_before_more,
                sum(octet_length(n.request_body)) over (o rows unbounded preceding) - octet_length(n.request_body) as bytes_before
           from (select v.id, v.endpoint_id, v.event_id, v.event_type, v.aggregate_id, v.attempt, v.next_attempt_at,
                        v.request_body, v.traceparent
                   from webhook_deliveries v
                  where v.company_id = ${company_id} and v.endpoint_id = a.id and v.next_attempt_at <= ${latest}
                    and (v.attempt = 0 or v.next_attempt_at <= ${now})
                    and (v.next_attempt_at, v.id) > (a.after_at, a.after_id)
                    and v.id || ' ' || (extract(epoch from v.next_attempt_at) * 1000)::bigint <> all(a.at_hand)
                  order by v.next_attempt_at, v.id limit a."limit") n
         window o as (order by n.next_attempt_at, n.id)) w
       where w.bytes_before < a.bytes`.execute(),
    tx<{ id: string; next_due_at: Date | null }[]>`
      select a.id, (select min(v.next_attempt_at) from webhook_deliveries v
                     where v.company_id = ${company_id} and v.endpoint_id = a.id and v.next_attempt_at > ${now} and v.attempt > 0) as next_due_at
        from json_to_recordset(${asked}::text::json) as a(id uuid)`.execute(),
  ]);
  const by_endpoint = Map.groupBy(deliveries, (delivery) => delivery.endpoint_id);
  const revisions = new Map(dues.map((due) => [due.id, due.revision]));
  const rows = new Map(endpoints.map((row) => [row.id, row]));
  const next = new Map(later.map((row) => [row.id, row.next_due_at]));
  return new Map(
    asks.map(({ id, limit }) => [
      id,
      {
        endpoint: rows.get(id),
        revision: revisions.get(id) ?? 0,
        ...whatWasRead(by_endpoint.get(id) ?? [], limit),
        next_due_at: next.get(id) ?? null,
      },
    ]),
  );
}

/** Its endpoint has another one that is due behind it. */
type ReadDelivery = Sendable & { is_before_more: boolean };

function whatWasRead(rows: readonly ReadDelivery[], limit: number) {
  return {
    deliveries: rows.map(({ is_before_more: _, ...delivery }): Sendable => delivery),
    is_full: rows.length >= limit || rows.at(-1)?.is_before_more === true,
  };
}

export type AttemptResult = AttemptEnd & {
  delivery: Sendable;
  status: DeliveryStatus;
  attempt: number;
  next_attempt_at: Date | null;
  response_status: number | null;
  duration_ms: number;
  request_headers: Record<string, string>;
  response_body: string | null;
  error: string | null;
};

/**
 * A delivery keeps its row when its attempt is not the latest: it was replayed, or attempted twice at once.
 * Locks endpoints first, as their deletion does.
 */
export async function storeResults(
  tx: Tx,
  company_id: string,
  results: readonly AttemptResult[],
  health: readonly (HealthChange & { id: string })[],
): Promise<void> {
  const attempts = results.map(({ delivery, ended_at, is_success: _, ...result }) => ({
    ...result,
    id: delivery.id,
    was_due_at: delivery.next_attempt_at,
    last_attempt_at: ended_at,
  }));
  const [turned] = await Promise.all([
    tx`
      update webhook_endpoints as e
         set last_success_at = greatest(e.last_success_at, x.last_success_at),
             failing_since = case when x.last_success_at is null then coalesce(e.failing_since, x.first_failure_at)
                                  else x.first_failure_at end,
             consecutive_failures = case when x.last_success_at is null then e.consecutive_failures else 0 end + x.failures
        from json_to_recordset(${JSON.stringify(health)}::text::json)
               as x(id uuid, last_success_at timestamptz, failures integer, first_failure_at timestamptz)
          join webhook_endpoints o on o.company_id = ${company_id} and o.id = x.id
       where e.company_id = ${company_id} and e.id = x.id
      returning e.failing_since is distinct from o.failing_since as has_turned`.execute(),
    tx`
      update webhook_deliveries as w
         set status = x.status, attempt = x.attempt, next_attempt_at = x.next_attempt_at, last_attempt_at = x.last_attempt_at,
             response_status = x.response_status, duration_ms = x.duration_ms, request_headers = x.request_headers,
             response_body = x.response_body, error = x.error
        from json_to_recordset(${JSON.stringify(attempts)}::text::json)
               as x(id uuid, was_due_at timestamptz, status text, attempt integer, next_attempt_at timestamptz,
                    last_attempt_at timestamptz, response_status integer, duration_ms integer, request_headers jsonb,
                    response_body text, error text)
       where w.company_id = ${company_id} and w.id = x.id and w.next_attempt_at = x.was_due_at
         and w.attempt = x.attempt - 1`.execute(),
  ]);
  if (turned.some(({ has_turned }) => has_turned)) await watchEndpoints(tx, company_id);
}

export async function lockDelivery(
  tx: Tx,
  company_id: string,
  endpoint_id: string,
  id: string,
): Promise<DeliveryRow | undefined> {
  const [row] = await tx<DeliveryRow[]>`
    select id, endpoint_id, event_id, event_type, aggregate_id, is_test, status, attempt, next_attempt_at, last_attempt_at,
           response_status, duration_ms, request_headers, request_body, response_body, error, created_at
      from webhook_deliveries
     where company_id = ${company_id} and endpoint_id = ${endpoint_id} and id = ${id} for update`;
  return row;
}

/** The last attempt's result stays until the next one. */
export async function requeueDelivery(tx: Tx, company_id: string, id: string, now: Date): Promise<void> {
  await tx`
    update webhook_deliveries set status = 'queued', attempt = 0, next_attempt_at = ${now}
     where company_id = ${company_id} and id = ${id}`;
}

export async function deleteEndedDeliveries(
  tx: Tx,
  company_id: string,
  before: Date,
  max: number,
): Promise<number> {
  const deleted = await tx`
    delete from webhook_deliveries
     where company_id = ${company_id} and id in (
       select w.id from webhook_deliveries w
        where w.company_id = ${company_id} and w.next_attempt_at is null and w.last_attempt_at < ${before}
        order by w.last_attempt_at limit ${max})`;
  return deleted.count;
}
