/** Endpoints and deliveries on the wire. */
import { readOnlyKeys } from '../../kernel/read-only.ts';
import { Described, Enum, Nullable, Shape, Text, Timestamp, Type, Uuid } from '../../kernel/schema.ts';
import {
  type DeliveryRow,
  deliveryStatuses,
  type EndpointRow,
  type ListedDelivery,
} from './webhooks.rows.ts';

const endpointFields = {
  id: Described(Uuid, 'Id del punto de recepción'),
  object: Type.Literal('webhook_endpoint'),
  url: Type.String({ description: 'Dirección a la que se envían los eventos' }),
  description: Nullable(Type.String({ description: 'Para qué es' })),
  enabled_events: Type.Array(Type.String(), {
    description: 'Eventos que recibe: nombres, familias (invoice.*) o * para todos',
  }),
  status: Enum(['enabled', 'disabled'], { description: 'enabled: recibe; disabled: detenido' }),
  timeout_seconds: Type.Integer({ description: 'Segundos que se espera su respuesta' }),
  ip_allowlist: Type.Array(Type.String(), {
    description: 'Direcciones desde las que admite entregas; vacía, desde cualquiera',
  }),
  previous_secret_valid_until: Described(
    Nullable(Timestamp),
    'Hasta cuándo se firma también con el secreto anterior',
  ),
  last_success_at: Described(Nullable(Timestamp), 'Cuándo llegó la última entrega'),
  failing_since: Described(Nullable(Timestamp), 'Desde cuándo fallan las entregas; null si no fallan'),
  consecutive_failures: Type.Integer({ description: 'Intentos fallidos seguidos' }),
  created_at: Described(Timestamp, 'Cuándo se creó (ISO 8601 UTC)'),
  updated_at: Described(Timestamp, 'Cuándo cambió por última vez (ISO 8601 UTC)'),
};

export const WebhookEndpoint = Type.Object(endpointFields);
/** Answered only by creation and rotation. */
export const WebhookEndpointWithSecret = Type.Object({
  ...endpointFields,
  secret: Type.String({ description: 'Secreto con el que se firman las entregas; se muestra solo esta vez' }),
});

const fixed = ['id', 'object', 'created_at', 'updated_at'] as const;
/** Deliveries and rotations change these, maybe between a GET and its PUT: whatever comes back is accepted. */
const moving = [
  'previous_secret_valid_until',
  'last_success_at',
  'failing_since',
  'consecutive_failures',
] as const;

export const endpointReadOnly: readonly string[] = fixed;

const input = {
  url: Text(2000, { minLength: 1, description: 'Dirección https del receptor, sin usuario ni contraseña' }),
  description: Type.Optional(Nullable(Text(500, { description: 'Para qué es, en sus palabras' }))),
  enabled_events: Type.Array(Text(100, { minLength: 1 }), {
    minItems: 1,
    maxItems: 200,
    uniqueItems: true,
    description:
      'Eventos que recibe: nombres del catálogo (invoice.paid), familias (invoice.*) o * para todos',
  }),
  timeout_seconds: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 30,
      description:
        'Segundos que se espera la respuesta, de la conexión a la última cabecera: 1 a 30; 10 si se omite',
    }),
  ),
  ip_allowlist: Type.Optional(
    Nullable(
      Type.Array(Text(64), {
        maxItems: 50,
        description:
          'Direcciones IP o rangos CIDR desde los que admite entregas; vacía o null, desde cualquiera. Tiene que estar alguna de las del servicio (list_webhook_source_ips)',
      }),
    ),
  ),
};

export const WebhookEndpointInput = Shape(input);
export const WebhookEndpointUpdate = Shape({
  ...input,
  url: Type.Optional(input.url),
  enabled_events: Type.Optional(input.enabled_events),
  status: Type.Optional(
    Enum(['enabled', 'disabled'], { description: 'disabled detiene las entregas; enabled las reanuda' }),
  ),
  ...readOnlyKeys(fixed),
  ...readOnlyKeys(moving, 'Solo lectura: se acepta y no tiene efecto.'),
});

/** Shows the previous secret's end only while that secret signs. */
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
  id: Described(Uuid, 'Id de la entrega'),
  object: Type.Literal('webhook_delivery'),
  webhook_endpoint_id: Described(Uuid, 'Id del punto de recepción'),
  event_id: Described(Nullable(Uuid), 'Id del evento; null en un webhook.ping'),
  event_type: Type.String({ description: 'Tipo del evento' }),
  test: Type.Boolean({ description: 'Es un evento de prueba' }),
  status: Enum(deliveryStatuses, {
    description:
      'queued: en cola; delivered: recibida; failed: ha fallado y se reintenta; failed_permanently: agotados los intentos',
  }),
  attempt: Type.Integer({ description: 'Intentos hechos desde que se puso en cola o se repitió' }),
  next_attempt_at: Described(Nullable(Timestamp), 'Cuándo es el siguiente intento; null si no hay más'),
  last_attempt_at: Described(Nullable(Timestamp), 'Cuándo fue el último intento'),
  response_status: Nullable(Type.Integer({ description: 'Código HTTP que respondió el receptor' })),
  duration_ms: Nullable(Type.Integer({ description: 'Milisegundos que tardó el último intento' })),
  error: Nullable(Type.String({ description: 'Por qué falló el último intento' })),
  created_at: Described(Timestamp, 'Cuándo se creó (ISO 8601 UTC)'),
};

export const WebhookDelivery = Type.Object(deliveryFields);
export const WebhookDeliveryDetail = Type.Object({
  ...deliveryFields,
  request_headers: Described(
    Nullable(Type.Record(Type.String(), Type.String())),
    'Cabeceras que se enviaron',
  ),
  request_body: Nullable(Type.String({ description: 'Cuerpo que se envió' })),
  response_body: Nullable(Type.String({ description: 'Lo que respondió el receptor: los primeros 4 KB' })),
});

export function presentDelivery(row: ListedDelivery) {
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
