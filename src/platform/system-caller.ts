/** What a job calls operations as. */
import type { Caller, Environment } from '../kernel/operation.ts';
import { planModuleNames } from '../kernel/plans.ts';

/**
 * A job may call every operation of its company, spends no rate, and is not in the request log. The audit log names
 * the job.
 * @param company the job's; `owner_company_id` is the live company, if a sandbox has another id
 */
export function systemCaller(
  company: { company_id: string; environment: Environment; owner_company_id?: string },
  job: { id: string; kind: string },
): Caller {
  const { company_id, environment, owner_company_id = company_id } = company;
  return {
    principal: { kind: 'system', id: job.id, name: job.kind },
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
