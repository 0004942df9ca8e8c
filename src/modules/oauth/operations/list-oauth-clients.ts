import { defineList } from '../../../kernel/list-operation.ts';
import { pageAnswer, rangeParameters } from '../../../kernel/page.ts';
import { Moment } from '../../../kernel/schema.ts';
import { listClients } from '../clients.store.ts';
import { OAuthClient, presentClient } from '../oauth.schema.ts';

export const listOauthClients = defineList({
  name: 'list_oauth_clients',
  path: '/v1/oauth/clients',
  scope: 'account:read',
  tag: 'oauth',
  summary: 'Lista las aplicaciones OAuth de la empresa.',
  description:
    'Responde una página de las aplicaciones que la empresa ha registrado, sin sus secretos. Las que otros han hecho y aquí se han autorizado están en list_oauth_grants.',
  environment: 'live',
  callers: ['api_key', 'user'],
  mcp: false,
  filters: { ...rangeParameters('created', Moment), ...rangeParameters('updated', Moment) },
  item: OAuthClient,
  examples: [{ title: 'Las dos más recientes', query: { limit: '2' } }],

  async list({ tx, caller, realNow }, { page, query }) {
    const rows = await listClients(tx, caller.company_id, page, query);
    return pageAnswer(rows, page, (row) => presentClient(row, realNow()));
  },
});
