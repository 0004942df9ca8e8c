/**
 * Makes a real event for this endpoint alone, marked as a test. The endpoint's id stands in
 * for a resource. A sandbox records the event and does not send it.
 */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, Nullable, One, Shape, Text, Type, Uuid } from '../../../kernel/schema.ts';
import { newId } from '../../../kernel/uuid7.ts';
import { lastSequences } from '../../../platform/events.ts';
import { Event, eventCatalog, type EventRow, insertTestEvent, presentEvent } from '../../events/index.ts';
import { lockEndpoint } from '../endpoints.store.ts';
import { enqueueTestEvent } from '../enqueue.ts';
import { isSubscribed } from '../rules/subscription.ts';
import { webhookErrors as e } from '../webhooks.errors.ts';
import { presentDelivery, WebhookDelivery } from '../webhooks.schema.ts';

export const sendWebhookTestEvent = defineOperation({
  name: 'send_webhook_test_event',
  method: 'POST',
  path: '/v1/webhook_endpoints/:webhook_endpoint/test_event',
  scope: 'webhooks:write',
  tag: 'webhooks',
  summary: 'Envía un evento de prueba a este punto de recepción.',
  description:
    'Crea un evento de ejemplo y lo envía solo a este punto de recepción, marcado como prueba. Queda en list_events, también marcado (test: true); el recurso del que habla no existe. En el entorno de pruebas se guarda y no se envía. Se rechaza un tipo al que el punto no está suscrito (event_not_subscribed). Si llegó lo dice list_webhook_deliveries.',
  transaction: 'own',
  mcp: true,
  reaches_outside: true,
  status: 202,
  params: Shape({ webhook_endpoint: Described(Uuid, 'Id del punto de recepción') }),
  body: Shape({
    type: Type.Optional(
      Text(100, {
        description: 'Tipo de evento, por ejemplo invoice.paid; si se omite, el primero al que está suscrito',
      }),
    ),
  }),
  body_optional: true,
  output: One(
    Type.Object({
      object: Type.Literal('webhook_test_event'),
      id: Described(Uuid, 'Id del evento'),
      event: Event,
      delivery: Nullable(WebhookDelivery),
    }),
  ),
  errors: [c.resource_not_found, e.event_not_subscribed],
  examples: [{ title: 'Una factura cobrada', body: { type: 'invoice.paid' } }],

  async handle(ctx, { params, body }) {
    const { tx, caller, company, now, ports, version, request_id } = ctx;
    const endpoint = await lockEndpoint(tx, caller.company_id, params.webhook_endpoint);
    if (!endpoint) throw fail(c.resource_not_found, { param: 'webhook_endpoint' });
    const asked = body?.type;
    // For a family or `*`, the first match of the catalogue.
    const first = endpoint.enabled_events.slice(0, 1);
    const item = eventCatalog.find(({ name }) =>
      asked === undefined ? isSubscribed(first, name) : name === asked,
    );
    if (!item || !isSubscribed(endpoint.enabled_events, item.name))
      throw fail(e.event_not_subscribed, { param: 'type' });
    const last = (await lastSequences(tx, company.company_id, [endpoint.id])).get(endpoint.id) ?? 0;
    const event: EventRow = {
      id: newId(),
      type: item.name,
      aggregate_id: endpoint.id,
      sequence: last + 1,
      api_version: version,
      livemode: company.environment === 'live',
      is_test: true,
      data: ports.events.sample(item.name, endpoint.id, now),
      correlation_id: request_id,
      created_at: now,
    };
    await insertTestEvent(tx, company.company_id, event);
    const delivery = event.livemode ? await enqueueTestEvent(ctx, endpoint.id, event) : null;
    return {
      data: {
        object: 'webhook_test_event',
        id: event.id,
        event: presentEvent(event),
        delivery: delivery && presentDelivery(delivery),
      },
    };
  },
});
