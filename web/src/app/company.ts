/** The company that the address names, and what the person may do in it. */
import { createContext, useContext } from 'react';
import { operationOf, type OperationName } from './operation.ts';
import { planModules, roleScopes, scopeLimits } from '../printed/operations.ts';
import type { Role, Session, SessionCompany } from './session.tsx';

export type CurrentCompany = {
  /** Of the live company, or of its sandbox. It is in every path. */
  id: string;
  environment: 'live' | 'test';
  live_id: string;
  sandbox_id: string | null;
  name: string;
  tax_id: string;
  role: Role;
};

export function findCompany({ companies }: Session, id: string): CurrentCompany | null {
  const found = companies.find((company) => company.id === id || company.sandbox_id === id);
  return found ? current(found, found.id === id ? 'live' : 'test') : null;
}

function current(company: SessionCompany, environment: 'live' | 'test'): CurrentCompany {
  const { id, sandbox_id, name, tax_id, role } = company;
  const own = environment === 'live' ? id : (sandbox_id ?? id);
  return { id: own, environment, live_id: id, sandbox_id, name: name ?? tax_id, tax_id, role };
}

export const CompanyContext = createContext<CurrentCompany | null>(null);

export function useCurrentCompany(): CurrentCompany {
  const company = useContext(CompanyContext);
  if (company === null) throw new Error('There is no company around this.');
  return company;
}

/** What the paths of pages begin with: the company, or nothing outside of any. */
export function useCompanyPath(): string {
  const company = useContext(CompanyContext);
  return company === null ? '' : `/${company.id}`;
}

export type Refusal = 'role' | 'sandbox' | 'live' | 'plan';

/** Who asks; without the plan, what the plan refuses is not known. */
export type Asking = Pick<CurrentCompany, 'role' | 'environment'> & { plan?: string };

/** What environment and plan refuse, whoever asks. */
export function scopeLimitRefusal(scope: string, { environment, plan }: Asking): Refusal | null {
  const limits = scopeLimits[scope];
  if (environment === 'test' && limits?.refused_in_sandbox) return 'sandbox';
  if (plan !== undefined && limits?.module && !planModules[plan]?.includes(limits.module)) return 'plan';
  return null;
}

/** Why a scope is of no use; null when it is. */
export function scopeRefusal(scope: string, asking: Asking): Refusal | null {
  const { role, environment } = asking;
  const limited = scopeLimitRefusal(scope, asking);
  if (limited !== null) return limited;
  const held = roleScopes[role][environment].split(' ');
  return held.includes('*') || held.includes(scope) ? null : 'role';
}

export function operationRefusal(name: OperationName, asking: Asking): Refusal | null {
  const { scopes, only } = operationOf(name);
  if (only !== null && only !== asking.environment) return only === 'live' ? 'sandbox' : 'live';
  for (const scope of scopes) {
    const refused = scopeRefusal(scope, asking);
    if (refused !== null) return refused;
  }
  return null;
}

/** The one question before an action is shown: `can('issue_invoice')`. The server asks it again. */
export function useCan(): (name: OperationName) => boolean {
  const company = useCurrentCompany();
  return (name) => operationRefusal(name, company) === null;
}
