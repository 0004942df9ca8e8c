/** The event as the log shows it and as it is delivered, and the catalogue's items. */
import { Enum, Nullable, Timestamp, Type, Uuid } from '../../kernel/schema.ts';

export const Event = Type.Object({
  id: Uuid,
  object: Type.Literal('event'),
  type: Type.String(),
  aggregate_id: Nullable(Uuid),
  sequence: Type.Integer({ description: '1, 2, 3 … por recurso, sin huecos' }),
  api_version: Nullable(Type.String()),
  livemode: Type.Boolean(),
  data: Type.Unsafe<Record<string, unknown>>({ type: 'object' }),
  created: Timestamp,
  correlation_id: Nullable(Type.String()),
});

/** The event as it is delivered, and as `folio listen` forwards it. */
export const DeliveredEvent = Type.Object({
  ...Event.properties,
  test: Type.Boolean({ description: 'true solo en la entrega de test_event; no depende de livemode' }),
});

/** `webhook.ping`: in no catalogue and no log. */
export const Ping = Type.Object({
  ...DeliveredEvent.properties,
  type: Type.Literal('webhook.ping'),
  aggregate_id: Type.Null(),
  data: Type.Object({ webhook_endpoint: Type.Object({ id: Uuid }) }),
});

export type EventRow = {
  id: string;
  type: string;
  aggregate_id: string;
  sequence: number;
  api_version: string;
  livemode: boolean;
  data: Record<string, unknown>;
  correlation_id: string | null;
  created_at: Date;
};

export function present(row: EventRow) {
  return {
    id: row.id,
    object: 'event',
    type: row.type,
    aggregate_id: row.aggregate_id,
    sequence: row.sequence,
    api_version: row.api_version,
    livemode: row.livemode,
    data: row.data,
    created: row.created_at.toISOString(),
    correlation_id: row.correlation_id,
  };
}

export const CatalogItem = Type.Object({
  name: Type.String(),
  category: Type.String(),
  description: Type.String(),
  status: Enum(['available', 'coming_soon']),
});
