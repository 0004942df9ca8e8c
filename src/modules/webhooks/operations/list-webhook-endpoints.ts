import { defineList } from '../../../kernel/list-operation.ts';
import { pageAnswer, rangeParameters } from '../../../kernel/page.ts';
import { Enum, Moment, Type } from '../../../kernel/schema.ts';
import { listEndpoints } from '../endpoints.store.ts';
import { present, WebhookEndpoint } from '../webhooks.schema.ts';

export const listWebhookEndpoints = defineList({
  name: 'list_webhook_endpoints',
  path: '/v1/webhook_endpoints',
  scope: 'webhooks:read',
  tag: 'webhooks',
  summary: 'Lista los puntos de recepción de webhooks.',
  description:
    'Responde una página de las direcciones a las que la empresa ha pedido que se envíen sus eventos, con su estado y si les fallan las entregas. Los secretos no se muestran. Lo que se ha enviado a cada una lo da list_webhook_deliveries.',
  mcp: true,
  filters: {
    status: Type.Optional(
      Enum(['enabled', 'disabled'], { description: 'enabled: los que reciben; disabled: los detenidos' }),
    ),
    ...rangeParameters('created', Moment),
    ...rangeParameters('updated', Moment),
  },
  item: WebhookEndpoint,
  examples: [{ title: 'Los que reciben', query: { status: 'enabled' } }],

  async list({ tx, caller, realNow }, { query, page }) {
    const rows = await listEndpoints(tx, caller.company_id, page, query);
    return pageAnswer(rows, page, (row) => present(row, realNow()));
  },
});
