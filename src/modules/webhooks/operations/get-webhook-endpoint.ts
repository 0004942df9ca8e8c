import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { findEndpoint } from '../endpoints.store.ts';
import { present, WebhookEndpoint } from '../webhooks.schema.ts';

export const getWebhookEndpoint = defineOperation({
  name: 'get_webhook_endpoint',
  method: 'GET',
  path: '/v1/webhook_endpoints/:webhook_endpoint',
  scope: 'webhooks:read',
  tag: 'webhooks',
  summary: 'Consulta un punto de recepción de webhooks.',
  description:
    'Responde un punto de recepción: su dirección, los eventos que recibe, si está activo y desde cuándo fallan sus entregas. Su secreto no se muestra. Si el id no es de ninguno de la empresa, responde resource_not_found. Por qué fallan las entregas lo dice list_webhook_deliveries.',
  transaction: 'read',
  row: 'webhook_endpoints',
  mcp: true,
  params: Shape({ webhook_endpoint: Described(Uuid, 'Id del punto de recepción') }),
  output: One(WebhookEndpoint),
  errors: [c.resource_not_found],
  examples: [{ title: 'Un punto de recepción' }],

  async handle({ tx, caller, realNow }, { params }) {
    const row = await findEndpoint(tx, caller.company_id, params.webhook_endpoint);
    if (!row) throw fail(c.resource_not_found, { param: 'webhook_endpoint' });
    return { data: present(row, realNow()) };
  },
});
