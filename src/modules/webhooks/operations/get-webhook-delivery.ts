import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { findDelivery } from '../deliveries.list.ts';
import { findEndpoint } from '../endpoints.store.ts';
import { presentDeliveryDetail, WebhookDeliveryDetail } from '../webhooks.schema.ts';

export const getWebhookDelivery = defineOperation({
  name: 'get_webhook_delivery',
  method: 'GET',
  path: '/v1/webhook_endpoints/:webhook_endpoint/deliveries/:delivery',
  scope: 'webhooks:read',
  tag: 'webhooks',
  summary: 'Consulta una entrega, con lo enviado y lo respondido.',
  description:
    'Responde una entrega con lo que se envió en su último intento y lo que respondió el receptor, para saber por qué falló. Si no está entre las de ese punto de recepción, responde resource_not_found. Corregida la causa, se repite con replay_webhook_delivery.',
  transaction: 'read',
  row: 'webhook_deliveries',
  mcp: true,
  params: Shape({
    webhook_endpoint: Described(Uuid, 'Id del punto de recepción'),
    delivery: Described(Uuid, 'Id de la entrega'),
  }),
  output: One(WebhookDeliveryDetail),
  errors: [c.resource_not_found],

  async handle({ tx, caller }, { params }) {
    const [endpoint, row] = await Promise.all([
      findEndpoint(tx, caller.company_id, params.webhook_endpoint),
      findDelivery(tx, caller.company_id, params.webhook_endpoint, params.delivery),
    ]);
    if (!endpoint) throw fail(c.resource_not_found, { param: 'webhook_endpoint' });
    if (!row) throw fail(c.resource_not_found, { param: 'delivery' });
    return { data: presentDeliveryDetail(row) };
  },
});
