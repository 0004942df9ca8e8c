/**
 * A client may GET a resource, edit it and PUT it back whole. Read-only keys are accepted unchanged, refused when
 * changed.
 */
import { isDeepStrictEqual } from 'node:util';
import { commonErrors as c } from './common.errors.ts';
import { fail, type FieldIssue } from './problem.ts';
import { type TProperties, Type } from './schema.ts';

/** For an update's schema; `refuseReadOnlyChanges` compares the values. */
export function readOnlyKeys(
  names: readonly string[],
  description = 'Solo lectura: se acepta si llega sin cambios.',
): TProperties {
  return Object.fromEntries(names.map((name) => [name, Type.Optional(Type.Unknown({ description }))]));
}

/** @throws 422 parameter_invalid naming each read-only key that changed */
export function refuseReadOnlyChanges(
  body: Record<string, unknown>,
  presented: Record<string, unknown>,
  names: readonly string[],
): void {
  const issues: FieldIssue[] = names
    .filter((name) => Object.hasOwn(body, name) && !isDeepStrictEqual(body[name], presented[name]))
    .map((param) => ({ param, code: 'parameter_invalid', message: 'El campo es de solo lectura.' }));
  if (issues.length > 0) throw fail(c.parameter_invalid, { param: issues[0]!.param, errors: issues });
}
