/** A disabled endpoint keeps its queue until it is enabled again. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { type Ctx, defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { refuseReadOnlyChanges } from '../../../kernel/read-only.ts';
import { changedKeys, refuseIssues } from '../../../kernel/resource-input.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { eventCatalog } from '../../events/index.ts';
import { countListening } from '../../../platform/company-row.ts';
import { lockEndpoint, readTurns, saveEndpoint, setTurned, watchEndpoints } from '../endpoints.store.ts';
import { markEndpointDue } from '../enqueue.ts';
import { allowlistIssues, eventIssues, normalUrl, urlIssues } from '../rules/endpoint-fields.ts';
import { turnsAfter } from '../rules/subscription.ts';
import type { EndpointRow, EndpointStatus } from '../webhooks.rows.ts';
import { endpointReadOnly, present, WebhookEndpoint, WebhookEndpointUpdate } from '../webhooks.schema.ts';

export const updateWebhookEndpoint = defineOperation({
  name: 'update_webhook_endpoint',
  method: 'PUT',
  path: '/v1/webhook_endpoints/:webhook_endpoint',
  scope: 'webhooks:write',
  tag: 'webhooks',
  summary: 'Cambia un punto de recepción de webhooks.',
  description:
    'Cambia los datos que se envían; lo que no se envía queda como estaba, y lo de solo lectura que devuelve la consulta se admite. enabled_events sustituye a toda la lista. Con status a disabled se detienen sus entregas, y con enabled se reanudan. El secreto se cambia con rotate_webhook_secret.',
  transaction: 'own',
  mcp: true,
  params: Shape({ webhook_endpoint: Described(Uuid, 'Id del punto de recepción') }),
  body: WebhookEndpointUpdate,
  output: One(WebhookEndpoint),
  errors: [c.resource_not_found],
  examples: [{ title: 'Todos los eventos', body: { enabled_events: ['*'] } }],

  async handle(ctx, { params, body }) {
    const { tx, caller, now, realNow, ports, audit } = ctx;
    const stored = await lockEndpoint(tx, caller.company_id, params.webhook_endpoint);
    if (!stored) throw fail(c.resource_not_found, { param: 'webhook_endpoint' });
    refuseReadOnlyChanges(body, present(stored, realNow()), endpointReadOnly);
    const next: EndpointRow = {
      ...stored,
      url: body.url === undefined ? stored.url : normalUrl(body.url),
      description: body.description === undefined ? stored.description : body.description,
      enabled_events: body.enabled_events ?? stored.enabled_events,
      timeout_seconds: body.timeout_seconds ?? stored.timeout_seconds,
      ip_allowlist: body.ip_allowlist === undefined ? stored.ip_allowlist : (body.ip_allowlist ?? []),
    };
    // Unchanged values were valid when they were stored. The service's own settings may have changed since.
    const changed = changedKeys(stored, next);
    refuseIssues([
      ...(changed.includes('url') ? urlIssues(next.url, ports.receivers.refusal(next.url)) : []),
      ...eventIssues(body.enabled_events ?? [], eventCatalog),
      ...(changed.includes('ip_allowlist')
        ? allowlistIssues(next.ip_allowlist, ports.receivers.source_ips)
        : []),
    ]);
    const status = body.status ?? stored.status;
    const keys = status === stored.status ? changed : [...changed, 'status'];
    if (keys.length === 0) return { data: present(stored, realNow()) };
    next.updated_at = now;
    await saveEndpoint(tx, caller.company_id, next);
    audit({
      action: 'webhook_endpoint.updated',
      object: 'webhook_endpoint',
      object_id: stored.id,
      details: { keys },
    });
    return { data: present(await setStatus(ctx, next, status), realNow()) };
  },
});

/** The endpoint must be locked. */
export async function setStatus(ctx: Ctx, row: EndpointRow, status: EndpointStatus): Promise<EndpointRow> {
  if (row.status === status) return row;
  const { tx, caller, now } = ctx;
  const next = { ...row, status, updated_at: now };
  const { company_id } = caller;
  await saveEndpoint(tx, company_id, next);
  const turns = await readTurns(tx, company_id, row.id);
  const settings_version = await countListening(tx, company_id, status === 'enabled' ? 1 : -1);
  await setTurned(tx, company_id, row.id, {
    disabled_at: status === 'disabled' ? now : null,
    turns: turnsAfter(turns, row.status, settings_version),
  });
  await watchEndpoints(tx, company_id);
  if (status === 'enabled') await markEndpointDue(ctx, row.id);
  return next;
}
