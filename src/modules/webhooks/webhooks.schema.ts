/** Endpoints and deliveries on the wire. */
import { Enum, Nullable, Shape, Text, Timestamp, Type, Uuid } from '../../kernel/schema.ts';
import { type DeliveryRow, deliveryStatuses, type EndpointRow } from './webhooks.rows.ts';

const endpointFields = {
  id: Uuid,
  object: Type.Literal('webhook_endpoint'),
  url: Type.String(),
  description: Nullable(Type.String()),
  enabled_events: Type.Array(Type.String()),
  status: Enum(['enabled', 'disabled']),
  timeout_seconds: Type.Integer(),
  ip_allowlist: Type.Array(Type.String()),
  previous_secret_valid_until: Nullable(Timestamp),
  last_success_at: Nullable(Timestamp),
  failing_since: Nullable(Timestamp),
  consecutive_failures: Type.Integer(),
  created_at: Timestamp,
  updated_at: Timestamp,
};

export const WebhookEndpoint = Type.Object(endpointFields);
/** With its secret, which is told at creation and rotation only. */
export const WebhookEndpointWithSecret = Type.Object({ ...endpointFields, secret: Type.String() });

const input = {
  url: Text(2000, { minLength: 1, description: 'Dirección https del receptor' }),
  description: Type.Optional(Nullable(Text(500))),
  enabled_events: Type.Array(Text(100, { minLength: 1 }), {
    minItems: 1,
    maxItems: 200,
    uniqueItems: true,
    description: 'Nombres, familias (invoice.*) o * para todos',
  }),
  timeout_seconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 30,
      description: 'De la conexión a la última cabecera; 10 si se omite',
    }),
  ),
  ip_allowlist: Type.Optional(Nullable(Type.Array(Text(64), { maxItems: 50 }))),
};

export const WebhookEndpointInput = Shape(input);
export const WebhookEndpointUpdate = Shape({
  ...input,
  url: Type.Optional(input.url),
  enabled_events: Type.Optional(input.enabled_events),
  status: Type.Optional(Enum(['enabled', 'disabled'])),
});

/** The endpoint as every operation answers it; the previous secret is told of while it signs. */
export function present(row: EndpointRow, real_now: Date) {
  const { previous_secret_valid_until: until } = row;
  return {
    id: row.id,
    object: 'webhook_endpoint' as const,
    url: row.url,
    description: row.description,
    enabled_events: row.enabled_events,
    status: row.status,
    timeout_seconds: row.timeout_seconds,
    ip_allowlist: row.ip_allowlist,
    previous_secret_valid_until: until && until > real_now ? until.toISOString() : null,
    last_success_at: row.last_success_at?.toISOString() ?? null,
    failing_since: row.failing_since?.toISOString() ?? null,
    consecutive_failures: row.consecutive_failures,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

const deliveryFields = {
  id: Uuid,
  object: Type.Literal('webhook_delivery'),
  webhook_endpoint_id: Uuid,
  event_id: Nullable(Uuid),
  event_type: Type.String(),
  test: Type.Boolean(),
  status: Enum(deliveryStatuses),
  attempt: Type.Integer({ description: 'Intentos hechos desde que se puso en cola o se repitió' }),
  next_attempt_at: Nullable(Timestamp),
  last_attempt_at: Nullable(Timestamp),
  response_status: Nullable(Type.Integer()),
  duration_ms: Nullable(Type.Integer()),
  error: Nullable(Type.String()),
  created_at: Timestamp,
};

export const WebhookDelivery = Type.Object(deliveryFields);
/** With what was sent and answered at the last attempt. */
export const WebhookDeliveryDetail = Type.Object({
  ...deliveryFields,
  request_headers: Nullable(Type.Record(Type.String(), Type.String())),
  request_body: Nullable(Type.String()),
  response_body: Nullable(Type.String({ description: 'Los primeros 4 KB' })),
});

export function presentDelivery(row: DeliveryRow) {
  return {
    id: row.id,
    object: 'webhook_delivery' as const,
    webhook_endpoint_id: row.endpoint_id,
    event_id: row.event_id,
    event_type: row.event_type,
    test: row.is_test,
    status: row.status,
    attempt: row.attempt,
    next_attempt_at: row.next_attempt_at?.toISOString() ?? null,
    last_attempt_at: row.last_attempt_at?.toISOString() ?? null,
    response_status: row.response_status,
    duration_ms: row.duration_ms,
    error: row.error,
    created_at: row.created_at.toISOString(),
  };
}

export function presentDeliveryDetail(row: DeliveryRow) {
  return {
    ...presentDelivery(row),
    request_headers: row.request_headers,
    request_body: row.request_body,
    response_body: row.response_body,
  };
}
