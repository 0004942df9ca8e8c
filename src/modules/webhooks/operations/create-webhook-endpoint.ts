/** Only this answer and that of a rotation contain the secret. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { refuseIssues } from '../../../kernel/resource-input.ts';
import { One } from '../../../kernel/schema.ts';
import { newId } from '../../../kernel/uuid7.ts';
import { eventCatalog } from '../../events/index.ts';
import { countListening } from '../../../platform/company-row.ts';
import { countEndpoints, insertEndpoint } from '../endpoints.store.ts';
import { allowlistIssues, eventIssues, normalUrl, urlIssues } from '../rules/endpoint-fields.ts';
import { newWebhookSecret, secretPlace } from '../secret.ts';
import type { EndpointRow } from '../webhooks.rows.ts';
import { present, WebhookEndpointInput, WebhookEndpointWithSecret } from '../webhooks.schema.ts';

const endpointsMax = 50;

export const createWebhookEndpoint = defineOperation({
  name: 'create_webhook_endpoint',
  method: 'POST',
  path: '/v1/webhook_endpoints',
  scope: 'webhooks:write',
  tag: 'webhooks',
  summary: 'Crea un punto de recepción de webhooks.',
  description:
    'Registra una dirección https a la que se envían los eventos elegidos según ocurren. La respuesta lleva el secreto con el que se firman las entregas; no se vuelve a mostrar. En el entorno de pruebas solo salen los webhook.ping. Se rechaza una dirección que no es https o no es pública, un evento que no está en el catálogo (parameter_invalid) y el punto número 51 de una empresa (business_rule_violation). Los nombres de los eventos los da list_event_catalog; la dirección se comprueba con ping_webhook_endpoint.',
  transaction: 'own',
  mcp: true,
  holds_secret: true,
  body: WebhookEndpointInput,
  output: One(WebhookEndpointWithSecret),
  errors: [c.business_rule_violation],
  examples: [
    {
      title: 'Facturas cobradas y todo lo de los cobros',
      body: { url: 'https://hooks.example.com/folio', enabled_events: ['invoice.paid', 'payment.*'] },
    },
  ],

  async handle({ tx, caller, now, realNow, ports, audit }, { body }) {
    const { company_id } = caller;
    const ip_allowlist = body.ip_allowlist ?? [];
    const url = normalUrl(body.url);
    refuseIssues([
      ...urlIssues(url, ports.receivers.refusal(url)),
      ...eventIssues(body.enabled_events, eventCatalog),
      ...allowlistIssues(ip_allowlist, ports.receivers.source_ips),
    ]);
    if ((await countEndpoints(tx, company_id)) >= endpointsMax) {
      const reason = `una empresa tiene ${endpointsMax} puntos de recepción como máximo.`;
      throw fail(c.business_rule_violation, { values: { reason } });
    }
    const secret = newWebhookSecret();
    const id = newId();
    const row: EndpointRow = {
      id,
      url,
      description: body.description ?? null,
      enabled_events: body.enabled_events,
      status: 'enabled',
      sealed_secret: ports.secrets.seal(secret, secretPlace(company_id, id)),
      previous_sealed_secret: null,
      previous_secret_valid_until: null,
      timeout_seconds: body.timeout_seconds ?? 10,
      ip_allowlist,
      last_success_at: null,
      failing_since: null,
      consecutive_failures: 0,
      created_at: now,
      updated_at: now,
    };
    const settings_version = await countListening(tx, company_id, 1);
    await insertEndpoint(tx, company_id, row, [settings_version]);
    audit({ action: 'webhook_endpoint.created', object: 'webhook_endpoint', object_id: row.id });
    return { data: { ...present(row, realNow()), secret } };
  },
});
