import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, Nullable, One, Shape, Text, Type, Uuid } from '../../../kernel/schema.ts';
import { apiKeyErrors as e } from '../api-keys.errors.ts';
import { ApiKey, present } from '../api-keys.schema.ts';
import { getCompanyTier, lockApiKey, setRevoked } from '../api-keys.store.ts';
import { environmentsOf } from '../rules/new-key.ts';

export const revokeApiKey = defineOperation({
  name: 'revoke_api_key',
  method: 'POST',
  path: '/v1/account/api-keys/:api_key/revoke',
  scope: 'account:write',
  profile_scope: 'api_keys:write',
  tag: 'account',
  summary: 'Revoca una clave de API al instante.',
  description:
    'Deja sin valor una clave al instante y para siempre, aunque sea la que hace la llamada: con ella no se puede volver a llamar. Revocar una ya revocada no cambia nada. Queda en el registro de auditoría, con su motivo.',
  transaction: 'own',
  acts_on: 'key_owner',
  mcp: false,
  effects: 'withdraw',
  irreversible: true,
  status: 200,
  params: Shape({ api_key: Described(Uuid, 'Id de la clave') }),
  body: Shape({
    reason: Type.Optional(
      Nullable(Text(500, { description: 'Motivo, que queda en el registro de auditoría' })),
    ),
  }),
  body_optional: true,
  output: One(ApiKey),
  errors: [e.api_key_not_found],
  not_found: e.api_key_not_found,

  async handle({ tx, caller, now, audit, refuseLost }, { params, body }) {
    const company_id = caller.owner_company_id;
    const company = await getCompanyTier(tx, company_id, now);
    const key = await lockApiKey(tx, company_id, params.api_key, environmentsOf(caller.environment));
    if (!key) throw fail(e.api_key_not_found, { param: 'api_key' });
    if (key.revoked_at === null) {
      await refuseLost?.();
      await setRevoked(tx, key, now);
      audit({
        action: 'api_key.revoked',
        object: 'api_key',
        object_id: key.id,
        details: { reason: body?.reason ?? null, revoked_by: caller.principal.id },
      });
    }
    return { data: present({ ...key, revoked_at: key.revoked_at ?? now }, company, now) };
  },
});
