/** POST and PUT from one list of fields: absent keys stay, null clears, read-only keys may come back unchanged. */
import { isDeepStrictEqual } from 'node:util';
import { commonErrors as c } from './common.errors.ts';
import { type FieldIssue, fail, type Problem } from './problem.ts';
import { readOnlyKeys, refuseReadOnlyChanges } from './read-only.ts';
import { Shape, type Static, type TProperties, Type } from './schema.ts';

/**
 * @param writable schemas without Optional
 * @param required what POST must bring
 */
export function resourceInputs<const T extends TProperties, const R extends keyof T & string>(
  writable: T,
  { required, read_only }: { required: readonly R[]; read_only: readonly string[] },
) {
  type Values = { -readonly [K in keyof T]: Static<T[K]> };
  const optional = Type.Partial(Type.Object(writable)).properties;
  const needed = Object.fromEntries(required.map((name) => [name, writable[name] as TProperties[string]]));
  return {
    create: Type.Unsafe<Partial<Values> & Pick<Values, R>>(Shape({ ...optional, ...needed })),
    update: Type.Unsafe<Partial<Values>>(Shape({ ...optional, ...readOnlyKeys(read_only) })),
  };
}

/** @throws 422 parameter_invalid for a read-only key that changed */
export function writableOf<B extends object>(
  body: B,
  presented: Record<string, unknown>,
  read_only: readonly string[],
): B {
  refuseReadOnlyChanges(body as Record<string, unknown>, presented, read_only);
  return Object.fromEntries(Object.entries(body).filter(([name]) => !read_only.includes(name))) as B;
}

export function changedKeys<T extends object>(before: T, after: T): (keyof T & string)[] {
  const names = Object.keys(after) as (keyof T & string)[];
  return names.filter((name) => !isDeepStrictEqual(before[name], after[name]));
}

export function invalidField(param: string, message: string): FieldIssue {
  return { param, code: c.parameter_invalid.code, message };
}

/** For a field that others make required. */
export function missingField(param: string, message: string): FieldIssue {
  return { param, code: c.missing_required_param.code, message };
}

/** @returns 422 parameter_invalid of one field */
export function invalidParam(param: string, message: string): Problem {
  return fail(c.parameter_invalid, { param, errors: [invalidField(param, message)] });
}

/** @returns 422 missing_required_param of one field that others make required */
export function missingParam(param: string, message: string): Problem {
  return fail(c.missing_required_param, { param, errors: [missingField(param, message)] });
}

/** @returns 422 business_rule_violation */
export function brokenRule(param: string, reason: string): Problem {
  return fail(c.business_rule_violation, { param, values: { reason } });
}

/** @throws 422 with all faults, and the code and `param` of the first */
export function refuseIssues(issues: readonly FieldIssue[]): void {
  const [first] = issues;
  if (!first) return;
  const def = first.code === c.missing_required_param.code ? c.missing_required_param : c.parameter_invalid;
  throw fail(def, { param: first.param, errors: [...issues] });
}
