/**
 * Both secrets sign for 24 hours of real time, the new one first. Another rotation ends the older one at
 * once.
 */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { lockEndpoint, saveEndpoint } from '../endpoints.store.ts';
import { newWebhookSecret, secretPlace } from '../secret.ts';
import type { EndpointRow } from '../webhooks.rows.ts';
import { present, WebhookEndpointWithSecret } from '../webhooks.schema.ts';

const graceMs = 24 * 3_600_000;

export const rotateWebhookSecret = defineOperation({
  name: 'rotate_webhook_secret',
  method: 'POST',
  path: '/v1/webhook_endpoints/:webhook_endpoint/rotate_secret',
  scope: 'webhooks:write',
  tag: 'webhooks',
  summary: 'Da un secreto nuevo; durante 24 horas se firma con los dos.',
  description:
    'Da al punto de recepción un secreto nuevo, que viene en la respuesta y no se vuelve a mostrar. Durante 24 horas cada entrega se firma con el nuevo y con el anterior, para cambiarlo sin perder ninguna; rotar otra vez dentro de ese plazo acaba al momento con el más antiguo.',
  transaction: 'own',
  mcp: true,
  irreversible: true,
  status: 200,
  holds_secret: true,
  params: Shape({ webhook_endpoint: Described(Uuid, 'Id del punto de recepción') }),
  output: One(WebhookEndpointWithSecret),
  errors: [c.resource_not_found],

  async handle({ tx, caller, now, realNow, ports, audit }, { params }) {
    const stored = await lockEndpoint(tx, caller.company_id, params.webhook_endpoint);
    if (!stored) throw fail(c.resource_not_found, { param: 'webhook_endpoint' });
    const secret = newWebhookSecret();
    const row: EndpointRow = {
      ...stored,
      sealed_secret: ports.secrets.seal(secret, secretPlace(caller.company_id, stored.id)),
      previous_sealed_secret: stored.sealed_secret,
      previous_secret_valid_until: new Date(realNow().getTime() + graceMs),
      updated_at: now,
    };
    await saveEndpoint(tx, caller.company_id, row);
    audit({ action: 'webhook_endpoint.secret_rotated', object: 'webhook_endpoint', object_id: row.id });
    return { data: { ...present(row, realNow()), secret } };
  },
});
