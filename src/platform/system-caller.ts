import type { Caller, Environment } from '../kernel/operation.ts';
import { planModuleNames } from '../kernel/plans.ts';

/**
 * The caller of a job may call every operation of its company, spends no rate, and is not in the request log. The
 * audit log names the job.
 * @param company `owner_company_id`: the live company of a sandbox
 */
export function systemCaller(
  company: { company_id: string; environment: Environment; owner_company_id?: string },
  job: { id: string; kind: string },
): Caller {
  const { company_id, environment, owner_company_id = company_id } = company;
  return {
    principal: { kind: 'system', id: job.id, name: job.kind },
    user_id: null,
    key_company_id: owner_company_id,
    owner_company_id,
    company_id,
    environment,
    scopes: ['*'],
    modules: planModuleNames,
    tier: 'scale',
    api_version: null,
    ip: null,
    previous_secret: null,
  };
}
