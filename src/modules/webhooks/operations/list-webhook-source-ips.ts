/** Empty when the operator has published no address. */
import { defineOperation } from '../../../kernel/operation.ts';
import { Described, One, Type, Uuid } from '../../../kernel/schema.ts';

export const listWebhookSourceIps = defineOperation({
  name: 'list_webhook_source_ips',
  method: 'GET',
  path: '/v1/webhook_source_ips',
  scope: null,
  tag: 'webhooks',
  summary: 'Lista las direcciones desde las que salen las entregas.',
  description:
    'Responde las direcciones IP desde las que el servicio envía las entregas, para admitirlas en un cortafuegos. La lista está vacía si quien mantiene el servicio no ha publicado ninguna.',
  transaction: 'read',
  mcp: true,
  output: One(
    Type.Object({
      object: Type.Literal('webhook_source_ips'),
      id: Described(Uuid, 'Id de la empresa'),
      ips: Type.Array(Type.String(), { description: 'Direcciones IP de salida' }),
    }),
  ),
  errors: [],
  examples: [{ title: 'Las direcciones' }],

  async handle({ ports, company }) {
    const ips = [...ports.receivers.source_ips];
    return { data: { object: 'webhook_source_ips', id: company.company_id, ips } };
  },
});
