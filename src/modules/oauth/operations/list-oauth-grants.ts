import { defineList } from '../../../kernel/list-operation.ts';
import { pageAnswer, rangeParameters } from '../../../kernel/page.ts';
import { Moment, Text, Type } from '../../../kernel/schema.ts';
import { listGrants } from '../grants.store.ts';
import { OAuthGrant, presentGrant } from '../oauth.schema.ts';
import { namesOf } from '../../people/index.ts';
import { ownGrantsOnly } from '../rules/seen-grants.ts';

export const listOauthGrants = defineList({
  name: 'list_oauth_grants',
  path: '/v1/oauth/grants',
  scope: 'account:read',
  tag: 'oauth',
  summary: 'Lista las autorizaciones dadas a aplicaciones OAuth.',
  description:
    'Responde una página de lo que las personas de la empresa han autorizado a aplicaciones, también lo que ya acabó: a cuál, quién, con qué permisos y en qué entorno. Una persona que no es propietaria ve solo lo suyo.',
  environment: 'live',
  callers: ['api_key', 'user'],
  mcp: false,
  filters: {
    client_id: Type.Optional(
      Text(2000, { minLength: 1, description: 'Las dadas a la aplicación que se presenta así' }),
    ),
    ...rangeParameters('created', Moment),
    ...rangeParameters('updated', Moment),
  },
  single: ['client_id'],
  item: OAuthGrant,
  examples: [{ title: 'Las dos más recientes', query: { limit: '2' } }],

  async list({ tx, caller }, { page, query }) {
    const rows = await listGrants(tx, caller.company_id, ownGrantsOnly(caller), page, query);
    const names = await namesOf(tx, [...new Set(rows.map(({ user_id }) => user_id))]);
    return pageAnswer(rows, page, (row) => presentGrant(row, names));
  },
});
