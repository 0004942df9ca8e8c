/** The service itself as a caller: whoever has something to do for a company without a credential. */
import type { Caller, CompanyContext } from '../kernel/operation.ts';
import { planModules } from '../kernel/plans.ts';

export function systemCaller(company: CompanyContext, job: { id: string; kind: string }): Caller {
  const { company_id, environment } = company;
  return {
    kind: 'system',
    key_id: job.id,
    key_company_id: company_id,
    owner_company_id: company_id,
    company_id,
    environment,
    scopes: ['*'],
    modules: planModules('scale'),
    tier: 'scale',
    api_version: null,
    ip: null,
    previous_secret: null,
  };
}
