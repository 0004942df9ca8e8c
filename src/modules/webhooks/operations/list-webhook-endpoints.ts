/** Lists the company's endpoints. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { pageAnswer, pageParameters, readPage } from '../../../kernel/page.ts';
import { Enum, Page, Shape, Type } from '../../../kernel/schema.ts';
import { listEndpoints } from '../endpoints.store.ts';
import { present, WebhookEndpoint } from '../webhooks.schema.ts';

export const listWebhookEndpoints = defineOperation({
  name: 'list_webhook_endpoints',
  method: 'GET',
  path: '/v1/webhook_endpoints',
  scope: 'webhooks:read',
  tag: 'webhooks',
  summary: 'Lista los puntos de recepción de webhooks.',
  description:
    'Responde una página de las direcciones a las que la empresa ha pedido que se envíen sus eventos, con su estado y si les fallan las entregas. Los secretos no se muestran.',
  transaction: 'read',
  mcp: true,
  query: Shape({
    ...pageParameters,
    status: Type.Optional(
      Enum(['enabled', 'disabled'], { description: 'enabled: los que reciben; disabled: los detenidos' }),
    ),
  }),
  output: Page(WebhookEndpoint),
  errors: [c.parameter_invalid_cursor],
  examples: [{ title: 'Los que reciben', query: { status: 'enabled' } }],

  async handle({ tx, caller, realNow }, { query }) {
    const page = readPage(query);
    const rows = await listEndpoints(tx, caller.company_id, page, query.status);
    return pageAnswer(rows, page, (row) => present(row, realNow()));
  },
});
