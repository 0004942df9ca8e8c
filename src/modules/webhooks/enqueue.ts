/**
 * Deliveries that no event of the outbox causes: pings, test events, replays. Each is queued in the transaction of the
 * operation and goes out once that has committed, by whichever process sends for the endpoint.
 */
import type { Ctx } from '../../kernel/operation.ts';
import { newId } from '../../kernel/uuid7.ts';
import { noteCommit, outboxNote } from '../../platform/commit-notes.ts';
import { addDue, dropDue } from '../../platform/leases.ts';
import type { EventRow } from '../events/index.ts';
import { type DeliveryContent, insertDeliveries, requeueDelivery } from './deliveries.store.ts';
import { eventBody, pingBody, pingType } from './delivery-body.ts';
import { endpointKind } from './outbox.store.ts';
import type { DeliveryRow } from './webhooks.rows.ts';

/** What is needed of a call. */
export type DeliveryCtx = Pick<Ctx, 'tx' | 'company' | 'version' | 'now' | 'realNow'>;

/** Queues a `webhook.ping`, which is no event: its event id is the delivery's. Goes out in test mode too. */
export function enqueuePing(ctx: DeliveryCtx, endpoint_id: string): Promise<DeliveryRow> {
  const { company, version, now } = ctx;
  const id = newId();
  const request_body = pingBody({ id, version, livemode: company.environment === 'live', endpoint_id, now });
  const content = { event_id: null, event_type: pingType, aggregate_id: null, is_test: false, request_body };
  return enqueue(ctx, id, endpoint_id, content);
}

/** Queues an event as a test delivery, to this endpoint alone. Its row is written by the caller, without outbox. */
export function enqueueTestEvent(
  ctx: DeliveryCtx,
  endpoint_id: string,
  event: EventRow,
): Promise<DeliveryRow> {
  return enqueue(ctx, newId(), endpoint_id, {
    event_id: event.id,
    event_type: event.type,
    aggregate_id: event.aggregate_id,
    is_test: true,
    request_body: eventBody(event, true),
  });
}

async function enqueue(
  ctx: DeliveryCtx,
  id: string,
  endpoint_id: string,
  content: DeliveryContent,
): Promise<DeliveryRow> {
  const { company_id } = ctx.company;
  const created_at = ctx.realNow();
  await insertDeliveries(ctx.tx, company_id, [content], [{ id, endpoint_id, content: 0 }], created_at);
  await tellDue(ctx, endpoint_id);
  return {
    ...content,
    id,
    endpoint_id,
    status: 'queued',
    attempt: 0,
    next_attempt_at: created_at,
    last_attempt_at: null,
    response_status: null,
    duration_ms: null,
    request_headers: null,
    response_body: null,
    error: null,
    created_at,
  };
}

/** Queues a locked delivery anew, whatever it came to: the same event id, attempts counted from nothing. */
export async function replayDelivery(ctx: DeliveryCtx, row: DeliveryRow): Promise<DeliveryRow> {
  const next_attempt_at = ctx.realNow();
  await requeueDelivery(ctx.tx, ctx.company.company_id, row.id, next_attempt_at);
  await tellDue(ctx, row.endpoint_id);
  return { ...row, status: 'queued', attempt: 0, next_attempt_at };
}

/** Says that something may be due for the endpoint: what it held while it was disabled, or what was queued. */
export async function tellDue(ctx: DeliveryCtx, endpoint_id: string): Promise<void> {
  const now = ctx.realNow();
  await addDue(ctx.tx, ctx.company.company_id, endpointKind, [endpoint_id], { now, added_at: now });
  noteCommit(ctx.tx, outboxNote);
}

/** Takes what is due of an endpoint away, with the endpoint. */
export async function endDeliveries(ctx: DeliveryCtx, endpoint_id: string): Promise<void> {
  await dropDue(ctx.tx, ctx.company.company_id, endpointKind, endpoint_id);
}
