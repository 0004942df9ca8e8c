import { defineList } from '../../../kernel/list-operation.ts';
import { pageAnswer, rangeParameters } from '../../../kernel/page.ts';
import { Moment } from '../../../kernel/schema.ts';
import { ApiKeyListItem, presentListItem } from '../api-keys.schema.ts';
import { getCompanyTier, listApiKeys as listRows, readKeyTimes } from '../api-keys.store.ts';
import { environmentsOf } from '../rules/new-key.ts';

export const listApiKeys = defineList({
  name: 'list_api_keys',
  path: '/v1/account/api-keys',
  scope: 'account:read',
  profile_scope: 'api_keys:read',
  tag: 'account',
  summary: 'Lista las claves de API.',
  description:
    'Responde una página de las claves de la cuenta, también las revocadas y las caducadas, sin sus secretos. Una clave de pruebas solo ve las de pruebas.',
  acts_on: 'key_owner',
  mcp: false,
  filters: { ...rangeParameters('created', Moment), ...rangeParameters('updated', Moment) },
  item: ApiKeyListItem,
  examples: [{ title: 'Las dos más recientes', query: { limit: '2' } }],

  async list({ tx, caller, now }, { page, query }) {
    const company_id = caller.owner_company_id;
    const [company, rows] = await Promise.all([
      getCompanyTier(tx, company_id, now),
      listRows(tx, company_id, environmentsOf(caller.environment), page, query),
    ]);
    const timeOf = await readKeyTimes(tx, company_id, rows, now);
    return pageAnswer(rows, page, (row) => presentListItem(row, company, timeOf(row)));
  },
});
