/** The grace of the previous secret runs on the company's clock. */
import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { fail } from '../../../kernel/problem.ts';
import { Described, One, Shape, Uuid } from '../../../kernel/schema.ts';
import { companyTime } from '../../../platform/clock.ts';
import { newSecret, secretPrefix } from '../../../platform/credentials.ts';
import { apiKeyErrors as e } from '../api-keys.errors.ts';
import { purgeSecretJob } from '../api-keys.jobs.ts';
import { presentRotated, RotatedApiKey } from '../api-keys.schema.ts';
import { getOpenedClock, holdPlan } from '../../../platform/company-row.ts';
import { lockApiKey, replaceSecret } from '../api-keys.store.ts';
import { environmentsOf, refuseMoreThanHeld, refuseSuperScope } from '../rules/new-key.ts';

const graceMs = 24 * 3_600_000;

export const rotateApiKeySecret = defineOperation({
  name: 'rotate_api_key_secret',
  method: 'POST',
  path: '/v1/account/api-keys/:api_key/rotate_secret',
  scope: 'account:write',
  profile_scope: 'api_keys:write',
  tag: 'account',
  summary: 'Da una clave nueva; la anterior vale 24 horas más.',
  description:
    'Da a una clave un secreto nuevo, que viene en la respuesta y no se vuelve a mostrar. El anterior sigue valiendo 24 horas, para cambiarlo sin cortes; rotar otra vez dentro de ese plazo acaba al momento con el más antiguo. Una clave revocada o caducada se rechaza (invalid_status_transition), y con un acceso OAuth también la que tiene más permisos que él (insufficient_scope). Queda en el registro de auditoría.',
  transaction: 'own',
  acts_on: 'key_owner',
  mcp: false,
  irreversible: true,
  status: 200,
  holds_secret: true,
  params: Shape({ api_key: Described(Uuid, 'Id de la clave') }),
  output: One(RotatedApiKey),
  errors: [e.api_key_not_found, c.invalid_status_transition],
  not_found: e.api_key_not_found,

  async handle({ tx, caller, now, audit, enqueue, refuseLost }, { params }) {
    const company_id = caller.owner_company_id;
    const key = await lockApiKey(tx, company_id, params.api_key, environmentsOf(caller.environment));
    if (!key) throw fail(e.api_key_not_found, { param: 'api_key' });
    refuseMoreThanHeld(caller, key, null);
    refuseSuperScope(caller, key.scopes);
    // The new secret has the plan of the one before, and a change of plan locks the company first.
    await holdPlan(tx, company_id);
    const clock = await getOpenedClock(tx, company_id, key.opens_company_id);
    const key_now = companyTime(
      { clock_offset_ms: Number(clock.clock_offset_ms), clock_frozen_at: clock.clock_frozen_at },
      now,
    );
    const is_expired = key.expires_at !== null && key.expires_at <= key_now;
    if (key.revoked_at || is_expired) {
      const reason = key.revoked_at ? 'la clave está revocada.' : 'la clave ha caducado.';
      throw fail(c.invalid_status_transition, { values: { reason } });
    }

    // The caller may use the secret that ends now.
    await refuseLost?.();
    const secret = newSecret(key.environment);
    const previous_until = new Date(key_now.getTime() + graceMs);
    await replaceSecret(tx, key, secret, secretPrefix(secret), previous_until, now);
    enqueue(purgeSecretJob, { key_id: key.id }, { run_at: new Date(now.getTime() + graceMs) });
    audit({
      action: 'api_key.rotated',
      object: 'api_key',
      object_id: key.id,
      details: { rotated_by: caller.principal.id },
    });
    return { data: presentRotated({ ...key, prefix: secretPrefix(secret) }, secret) };
  },
});
