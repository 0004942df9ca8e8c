import type { ListedEvent } from './make-event-list.ts';
import { Described, Enum, Nullable, Timestamp, Type, Uuid } from '../../kernel/schema.ts';

export const Event = Type.Object({
  id: Described(Uuid, 'Id del evento, el mismo en todas sus entregas'),
  object: Type.Literal('event'),
  type: Type.String({ description: 'Qué ha ocurrido, por ejemplo invoice.paid' }),
  aggregate_id: Described(Nullable(Uuid), 'Id del recurso al que le ha ocurrido'),
  sequence: Type.Integer({ description: '1, 2, 3 … por recurso, sin huecos' }),
  api_version: Nullable(Type.String({ description: 'Versión de la API en la que está escrito data' })),
  livemode: Type.Boolean({ description: 'true: empresa real; false: entorno de pruebas' }),
  test: Type.Boolean({
    description:
      'true: un ejemplo pedido con send_webhook_test_event, que nada ha causado; no depende de livemode',
  }),
  data: Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    description: 'Qué recursos toca, por su id, y en algunos tipos algo más',
  }),
  created: Described(Timestamp, 'Cuándo ocurrió (ISO 8601 UTC)'),
  correlation_id: Nullable(Type.String({ description: 'El mismo en todos los eventos de una llamada' })),
});

/** In neither catalogue nor log. */
export const Ping = Type.Object({
  ...Event.properties,
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
  is_test: boolean;
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
    test: row.is_test,
    data: row.data,
    created: row.created_at.toISOString(),
    correlation_id: row.correlation_id,
  };
}

export const CatalogItem = Type.Object({
  id: Type.String({ description: 'El mismo nombre; sirve de cursor' }),
  object: Type.Literal('event_type'),
  name: Type.String({ description: 'Nombre del evento' }),
  category: Type.String({ description: 'Familia, por ejemplo invoice' }),
  description: Type.String({ description: 'Qué ha ocurrido' }),
  status: Enum(['available', 'coming_soon'], { description: 'available: ya se emite; coming_soon: aún no' }),
});

export function presentCatalogItem({ name, category, description, status }: ListedEvent) {
  return { id: name, object: 'event_type' as const, name, category, description: description.es, status };
}
