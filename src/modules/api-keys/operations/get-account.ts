/** Answers the calling key, whatever company it works for. */
import { defineOperation } from '../../../kernel/operation.ts';
import { One } from '../../../kernel/schema.ts';
import { OwnApiKey, presentOwn } from '../api-keys.schema.ts';
import { findApiKey } from '../api-keys.store.ts';

export const getAccount = defineOperation({
  name: 'get_account',
  method: 'GET',
  path: '/v1/account',
  scope: 'account:read',
  tag: 'account',
  summary: 'Consulta la clave con la que se llama.',
  description:
    'Responde los datos de la clave con la que se hace esta llamada: sus permisos, su nivel de uso y hasta cuándo vale; nunca su secreto. Dice también de qué cuenta es y, con X-Active-Profile, para qué empresa trabaja la llamada: los demás datos siguen siendo los de la clave. Sirve para comprobar que funciona y qué puede hacer.',
  transaction: 'read',
  acts_on: 'key',
  callers: ['api_key'],
  mcp: true,
  output: One(OwnApiKey),
  errors: [],
  examples: [{ title: 'La clave propia' }],

  async handle({ tx, caller, company }) {
    const row = await findApiKey(tx, caller.key_company_id, caller.principal.id, ['live', 'test']);
    if (!row) throw new Error('The calling key has no row.');
    const account = { object: 'account', id: caller.key_company_id, name: company.name } as const;
    const active_profile = caller.owner_company_id === caller.key_company_id ? null : caller.company_id;
    return { data: { ...presentOwn(row, caller.tier), account, active_profile } };
  },
});
