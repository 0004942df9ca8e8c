import { commonErrors as c } from '../../../kernel/common.errors.ts';
import { defineOperation } from '../../../kernel/operation.ts';
import { planModules } from '../../../kernel/plans.ts';
import { fail, type FieldIssue } from '../../../kernel/problem.ts';
import { invalidField, refuseIssues } from '../../../kernel/resource-input.ts';
import { One } from '../../../kernel/schema.ts';
import { newId } from '../../../kernel/uuid7.ts';
import { companyTime } from '../../../platform/clock.ts';
import { newSecret, secretPrefix } from '../../../platform/credentials.ts';
import { apiKeyErrors as e } from '../api-keys.errors.ts';
import { ApiKeyInput, NewApiKey, presentNew } from '../api-keys.schema.ts';
import { getOpenedClock } from '../../../platform/company-row.ts';
import { countKeysInForce, getCompanyTier, insertApiKey } from '../api-keys.store.ts';
import {
  addressIssues,
  environmentsOf,
  refuseMoreThanHeld,
  refuseSuperScope,
  scopeFault,
} from '../rules/new-key.ts';

export const createApiKey = defineOperation({
  name: 'create_api_key',
  method: 'POST',
  path: '/v1/account/api-keys',
  scope: 'account:write',
  profile_scope: 'api_keys:write',
  tag: 'account',
  summary: 'Crea una clave de API.',
  description:
    'Crea una clave con los permisos que se piden. La respuesta lleva el secreto completo, que no se vuelve a mostrar: guárdelo. Se rechaza un permiso que no existe (invalid_scope), que el plan no incluye (scope_not_allowed_by_plan) o que no se admite en pruebas (scope_not_allowed_in_sandbox), y la clave que pasa de las que puede tener en vigor una empresa (business_rule_violation): revoque una que no use. Con un acceso OAuth solo se dan permisos que él mismo tiene (insufficient_scope). Queda en el registro de auditoría.',
  transaction: 'own',
  acts_on: 'key_owner',
  mcp: false,
  holds_secret: true,
  body: ApiKeyInput,
  output: One(NewApiKey),
  errors: [
    e.invalid_scope,
    e.scope_not_allowed_by_plan,
    e.scope_not_allowed_in_sandbox,
    c.business_rule_violation,
  ],
  examples: [
    { title: 'Clave de solo lectura', body: { name: 'Informes', scopes: ['invoices:read', 'events:read'] } },
  ],

  async handle({ tx, caller, now, ports, audit }, { body }) {
    const environment = body.environment ?? caller.environment;
    refuseMoreThanHeld(caller, { scopes: body.scopes, environment });
    refuseSuperScope(caller, body.scopes);
    const company_id = caller.owner_company_id;
    // This locks the company, so that its plan stays until the key is made. The clock's weaker lock comes second: of two
    // calls that both have it, each would wait for the other.
    const in_force = await countKeysInForce(tx, company_id, now);
    const company = await getCompanyTier(tx, company_id, now);
    const opens_company_id = environment === 'live' ? company_id : company.sandbox_company_id;
    if (opens_company_id === null) throw new Error('A live company has a sandbox.');
    const clock = await getOpenedClock(tx, company_id, opens_company_id);
    const opened_now = companyTime(
      { clock_offset_ms: Number(clock.clock_offset_ms), clock_frozen_at: clock.clock_frozen_at },
      now,
    );
    const expires_at = body.expires_at ? new Date(body.expires_at) : null;

    const fault = scopeFault(body.scopes, planModules(company.plan), environment);
    const issues: FieldIssue[] = [...(fault?.issues ?? [])];
    if (!environmentsOf(caller.environment).includes(environment)) {
      issues.push(invalidField('environment', 'Una clave de pruebas solo crea claves de pruebas.'));
    }
    if (expires_at && expires_at <= opened_now)
      issues.push(invalidField('expires_at', 'Debe ser un instante futuro.'));
    issues.push(...addressIssues(body.allowed_ips ?? []));
    if (fault) throw fail(fault.def, { param: fault.issues[0]!.param, errors: issues });
    refuseIssues(issues);
    const { keys_max } = ports.key_limits;
    if (in_force >= keys_max) {
      const reason = `una empresa tiene ${keys_max} claves en vigor como máximo, contando las de pruebas.`;
      throw fail(c.business_rule_violation, { values: { reason } });
    }

    const secret = newSecret(environment);
    const row = {
      company_id,
      id: newId(),
      opens_company_id,
      environment,
      name: body.name,
      prefix: secretPrefix(secret),
      scopes: body.scopes,
      allowed_ips: body.allowed_ips ?? [],
      api_version: null,
      created_at: now,
      expires_at,
      created_by_key_id: caller.principal.kind === 'api_key' ? caller.principal.id : null,
    };
    await insertApiKey(tx, row, secret, company, clock);
    audit({
      action: 'api_key.created',
      object: 'api_key',
      object_id: row.id,
      details: { scopes: row.scopes, environment, granted_by: caller.principal.id },
    });
    return { data: presentNew({ ...row, last_used_at: null, revoked_at: null }, company.tier, secret) };
  },
});
