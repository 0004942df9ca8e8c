import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { refuseReadOnlyChanges } from '../../../kernel/read-only.ts';
import { changedKeys, refuseIssues } from '../../../kernel/resource-input.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { type ClientRow, lockClient, saveClient } from '../clients.store.ts';
import { clientReadOnly, OAuthClient, OAuthClientUpdate, presentClient } from '../oauth.schema.ts';
import { nameIssues, redirectIssues, websiteIssues } from '../rules/client-fields.ts';

export const updateOauthClient = defineOperation({
  name: 'update_oauth_client',
  method: 'PUT',
  path: '/v1/oauth/clients/:oauth_client',
  scope: 'account:write',
  tag: 'oauth',
  summary: 'Cambia una aplicación OAuth.',
  description:
    'Cambia los datos que se envían; lo que no se envía queda como estaba, y lo de solo lectura que devuelve la consulta se admite. redirect_uris sustituye a toda la lista y cuenta desde la siguiente autorización. El tipo no cambia, y el secreto se cambia con rotate_oauth_client_secret. Queda en el registro de auditoría.',
  transaction: 'own',
  environment: 'live',
  callers: ['api_key', 'user'],
  mcp: false,
  params: Shape({ oauth_client: Described(Uuid, 'Id de la aplicación') }),
  body: OAuthClientUpdate,
  output: One(OAuthClient),
  errors: [c.resource_not_found],
  examples: [{ title: 'Otro nombre', body: { name: 'Gestoría en línea 2' } }],

  async handle({ tx, caller, now, realNow, audit }, { params, body }) {
    const { company_id } = caller;
    const stored = await lockClient(tx, company_id, params.oauth_client);
    if (!stored) throw fail(c.resource_not_found, { param: 'oauth_client' });
    refuseReadOnlyChanges(body, presentClient(stored, realNow()), clientReadOnly);
    const { name, redirect_uris, website } = body;
    const next: ClientRow = {
      ...stored,
      name: name ?? stored.name,
      redirect_uris: redirect_uris ?? stored.redirect_uris,
      website: website === undefined ? stored.website : website,
    };
    refuseIssues([
      ...(next.name === stored.name ? [] : nameIssues(next.name)),
      ...redirectIssues(next.redirect_uris, next.type),
      ...websiteIssues(next.website),
    ]);
    const keys = changedKeys(stored, next);
    if (keys.length === 0) return { data: presentClient(stored, realNow()) };
    next.updated_at = now;
    await saveClient(tx, company_id, next);
    audit({
      action: 'oauth_client.updated',
      object: 'oauth_client',
      object_id: stored.id,
      details: { keys },
    });
    return { data: presentClient(next, realNow()) };
  },
});
