/**
 * Deliveries that skip the outbox: pings, test events, replays. The process that serves the endpoint sends
 * them after the commit.
 */
import type { Ctx } from '../../kernel/operation.ts';
import { currentTraceparent } from '../../kernel/tracing.ts';
import { newId } from '../../kernel/uuid7.ts';
import { noteCommit, outboxNote } from '../../platform/commit-notes.ts';
import { addDue, dropDue } from '../../platform/leases.ts';
import type { EventRow } from '../events/index.ts';
import { type DeliveryContent, insertDeliveries, requeueDelivery } from './deliveries.store.ts';
import { eventBody, pingBody, pingType } from './delivery-body.ts';
import { endpointKind } from './outbox.store.ts';
import type { DeliveryRow } from './webhooks.rows.ts';

export type DeliveryCtx = Pick<Ctx, 'tx' | 'company' | 'version' | 'now' | 'realNow'>;

/** A ping has no event, so the delivery's id is its event id. Pings go out in test mode too. */
export function enqueuePing(ctx: DeliveryCtx, endpoint_id: string): Promise<DeliveryRow> {
  const { company, version, now } = ctx;
  const id = newId();
  const request_body = pingBody({ id, version, livemode: company.environment === 'live', endpoint_id, now });
  const content = {
    event_id: null,
    event_type: pingType,
    aggregate_id: null,
    is_test: false,
    request_body,
    traceparent: currentTraceparent(),
  };
  return enqueue(ctx, id, endpoint_id, content);
}

/** For this endpoint alone. The caller writes the event, without outbox. */
export function enqueueTestEvent(
  ctx: DeliveryCtx,
  endpoint_id: string,
  event: EventRow,
): Promise<DeliveryRow> {
  return enqueue(ctx, newId(), endpoint_id, {
    event_id: event.id,
    event_type: event.type,
    aggregate_id: event.aggregate_id,
    is_test: event.is_test,
    request_body: eventBody(event),
    traceparent: currentTraceparent(),
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
  await markEndpointDue(ctx, endpoint_id);
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

/** Repeats a locked delivery: same event id, attempts counted anew. */
export async function replayDelivery(ctx: DeliveryCtx, row: DeliveryRow): Promise<DeliveryRow> {
  const next_attempt_at = ctx.realNow();
  await requeueDelivery(ctx.tx, ctx.company.company_id, row.id, next_attempt_at);
  await markEndpointDue(ctx, row.endpoint_id);
  return { ...row, status: 'queued', attempt: 0, next_attempt_at };
}

/** Something may be due: just queued, or held back while disabled. */
export async function markEndpointDue(ctx: DeliveryCtx, endpoint_id: string): Promise<void> {
  const now = ctx.realNow();
  await addDue(ctx.tx, ctx.company.company_id, endpointKind, [endpoint_id], { now, added_at: now });
  noteCommit(ctx.tx, outboxNote);
}

export async function endDeliveries(ctx: DeliveryCtx, endpoint_id: string): Promise<void> {
  await dropDue(ctx.tx, ctx.company.company_id, endpointKind, endpoint_id);
}
