import { commonCodes, commonErrors as c } from '../../kernel/common.errors.ts';
import { type Operation, principalKinds, takesCondition } from '../../kernel/operation.ts';
import type { ProblemDef } from '../../kernel/problem.ts';

const forScopes = new Set<string>([c.insufficient_scope.code]);
const forKeys = new Set<string>([c.idempotency_key_reused.code, c.resource_locked.code]);
const forBodies = new Set<string>([
  c.request_too_large.code,
  c.request_timeout.code,
  c.unsupported_media_type.code,
]);

const common: ProblemDef[] = Object.values(c).filter((def) => commonCodes.has(def.code));

/** The operation's own errors and the common ones that apply, by status and code. */
export function operationProblems(operation: Operation): ProblemDef[] {
  const found = new Map<string, ProblemDef>();
  for (const def of common) if (canMeet(operation, def.code)) found.set(def.code, def);
  if (operation.params)
    found.set(
      (operation.not_found ?? c.resource_not_found).code,
      operation.not_found ?? c.resource_not_found,
    );
  if (operation.idempotency === 'required')
    found.set(c.missing_required_param.code, c.missing_required_param);
  for (const def of operation.errors) found.set(def.code, def);
  return [...found.values()].sort((a, b) => a.status - b.status || (a.code < b.code ? -1 : 1));
}

export function isCommon(def: ProblemDef): boolean {
  return commonCodes.has(def.code);
}

function canMeet(operation: Operation, code: string): boolean {
  if (forScopes.has(code))
    return operation.scope !== null || operation.callers.length < principalKinds.length;
  if (forKeys.has(code)) return operation.idempotency !== 'none';
  if (forBodies.has(code)) return operation.method !== 'GET';
  if (code === c.precondition_failed.code) return takesCondition(operation);
  return true;
}
