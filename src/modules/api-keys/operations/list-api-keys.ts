/** Lists the account's keys without their secrets. A test key sees only test keys. */
import { defineOperation } from '../../../kernel/operation.ts';
import { pageAnswer, pageParameters, readPage } from '../../../kernel/page.ts';
import { Page, Shape } from '../../../kernel/schema.ts';
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { ApiKeyListItem, presentListItem } from '../api-keys.schema.ts';
import { getCompanyTier, listApiKeys as listRows } from '../api-keys.store.ts';
import { environmentsOf } from '../rules/new-key.ts';

export const listApiKeys = defineOperation({
  name: 'list_api_keys',
  method: 'GET',
  path: '/v1/account/api-keys',
  scope: 'account:read',
  tag: 'account',
  summary: 'Lista las claves de API.',
  description:
    'Responde una página de las claves de la cuenta, también las revocadas y las caducadas, sin sus secretos. Una clave de pruebas solo ve las de pruebas.',
  transaction: 'read',
  acts_on: 'key_owner',
  mcp: false,
  query: Shape(pageParameters),
  output: Page(ApiKeyListItem),
  errors: [c.parameter_invalid_cursor],
  examples: [{ title: 'Las dos más recientes', query: { limit: '2' } }],

  async handle({ tx, caller, now }, { query }) {
    const company_id = caller.owner_company_id;
    const page = readPage(query);
    const [company, rows] = await Promise.all([
      getCompanyTier(tx, company_id, now),
      listRows(tx, company_id, environmentsOf(caller.environment), page),
    ]);
    return pageAnswer(rows, page, (row) => presentListItem(row, company, now));
  },
});
