/** What the dashboard knows of operations and permissions: it is printed, because web/ imports only types from src/. */
import { type Operation, scopesNeeded } from '../src/kernel/operation.ts';
import { planModules, planNames } from '../src/kernel/plans.ts';
import { scopeCatalogue, scopeGroups } from '../src/kernel/scopes.ts';
import { catalog } from '../src/modules/catalog.ts';
import { roles, scopesOfRole } from '../src/modules/people/rules/roles.ts';

const lines = (rows: readonly string[]) => rows.map((row) => `  ${row},\n`).join('');

/** `GET /v1/invoices invoices:read`; `@test` at the end: of the sandbox alone. */
function operationLine(operation: Operation): string {
  const { name, method, path, environment } = operation;
  const only = environment === null ? [] : [`@${environment}`];
  return `${name}: '${[method, path, ...scopesNeeded(operation), ...only].join(' ')}'`;
}

const notice = '/** Printed by `npm run print`; do not edit. */';

export function printOperations(): string {
  const operations = catalog.filter(({ callers }) => callers.includes('user')).map(operationLine);
  const held = roles.map((role) => {
    const [live, test] = (['live', 'test'] as const).map((environment) =>
      JSON.stringify(scopesOfRole(role, environment).join(' ')),
    );
    return `${role}: { live: ${live}, test: ${test} }`;
  });
  const limits = scopeCatalogue
    .filter(({ module, refused_in_sandbox }) => module !== null || refused_in_sandbox)
    .map(
      ({ scope, module, refused_in_sandbox }) =>
        `'${scope}': { module: ${JSON.stringify(module)}, refused_in_sandbox: ${refused_in_sandbox} }`,
    );
  const modules = planNames.map((plan) => `${plan}: ${JSON.stringify(planModules(plan))}`);
  return `${notice}

/** What a person may call, by name: method, path, scopes. */
export const operations = {
${lines(operations)}} as const;

/** By role and environment; \`*\` is all. */
export const roleScopes = {
${lines(held)}} as const;

type Limits = { module: string | null; refused_in_sandbox: boolean };

/** Scopes that the plan or the sandbox may refuse. */
export const scopeLimits: Readonly<Record<string, Limits>> = {
${lines(limits)}};

/** Modules of each plan. */
export const planModules: Readonly<Record<string, readonly string[]>> = {
${lines(modules)}};
`;
}

export function printScopes(): string {
  const groups = scopeGroups
    .map(({ group, title }) => ({
      group,
      title,
      scopes: scopeCatalogue
        .filter((entry) => entry.assignable && entry.group === group)
        .map(({ scope, description, sensitive }) => ({ scope, description, is_sensitive: sensitive })),
    }))
    .filter((group) => group.scopes.length > 0)
    .map((group) => JSON.stringify(group));
  return `${notice}

export type ScopeGroup = {
  group: string;
  title: string;
  scopes: readonly { scope: string; description: string; is_sensitive: boolean }[];
};

/** What a key may be given. */
export const scopeGroups: readonly ScopeGroup[] = [
${lines(groups)}];
`;
}
