/** Sends a delivery again, whatever its result: same event, attempts counted anew. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { lockDelivery } from '../deliveries.store.ts';
import { findEndpoint } from '../endpoints.store.ts';
import { replayDelivery } from '../enqueue.ts';
import { presentDelivery, WebhookDelivery } from '../webhooks.schema.ts';

export const replayWebhookDelivery = defineOperation({
  name: 'replay_webhook_delivery',
  method: 'POST',
  path: '/v1/webhook_endpoints/:webhook_endpoint/deliveries/:delivery/replay',
  scope: 'webhooks:write',
  tag: 'webhooks',
  summary: 'Repite una entrega, también una que llegó.',
  description:
    'Vuelve a poner en cola una entrega, aunque ya se recibiera o se agotaran sus intentos: el mismo evento, con los intentos contados desde cero. El receptor puede recibirlo dos veces y lo reconoce por su id. Queda en el registro de auditoría. El resultado lo da get_webhook_delivery.',
  transaction: 'own',
  mcp: true,
  reaches_outside: true,
  status: 202,
  params: Shape({
    webhook_endpoint: Described(Uuid, 'Id del punto de recepción'),
    delivery: Described(Uuid, 'Id de la entrega'),
  }),
  output: One(WebhookDelivery),
  errors: [c.resource_not_found],

  async handle(ctx, { params }) {
    const { tx, caller, audit } = ctx;
    const endpoint = await findEndpoint(tx, caller.company_id, params.webhook_endpoint);
    if (!endpoint) throw fail(c.resource_not_found, { param: 'webhook_endpoint' });
    const row = await lockDelivery(tx, caller.company_id, params.webhook_endpoint, params.delivery);
    if (!row) throw fail(c.resource_not_found, { param: 'delivery' });
    const replayed = await replayDelivery(ctx, row);
    audit({
      action: 'webhook_delivery.replayed',
      object: 'webhook_delivery',
      object_id: row.id,
      details: { webhook_endpoint_id: row.endpoint_id, status: row.status, attempt: row.attempt },
    });
    return { data: presentDelivery(replayed) };
  },
});
