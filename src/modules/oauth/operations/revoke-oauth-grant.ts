import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, Nullable, One, Shape, Text, Type, Uuid } from '../../../kernel/schema.ts';
import { namesOf } from '../../people/index.ts';
import { endGrants, lockGrant } from '../grants.store.ts';
import { OAuthGrant, presentGrant } from '../oauth.schema.ts';
import { ownGrantsOnly } from '../rules/seen-grants.ts';

export const revokeOauthGrant = defineOperation({
  name: 'revoke_oauth_grant',
  method: 'POST',
  path: '/v1/oauth/grants/:oauth_grant/revoke',
  scope: 'account:write',
  // Whoever may grant may take it back, whatever their role.
  scope_of_people: 'account:read',
  tag: 'oauth',
  summary: 'Acaba al instante con lo autorizado a una aplicación OAuth.',
  description:
    'Deja sin valor, al instante y para siempre, los accesos que una aplicación tiene por esta autorización; para volver a actuar necesita que la persona la autorice otra vez. Las claves y los puntos de recepción de webhooks que la aplicación hubiera creado son de la empresa y siguen: el registro de auditoría dice cuáles son. Una persona que no es propietaria acaba solo con lo suyo. Revocar una ya acabada no cambia nada. Queda en el registro de auditoría, con su motivo.',
  transaction: 'own',
  environment: 'live',
  callers: ['api_key', 'user'],
  mcp: false,
  effects: 'withdraw',
  irreversible: true,
  status: 200,
  params: Shape({ oauth_grant: Described(Uuid, 'Id de la autorización') }),
  body: Shape({
    reason: Type.Optional(
      Nullable(Text(500, { description: 'Motivo, que queda en el registro de auditoría' })),
    ),
  }),
  body_optional: true,
  output: One(OAuthGrant),
  errors: [c.resource_not_found],

  async handle({ tx, caller, realNow, audit }, { params, body }) {
    const { company_id } = caller;
    const row = await lockGrant(tx, company_id, params.oauth_grant);
    const own = ownGrantsOnly(caller);
    if (!row || (own !== null && row.user_id !== own))
      throw fail(c.resource_not_found, { param: 'oauth_grant' });
    const now = realNow();
    if (row.revoked_at === null) {
      await endGrants(tx, company_id, [row.id], now);
      audit({
        action: 'oauth_grant.revoked',
        object: 'oauth_grant',
        object_id: row.id,
        details: { reason: body?.reason ?? null },
      });
    }
    const names = await namesOf(tx, [row.user_id]);
    return { data: presentGrant({ ...row, revoked_at: row.revoked_at ?? now }, names) };
  },
});
