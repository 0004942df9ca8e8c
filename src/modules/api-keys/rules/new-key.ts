import { commonErrors as c } from '../../../kernel/common.errors.ts';
import type { Caller, Environment } from '../../../kernel/operation.ts';
import type { PlanModule } from '../../../kernel/plans.ts';
import { fail, type FieldIssue, type ProblemDef } from '../../../kernel/problem.ts';
import { scopeRefusal, SUPER_SCOPE } from '../../../kernel/scopes.ts';
import { parseRange } from '../../../kernel/ip-ranges.ts';
import { apiKeyErrors as e } from '../api-keys.errors.ts';

/** A live key sees and makes keys of both environments, a test key of its own. */
export function environmentsOf(caller: Environment): readonly Environment[] {
  return caller === 'live' ? ['live', 'test'] : ['test'];
}

export type ScopeFault = { def: ProblemDef; issues: FieldIssue[] };

/** The scopes that plan, environment or catalogue refuse. */
export function scopeFault(
  scopes: readonly string[],
  modules: readonly PlanModule[],
  environment: Environment,
): ScopeFault | undefined {
  const issues: FieldIssue[] = [];
  for (const [index, scope] of scopes.entries()) {
    const code = scopeRefusal(scope, { modules, environment });
    if (code) issues.push({ param: `scopes.${index}`, code, message: e[code].message.es });
  }
  const first = issues[0];
  return first && { def: e[first.code as keyof typeof e], issues };
}

/**
 * A token makes no key that may do more than the token: that would bypass what the person granted.
 * @param list the parameter with the scopes, if they are asked for
 * @throws 403 insufficient_scope
 */
export function refuseMoreThanHeld(
  { principal, scopes: held, environment }: Pick<Caller, 'principal' | 'scopes' | 'environment'>,
  { scopes, environment: opened }: { scopes: readonly string[]; environment: Environment },
  list: string | null = 'scopes',
): void {
  if (principal.kind !== 'oauth') return;
  // The person granted only one environment.
  if (opened !== environment)
    throw fail(c.insufficient_scope, {
      ...(list === null ? {} : { param: 'environment' }),
      values: {
        scope: `account:write ${opened === 'test' ? 'en el entorno de pruebas' : 'en el entorno real'}`,
      },
      scopes: ['account:write'],
    });
  const index = scopes.findIndex((scope) => !held.includes(scope));
  if (index < 0) return;
  throw fail(c.insufficient_scope, {
    ...(list === null ? {} : { param: `${list}.${index}` }),
    values: { scope: scopes[index] ?? '' },
    scopes: ['account:write', ...scopes],
  });
}

export function addressIssues(allowed_ips: readonly string[]): FieldIssue[] {
  return allowed_ips.flatMap((text, index) =>
    parseRange(text)
      ? []
      : [
          {
            param: `allowed_ips.${index}`,
            code: 'parameter_invalid',
            message: 'Debe ser una dirección IPv4 o IPv6, o un rango CIDR.',
          },
        ],
  );
}

/**
 * Among persons, only an owner gets the secret of a key with the super-scope.
 * @throws 403 insufficient_scope
 */
export function refuseSuperScope({ role }: Pick<Caller, 'role'>, scopes: readonly string[]): void {
  const at = scopes.indexOf(SUPER_SCOPE);
  if (role === undefined || role === 'owner' || at < 0) return;
  throw fail(c.insufficient_scope, { param: `scopes.${at}`, values: { scope: SUPER_SCOPE } });
}
