/** Its deliveries are deleted too: thousands of them after the call. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Deleted, Described, Shape, Uuid } from '../../../kernel/schema.ts';
import { endDeliveries } from '../enqueue.ts';
import { countListening } from '../../../platform/company-row.ts';
import { lockEndpoint, removeEndpoint, watchEndpoints } from '../endpoints.store.ts';
import { forgetLater } from '../webhooks.jobs.ts';

export const deleteWebhookEndpoint = defineOperation({
  name: 'delete_webhook_endpoint',
  method: 'DELETE',
  path: '/v1/webhook_endpoints/:webhook_endpoint',
  scope: 'webhooks:delete',
  tag: 'webhooks',
  summary: 'Elimina un punto de recepción de webhooks.',
  description:
    'Borra para siempre un punto de recepción con sus entregas: lo que estaba en cola ya no sale. Para una pausa está disable_webhook_endpoint.',
  transaction: 'own',
  mcp: true,
  effects: 'withdraw',
  irreversible: true,
  params: Shape({ webhook_endpoint: Described(Uuid, 'Id del punto de recepción') }),
  output: Deleted('webhook_endpoint'),
  errors: [c.resource_not_found],

  async handle(ctx, { params }) {
    const { tx, caller, audit } = ctx;
    const stored = await lockEndpoint(tx, caller.company_id, params.webhook_endpoint);
    if (!stored) throw fail(c.resource_not_found, { param: 'webhook_endpoint' });
    await endDeliveries(ctx, stored.id);
    if (await removeEndpoint(tx, caller.company_id, stored.id)) forgetLater(ctx, stored.id);
    if (stored.status === 'enabled') await countListening(tx, caller.company_id, -1);
    await watchEndpoints(tx, caller.company_id);
    audit({ action: 'webhook_endpoint.deleted', object: 'webhook_endpoint', object_id: stored.id });
    return { data: { id: stored.id, object: 'webhook_endpoint', deleted: true } };
  },
});
