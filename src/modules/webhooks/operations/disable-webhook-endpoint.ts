/** The queue waits. Events that happen while the endpoint is disabled never reach it. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { lockEndpoint } from '../endpoints.store.ts';
import { present, WebhookEndpoint } from '../webhooks.schema.ts';
import { setStatus } from './update-webhook-endpoint.ts';

export const disableWebhookEndpoint = defineOperation({
  name: 'disable_webhook_endpoint',
  method: 'POST',
  path: '/v1/webhook_endpoints/:webhook_endpoint/disable',
  scope: 'webhooks:write',
  tag: 'webhooks',
  summary: 'Detiene las entregas de un punto de recepción.',
  description:
    'Deja de enviar a este punto de recepción. Lo que ya estaba en cola espera a que se active de nuevo; los eventos que ocurren mientras tanto no se le envían, y se pueden leer con list_events. Si ya estaba detenido, no cambia nada. Se reanuda con enable_webhook_endpoint.',
  transaction: 'own',
  mcp: true,
  effects: 'withdraw',
  status: 200,
  params: Shape({ webhook_endpoint: Described(Uuid, 'Id del punto de recepción') }),
  output: One(WebhookEndpoint),
  errors: [c.resource_not_found],

  async handle(ctx, { params }) {
    const { tx, caller, realNow, audit } = ctx;
    const stored = await lockEndpoint(tx, caller.company_id, params.webhook_endpoint);
    if (!stored) throw fail(c.resource_not_found, { param: 'webhook_endpoint' });
    if (stored.status === 'disabled') return { data: present(stored, realNow()) };
    const row = await setStatus(ctx, stored, 'disabled');
    audit({ action: 'webhook_endpoint.disabled', object: 'webhook_endpoint', object_id: stored.id });
    return { data: present(row, realNow()) };
  },
});
