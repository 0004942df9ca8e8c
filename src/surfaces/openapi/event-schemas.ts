/** The events that receivers get: as one JSON Schema, and as `webhooks` of the OpenAPI document. */
import type { TSchema } from '../../kernel/schema.ts';
import { catalogItems, Event, type EventName, eventData, Ping } from '../../modules/event-list.ts';
import type { Root } from './components.ts';
import { type JsonSchema, type Placer, toWireSchema } from '../shared/wire-schema.ts';

const wire = (schema: TSchema, place?: Placer) => toWireSchema(schema as JsonSchema, place);

function eventSchema(name: EventName, envelope: string, place?: Placer): JsonSchema {
  return {
    type: 'object',
    allOf: [{ $ref: envelope }],
    properties: { type: { const: name }, data: wire(eventData(name), place) },
  };
}

/** `#/$defs/{name}` is the schema of one event. */
export function makeEventSchemas(): JsonSchema {
  const named = catalogItems.map(({ name, description, status }): [string, JsonSchema] => [
    name,
    { description: description.es, 'x-status': status, ...eventSchema(name, '#/$defs/event') },
  ]);
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Eventos de Folio',
    description:
      'El cuerpo de cada entrega. Pueden añadirse claves: un receptor pasa por alto las que no conoce.',
    oneOf: [...named.map(([name]) => name), 'webhook.ping'].map((name) => ({ $ref: `#/$defs/${name}` })),
    $defs: {
      event: wire(Event),
      ...Object.fromEntries(named),
      'webhook.ping': { description: pingText, ...wire(Ping) },
    },
  };
}

const pingText =
  'Una entrega de prueba, pedida con ping. No es un evento: no queda en el registro de eventos.';

const header = (description: string, schema: JsonSchema = { type: 'string' }) => ({ description, schema });

const deliveryHeaders = {
  'Service-Signature': header(
    '`t=<segundos>,v1=<hex>`: HMAC-SHA-256 de `<t>.<cuerpo>` con el secreto entero; dos `v1` mientras se rota.',
  ),
  'Service-Event-Id': header('Id del evento, el mismo en todos los intentos.', {
    type: 'string',
    format: 'uuid',
  }),
  'Service-Event-Type': header('Tipo del evento.'),
  'Service-Delivery-Id': header('Id de la entrega.', { type: 'string', format: 'uuid' }),
  'Idempotency-Key': header('El id del evento.', { type: 'string', format: 'uuid' }),
  'webhook-id': header('El id del evento (Standard Webhooks).'),
  'webhook-timestamp': header('Segundos del envío (Standard Webhooks).'),
  'webhook-signature': header(
    '`v1,<base64>`, uno por secreto: HMAC-SHA-256 de `<id>.<segundos>.<cuerpo>` con la parte base64 del secreto (Standard Webhooks).',
  ),
};

const key = (name: string) => `Delivery-${name}`;

export const webhookParameters = Object.fromEntries(
  Object.entries(deliveryHeaders).map(([name, rest]) => [
    key(name),
    { name, in: 'header', required: true, ...rest },
  ]),
);

/** Every webhook's schema extends it. */
export const webhookSchemas: Record<string, JsonSchema> = {
  DeliveredEvent: wire(Event),
};

/** Most events hold only a reference to their resource. */
export const eventRoots: readonly Root[] = catalogItems.map(({ name }) => {
  const schema = eventData(name) as unknown as JsonSchema;
  const resource = name.slice(0, name.indexOf('.'));
  const is_reference = Object.keys(schema.properties as JsonSchema).join() === resource;
  return { schema, owner: name, hint: is_reference ? `${resource}_event_data` : `${name}_data` };
});

const parameters = Object.keys(deliveryHeaders).map((name) => ({
  $ref: `#/components/parameters/${key(name)}`,
}));

export const webhookResponses: Record<string, JsonSchema> = {
  Delivered: { description: 'Entregado.' },
  NotDelivered: { description: 'Cualquier otra respuesta, o ninguna: se vuelve a intentar.' },
};

const responses = {
  ...Object.fromEntries(
    ['200', '201', '202', '204'].map((status) => [status, { $ref: '#/components/responses/Delivered' }]),
  ),
  default: { $ref: '#/components/responses/NotDelivered' },
};

const notYet = 'Próximamente: el servicio todavía no emite este evento.';

export function describeWebhooks(place: Placer): Record<string, JsonSchema> {
  const describe = (name: string, said: JsonSchema, schema: JsonSchema): [string, JsonSchema] => [
    name,
    {
      post: {
        operationId: `on_${name.replace('.', '_')}`,
        tags: ['webhooks'],
        ...said,
        security: [],
        parameters,
        requestBody: { required: true, content: { 'application/json': { schema } } },
        responses,
      },
    },
  ];
  const events = catalogItems.map(({ name, description, status }) => {
    const said = {
      summary: description.es,
      ...(status === 'coming_soon' ? { description: notYet } : {}),
      'x-status': status,
    };
    return describe(name, said, eventSchema(name, '#/components/schemas/DeliveredEvent', place));
  });
  const ping = describe('webhook.ping', { summary: pingText }, wire(Ping));
  return Object.fromEntries([...events, ping]);
}
