import type { Caller, Environment } from '../kernel/operation.ts';

/**
 * A visitor who opened a document by its public address. He may do what the page offers and nothing that needs a scope.
 * The audit log names the document; his network address is in no log of the company.
 * @param company `owner_company_id`: the live company of a sandbox
 */
export function linkCaller(
  company: { company_id: string; environment: Environment; owner_company_id: string },
  document_id: string,
): Caller {
  const { company_id, environment, owner_company_id } = company;
  return {
    principal: { kind: 'link', id: document_id, name: 'public page' },
    user_id: null,
    key_company_id: owner_company_id,
    owner_company_id,
    company_id,
    environment,
    scopes: [],
    modules: [],
    tier: 'free',
    api_version: null,
    ip: null,
    previous_secret: null,
  };
}
