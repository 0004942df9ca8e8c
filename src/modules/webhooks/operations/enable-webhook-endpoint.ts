/** Deliveries queued before it was disabled go out now. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { lockEndpoint } from '../endpoints.store.ts';
import { present, WebhookEndpoint } from '../webhooks.schema.ts';
import { setStatus } from './update-webhook-endpoint.ts';

export const enableWebhookEndpoint = defineOperation({
  name: 'enable_webhook_endpoint',
  method: 'POST',
  path: '/v1/webhook_endpoints/:webhook_endpoint/enable',
  scope: 'webhooks:write',
  tag: 'webhooks',
  summary: 'Reanuda las entregas de un punto de recepción.',
  description:
    'Vuelve a enviar a este punto de recepción; lo que quedó en cola al detenerlo sale ahora. Si ya estaba activo, no cambia nada. Los eventos que ocurrieron mientras estaba detenido no se envían: se leen con list_events.',
  transaction: 'own',
  mcp: true,
  status: 200,
  params: Shape({ webhook_endpoint: Described(Uuid, 'Id del punto de recepción') }),
  output: One(WebhookEndpoint),
  errors: [c.resource_not_found],

  async handle(ctx, { params }) {
    const { tx, caller, realNow, audit } = ctx;
    const stored = await lockEndpoint(tx, caller.company_id, params.webhook_endpoint);
    if (!stored) throw fail(c.resource_not_found, { param: 'webhook_endpoint' });
    if (stored.status === 'enabled') return { data: present(stored, realNow()) };
    const row = await setStatus(ctx, stored, 'enabled');
    audit({ action: 'webhook_endpoint.enabled', object: 'webhook_endpoint', object_id: stored.id });
    return { data: present(row, realNow()) };
  },
});
