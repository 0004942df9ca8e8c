/** An id of another company counts as unknown. */
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { apiKeyErrors as e } from '../api-keys.errors.ts';
import { ApiKey, present } from '../api-keys.schema.ts';
import { findApiKey, getCompanyTier, readKeyTimes } from '../api-keys.store.ts';
import { environmentsOf } from '../rules/new-key.ts';

export const getApiKey = defineOperation({
  name: 'get_api_key',
  method: 'GET',
  path: '/v1/account/api-keys/:api_key',
  scope: 'account:read',
  profile_scope: 'api_keys:read',
  tag: 'account',
  summary: 'Consulta una clave de API.',
  description:
    'Responde los datos de una clave, sin su secreto. Si el id no es de ninguna que se pueda ver, responde api_key_not_found; una clave de pruebas solo ve las de pruebas.',
  transaction: 'read',
  row: 'api_keys',
  acts_on: 'key_owner',
  mcp: false,
  params: Shape({ api_key: Described(Uuid, 'Id de la clave') }),
  output: One(ApiKey),
  errors: [e.api_key_not_found],
  not_found: e.api_key_not_found,

  async handle({ tx, caller, now }, { params }) {
    const company_id = caller.owner_company_id;
    const [company, row] = await Promise.all([
      getCompanyTier(tx, company_id, now),
      findApiKey(tx, company_id, params.api_key, environmentsOf(caller.environment)),
    ]);
    if (!row) throw fail(e.api_key_not_found, { param: 'api_key' });
    const timeOf = await readKeyTimes(tx, company_id, [row], now);
    return { data: present(row, company, timeOf(row)) };
  },
});
