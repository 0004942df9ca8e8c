/** Answers the calling key, whatever company it works for; or the grant of a token, in the same fields. */
import { defineOperation } from '../../../kernel/operation.ts';
import { One } from '../../../kernel/schema.ts';
import { OwnApiKey, presentOwn, presentOwnGrant } from '../api-keys.schema.ts';
import { findApiKey } from '../api-keys.store.ts';

export const getAccount = defineOperation({
  name: 'get_account',
  method: 'GET',
  path: '/v1/account',
  scope: 'account:read',
  tag: 'account',
  summary: 'Consulta la clave, o el acceso OAuth, con que se llama.',
  description:
    'Responde los datos de la clave con la que se hace esta llamada: sus permisos, su nivel de uso y hasta cuándo vale; nunca su secreto. Dice también de qué cuenta es y, con X-Active-Profile, para qué empresa trabaja la llamada: los demás datos siguen siendo los de la clave. Con un acceso OAuth responde la autorización de la que viene (object: oauth_grant), con el nombre de la aplicación. Sirve para comprobar que funciona y qué puede hacer.',
  transaction: 'read',
  acts_on: 'key',
  callers: ['api_key', 'oauth'],
  mcp: true,
  output: One(OwnApiKey),
  errors: [],
  examples: [{ title: 'La clave propia' }],

  async handle({ tx, caller, company, ports }) {
    const { principal, key_company_id, scopes, tier } = caller;
    if (principal.kind === 'oauth') {
      const grant = await ports.oauth.findGrant(tx, key_company_id, principal.id);
      if (!grant) throw new Error('The grant of a token has no row.');
      const of_company = { object: 'account', id: key_company_id, name: company.name } as const;
      return { data: { ...presentOwnGrant(grant, scopes, tier), account: of_company, active_profile: null } };
    }
    const row = await findApiKey(tx, caller.key_company_id, caller.principal.id, ['live', 'test']);
    if (!row) throw new Error('The calling key has no row.');
    const account = { object: 'account', id: caller.key_company_id, name: company.name } as const;
    const active_profile = caller.owner_company_id === caller.key_company_id ? null : caller.company_id;
    return { data: { ...presentOwn(row, caller.tier), account, active_profile } };
  },
});
