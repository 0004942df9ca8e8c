/** Of all deliveries only a ping goes out in test mode. No event log contains it. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { lockEndpoint } from '../endpoints.store.ts';
import { enqueuePing } from '../enqueue.ts';
import { presentDelivery, WebhookDelivery } from '../webhooks.schema.ts';

export const pingWebhookEndpoint = defineOperation({
  name: 'ping_webhook_endpoint',
  method: 'POST',
  path: '/v1/webhook_endpoints/:webhook_endpoint/ping',
  scope: 'webhooks:write',
  tag: 'webhooks',
  summary: 'Envía un webhook.ping al punto de recepción.',
  description:
    'Pone en cola una entrega webhook.ping, que no es un evento, para comprobar que la dirección responde. Funciona también en el entorno de pruebas. Un punto desactivado la recibe al activarse de nuevo. El resultado lo da get_webhook_delivery.',
  transaction: 'own',
  mcp: true,
  reaches_outside: true,
  status: 202,
  params: Shape({ webhook_endpoint: Described(Uuid, 'Id del punto de recepción') }),
  output: One(WebhookDelivery),
  errors: [c.resource_not_found],

  async handle(ctx, { params }) {
    const endpoint = await lockEndpoint(ctx.tx, ctx.caller.company_id, params.webhook_endpoint);
    if (!endpoint) throw fail(c.resource_not_found, { param: 'webhook_endpoint' });
    return { data: presentDelivery(await enqueuePing(ctx, endpoint.id)) };
  },
});
