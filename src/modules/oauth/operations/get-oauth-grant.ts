import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { namesOf } from '../../people/index.ts';
import { findGrant } from '../grants.store.ts';
import { OAuthGrant, presentGrant } from '../oauth.schema.ts';
import { ownGrantsOnly } from '../rules/seen-grants.ts';

export const getOauthGrant = defineOperation({
  name: 'get_oauth_grant',
  method: 'GET',
  path: '/v1/oauth/grants/:oauth_grant',
  scope: 'account:read',
  tag: 'oauth',
  summary: 'Consulta una autorización dada a una aplicación OAuth.',
  description:
    'Responde lo que una persona autorizó a una aplicación, en vigor o acabado. Una persona que no es propietaria ve solo lo suyo. Si no existe, o quien llama no puede verla, responde resource_not_found.',
  transaction: 'read',
  row: 'oauth_grants',
  environment: 'live',
  callers: ['api_key', 'user'],
  mcp: false,
  params: Shape({ oauth_grant: Described(Uuid, 'Id de la autorización') }),
  output: One(OAuthGrant),
  errors: [c.resource_not_found],

  async handle({ tx, caller }, { params }) {
    const row = await findGrant(tx, caller.company_id, params.oauth_grant, ownGrantsOnly(caller));
    if (!row) throw fail(c.resource_not_found, { param: 'oauth_grant' });
    return { data: presentGrant(row, await namesOf(tx, [row.user_id])) };
  },
});
