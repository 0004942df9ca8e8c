/** Deliveries are kept for 30 days after their last attempt. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineList } from '../../../kernel/list-operation.ts';
import { pageAnswer, rangeParameters } from '../../../kernel/page.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, Enum, Shape, Text, Moment, Type, Uuid } from '../../../kernel/schema.ts';
import { listDeliveries } from '../deliveries.list.ts';
import { findEndpoint } from '../endpoints.store.ts';
import { deliveryStatuses } from '../webhooks.rows.ts';
import { presentDelivery, WebhookDelivery } from '../webhooks.schema.ts';

export const listWebhookDeliveries = defineList({
  name: 'list_webhook_deliveries',
  path: '/v1/webhook_endpoints/:webhook_endpoint/deliveries',
  scope: 'webhooks:read',
  tag: 'webhooks',
  summary: 'Lista las entregas de un punto de recepción.',
  description:
    'Responde una página de lo que se ha enviado a un punto de recepción y de lo que está en cola, lo más reciente primero, con lo que respondió el receptor. Cada entrega se guarda 30 días desde su último intento. Se repiten con replay_webhook_delivery.',
  mcp: true,
  params: Shape({ webhook_endpoint: Described(Uuid, 'Id del punto de recepción') }),
  filters: {
    ...rangeParameters('created', Moment),
    ...rangeParameters('updated', Moment),
    status: Type.Optional(
      Enum(deliveryStatuses, {
        description:
          'queued: en cola; delivered: recibidas; failed: han fallado y se reintentan; failed_permanently: agotados los intentos',
      }),
    ),
    event_type: Type.Optional(Text(100, { description: 'Tipo exacto, por ejemplo invoice.paid' })),
    event_id: Type.Optional(Described(Uuid, 'Id del evento')),
  },
  item: WebhookDelivery,
  errors: [c.resource_not_found],
  examples: [{ title: 'Las que han fallado', query: { status: 'failed' } }],

  async list({ tx, caller }, { params, query, page }) {
    const endpoint = await findEndpoint(tx, caller.company_id, params.webhook_endpoint);
    if (!endpoint) throw fail(c.resource_not_found, { param: 'webhook_endpoint' });
    const rows = await listDeliveries(tx, caller.company_id, endpoint.id, page, query);
    return pageAnswer(rows, page, presentDelivery);
  },
});
