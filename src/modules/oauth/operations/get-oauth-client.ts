import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { findClientRow } from '../clients.store.ts';
import { OAuthClient, presentClient } from '../oauth.schema.ts';

export const getOauthClient = defineOperation({
  name: 'get_oauth_client',
  method: 'GET',
  path: '/v1/oauth/clients/:oauth_client',
  scope: 'account:read',
  tag: 'oauth',
  summary: 'Consulta una aplicación OAuth.',
  description: 'Responde los datos de una aplicación que la empresa ha registrado, sin su secreto.',
  transaction: 'read',
  row: 'oauth_clients',
  environment: 'live',
  callers: ['api_key', 'user'],
  mcp: false,
  params: Shape({ oauth_client: Described(Uuid, 'Id de la aplicación') }),
  output: One(OAuthClient),
  errors: [c.resource_not_found],

  async handle({ tx, caller, realNow }, { params }) {
    const row = await findClientRow(tx, caller.company_id, params.oauth_client);
    if (!row) throw fail(c.resource_not_found, { param: 'oauth_client' });
    return { data: presentClient(row, realNow()) };
  },
});
