/** Its grants end, also those of other companies' people, and their tokens with the same commit (ADR 64 says how many). */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Deleted, Described, Shape, Uuid } from '../../../kernel/schema.ts';
import { lockClient, removeClient } from '../clients.store.ts';
import { deleteTokensOfClient } from '../deleted-clients.ts';
import { endGrants, lockGrantsOfClient } from '../grants.store.ts';

export const deleteOauthClient = defineOperation({
  name: 'delete_oauth_client',
  method: 'DELETE',
  path: '/v1/oauth/clients/:oauth_client',
  scope: 'account:write',
  tag: 'oauth',
  summary: 'Elimina una aplicación OAuth.',
  description:
    'Borra para siempre una aplicación: desde ese momento ninguna persona puede autorizarla, y todo lo que se le autorizó acaba, también en otras empresas. Queda en el registro de auditoría.',
  transaction: 'own',
  environment: 'live',
  callers: ['api_key', 'user'],
  mcp: false,
  effects: 'withdraw',
  irreversible: true,
  params: Shape({ oauth_client: Described(Uuid, 'Id de la aplicación') }),
  output: Deleted('oauth_client'),
  errors: [c.resource_not_found],

  async handle({ tx, caller, now, realNow, audit }, { params }) {
    const { company_id } = caller;
    const stored = await lockClient(tx, company_id, params.oauth_client);
    if (!stored) throw fail(c.resource_not_found, { param: 'oauth_client' });
    const grants = await lockGrantsOfClient(tx, company_id, stored.client_id);
    const ids = grants.map(({ id }) => id);
    await endGrants(tx, company_id, ids, realNow());
    // Before its tokens: another company's exchange finds it gone, or its tokens are found here.
    await removeClient(tx, company_id, stored, now);
    await deleteTokensOfClient(tx, stored.client_id, realNow());
    audit({
      action: 'oauth_client.deleted',
      object: 'oauth_client',
      object_id: stored.id,
      details: { client_id: stored.client_id, grants_ended: ids.length },
    });
    return { data: { id: stored.id, object: 'oauth_client', deleted: true } };
  },
});
